// The Nibble board: shows positions and, for a person with a seat, lets them take blocks. The module that the pages mount.

import { Cells } from "./geometry.js";
import { Look } from "./look.js";
import { Play } from "./play.js";
import { Scene } from "./draw.js";
import { Table } from "./table.js";
import { huesOf } from "./hues.js";
import { lastLine, survey, wonLine } from "./words.js";
import { keysAndMarks } from "./keys.js";
import { Board, Status } from "../js/board.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { legendButton } from "../js/keys.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export const mount = (el, ctx) => new NibbleBoard(el, ctx);

class NibbleBoard extends Board {
  /** The cell that the keys are at. */
  cursor = null;
  #layout = "";

  constructor(el, ctx) {
    super(el, ctx);
    this.cells = new Cells(ctx.data);
    this.hues = huesOf(ctx.data);
    this.scene = new Scene(this.cells, this.hues, ctx.interactive
      ? { role: "application", tabindex: "0", "aria-label": t("Nibble board. Press question mark for the keys.") }
      : { role: "img" });
    this.side = new Table(ctx.data, this.hues, () => this.paint());
    this.legend = keysAndMarks(ctx.data, ctx.interactive);
    this.#build();
  }

  #build() {
    const { el, ctx } = this;
    this.stage = html("div", { class: "nb-stage" }, this.scene.element);
    this.status = new Status();
    this.look = new Look(el, this.stage, ctx.say);
    this.table = html("div", { class: "board-table" }, this.stage);
    el.classList.add("nb");
    el.dataset.shape = ctx.data.shape;
    el.dataset.size = ctx.data.size;
    el.replaceChildren(this.table, html("div", { class: "board-side" }, this.side.element), this.legend);
    this.play = ctx.interactive ? new Play(this) : null;
    const keys = legendButton(this.legend, "nb-tool");
    this.table.append(html("div", { class: "board-foot nb-foot" }, this.status.element,
      html("div", { class: "nb-tools" }, ...(this.play ? [this.play.mostButton] : []), ...this.look.buttons, keys)));
  }

  /** What the button says that confirms a choice. */
  get verb() {
    return t("Take");
  }

  /** The cells of the blocks that stand out: offered to the viewer, or else free to be taken alone by whoever is to move. */
  get free() {
    return this.myTurn ? this.play.choice.pickable : this.takeable;
  }

  /** Shows a position; `pending` is the text of a move that was sent and is not yet answered. */
  show(position, { animate = false, pending = null } = {}) {
    this.position = position;
    this.pending = pending;
    this.takeable = new Set(position.view.takeable);
    this.scene.blocks(position.view, animate);
    this.scene.last(position.view.last);
    if (this.play) this.play.review();
    else this.#showToWatch();
    this.el.classList.toggle("is-my-turn", this.myTurn);
    this.el.classList.toggle("is-over", position.to_move === null);
  }

  /** For those who only watch: the news under the board, and in the name of the picture what may be taken. */
  #showToWatch() {
    const { position, hues, cells } = this;
    this.status.show(this.news());
    this.scene.element.setAttribute("aria-label", `${t("Nibble board.")} ${survey(position.view.takeable, position.view, hues, cells)}`);
    this.paint();
  }

  /** What happened last, or how it ended. */
  news() {
    const { position, hues, cells } = this;
    const { won, last } = position.view;
    if (won) return wonLine(won, position, hues, this.ctx.data);
    return last ? lastLine(last, position, hues, cells) : "";
  }

  /** Draws what follows from the choice: the blocks' states, marks, and the table. */
  paint() {
    const choice = this.play?.choice;
    const { view } = this.position;
    const chosen = choice?.cells ?? [];
    const sent = this.pending ? this.cells.cellsOf(this.pending) : [];
    const asked = choice?.colour ?? this.side.asked;
    this.stage.classList.toggle("is-choosing", chosen.length > 0);
    this.stage.classList.toggle("is-asked", chosen.length === 0 && asked !== null);
    this.scene.states((cell) => (sent.includes(cell) ? ["is-same", "is-chosen", "is-sent"] : this.#states(cell, view.cells[cell] === asked)));
    const marks = chosen.map((cell) => ({ cell, kind: "chosen" }));
    for (const cell of choice?.joining ?? []) marks.push({ cell, kind: "joins" });
    for (const cell of sent) marks.push({ cell, kind: "pending" });
    this.scene.marks(marks);
    this.#paintCursor();
    const preview = chosen.length ? { seat: this.ctx.seat, colour: choice.colour, count: chosen.length } : null;
    this.side.show(this.position, preview, (threat) => Boolean(this.play?.canWin(threat)));
  }

  #states(cell, same) {
    const choice = this.play?.choice;
    const states = same ? ["is-same"] : [];
    if (choice?.cells.includes(cell)) states.push("is-chosen");
    else if (this.free.has(cell)) states.push("is-free");
    return states;
  }

  /** Moves the cursor to a cell. */
  pointAt(cell) {
    this.cursor = cell;
    this.#paintCursor();
    this.look.reveal(this.scene.layers.cursor.firstChild);
  }

  #paintCursor() {
    const { cursor } = this;
    this.scene.cursor(cursor, cursor !== null && ["free", "joins", "chosen"].includes(this.play?.kind(cursor)));
  }

  /** Shakes its head for a block that cannot be taken. */
  refuse(cell) {
    this.scene.refuse(cell);
  }

  /** A ply in short, `a1 c5 +2`, and the colour taken: plies are described from the first on, and that is the layout. */
  describe(text) {
    if (text.startsWith("=")) {
      this.#layout = this.cells.layout(text);
      return { label: t("the layout") };
    }
    const cells = this.cells.cellsOf(text);
    const names = cells.slice(0, 3).map((cell) => this.cells.names[cell]).join(" ");
    const hue = this.hues[this.#layout[cells[0]]];
    return { label: cells.length > 3 ? `${names} +${cells.length - 3}` : names, colour: hue && `nb-${hue.key}` };
  }
}
