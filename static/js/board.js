// What the boards of all games share; each game's own board adds `show(position, options)` and `describe(text, view, seat)`.

import { html } from "./dom.js";

/** A second tap sooner than this after the first is a double click, not a decision. Milliseconds. */
export const SECOND_TAP = 350;

export class Board {
  /** The text of the move that was sent and is not yet answered. */
  pending = null;
  /** What a person with a seat does; `null` on a board that is only looked at. */
  play = null;

  constructor(el, ctx) {
    this.el = el;
    this.ctx = ctx;
    el.classList.toggle("is-interactive", ctx.interactive);
  }

  /** Takes back what is chosen and not yet sent. */
  clear() {
    this.play?.takeBack();
  }

  focus() {
    this.scene.element.focus({ preventScroll: true });
  }

  destroy() {
    this.play?.destroy();
    this.el.replaceChildren();
  }

  /** Whether the person may prepare a move now: in a running match, also while others move, but not while a move is under way. */
  get active() {
    return this.ctx.interactive && this.position?.status === "running" && this.pending === null;
  }

  get myTurn() {
    const { position, ctx } = this;
    return ctx.interactive && position.status === "running" && position.to_move === ctx.seat && Boolean(position.offer);
  }
}

/** The line of words below a board. */
export class Status {
  constructor(style = "") {
    this.style = style;
    this.element = html("p");
    this.show("");
  }

  /** Shows a text, or a list of elements and texts; `mood` is `good`, `bad` or none. */
  show(content, mood = "") {
    this.element.className = ["board-status", this.style, mood && `is-${mood}`].filter(Boolean).join(" ");
    this.element.replaceChildren(...[content].flat());
  }
}
