// Pointers on the Blockers! board: hovering, tapping, and dragging a tile from a rack, by mouse, pen or finger.

import { figure } from "./symbols.js";
import { html } from "../js/dom.js";

const SLOP = { mouse: 4, pen: 6, touch: 9 };
/** Pixels above the finger at which a dragged tile floats, so that it can be seen. */
const ABOVE_FINGER = 46;

/**
 * `actions`: `version()` of the position shown, `hover(cell)`, `leave()`, `tap(cell)`, `grab(colour, tile)` answers the colour's name
 * or `null`, `drag(cell | null)`, `drop()`, `cancel()`.
 */
export class Gestures {
  #start = null;
  #float = null;
  #swallowing = false;

  constructor({ root, scene, rack, actions, signal }) {
    Object.assign(this, { root, scene, actions });
    const board = scene.element;
    /** The version shown when the last press began. */
    this.pressedAt = null;
    const on = (target, type, listener, options = {}) => target.addEventListener(type, listener.bind(this), { signal, ...options });
    on(root, "pointerdown", () => { this.pressedAt = actions.version(); }, { capture: true });
    on(rack, "pointerdown", this.#down);
    on(document, "pointermove", this.#move);
    on(document, "pointerup", this.#up);
    on(document, "pointercancel", this.#abort);
    // Else the browser takes the end of a quick drag for a fling, and the next tap only for its stop.
    on(document, "touchmove", (event) => this.#float && event.cancelable && event.preventDefault(), { passive: false });
    on(rack, "click", this.#swallow, { capture: true });
    on(rack, "contextmenu", (event) => event.preventDefault());
    on(board, "pointermove", this.#hover);
    on(board, "pointerleave", (event) => event.pointerType !== "touch" && !this.#float && actions.leave());
    on(board, "click", this.#tap);
  }

  /** Forgets a drag under way, for instance when Esc takes the tile back. */
  stop() {
    this.#start = null;
    this.#float?.remove();
    this.#float = null;
    this.root.classList.remove("is-dragging");
  }

  #hover(event) {
    if (event.pointerType === "touch" || this.#start) return;
    const cell = this.scene.cellAt(event.clientX, event.clientY);
    if (cell === null) this.actions.leave();
    else this.actions.hover(cell);
  }

  #tap(event) {
    const cell = this.scene.cellAt(event.clientX, event.clientY);
    // A tap begun on one position says nothing about the next.
    if (cell !== null && this.pressedAt === this.actions.version()) this.actions.tap(cell);
  }

  #down(event) {
    this.#swallowing = false;
    const button = event.target.closest("[data-tile]");
    if (!button || event.button !== 0 || !event.isPrimary) return;
    const { colour, tile } = button.dataset;
    this.#start = { id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, colour: Number(colour), tile };
  }

  #move(event) {
    const start = this.#start;
    if (!start || event.pointerId !== start.id) return;
    if (!this.#float && !this.#begin(event, start)) return;
    const y = event.clientY - (start.type === "touch" ? ABOVE_FINGER : 0);
    const cell = this.scene.cellAt(event.clientX, y);
    this.#float.style.setProperty("left", `${event.clientX}px`);
    this.#float.style.setProperty("top", `${y}px`);
    this.#float.hidden = cell !== null;
    this.actions.drag(cell);
  }

  #begin(event, start) {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLOP[start.type]) return false;
    const colour = this.actions.grab(start.colour, start.tile);
    if (!colour) {
      this.#start = null;
      return false;
    }
    this.#float = html("div", { class: "bl-float", "aria-hidden": "true" }, figure(colour, start.tile));
    this.#float.style.setProperty("width", `${this.scene.pixels}px`);
    this.root.append(this.#float);
    this.root.classList.add("is-dragging");
    return true;
  }

  #up(event) {
    if (this.#start?.id !== event.pointerId) return;
    const dragging = this.#float !== null;
    this.stop();
    this.#swallowing = dragging;
    if (dragging) this.actions.drop();
  }

  #abort(event) {
    if (this.#start?.id !== event.pointerId) return;
    const dragging = this.#float !== null;
    this.stop();
    if (dragging) this.actions.cancel();
  }

  /** A drag that ends on the tile it began on is no click. */
  #swallow(event) {
    if (!this.#swallowing) return;
    this.#swallowing = false;
    event.stopPropagation();
  }
}
