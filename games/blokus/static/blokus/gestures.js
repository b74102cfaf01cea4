// Pointer, wheel and touch on the Blokus board: tells taps from drags from scrolling. Decides nothing about the game.

import { UNIT } from "./geometry.js";

const SLOP = { mouse: 4, pen: 6, touch: 9 };
/** Cells round the piece that still count as the piece under a finger. */
const HOLD = 1;

/**
 * Calls back with points [column, row] in cells from the lower left, not rounded. `actions`:
 * `holding()`, `onGhost(point, reach)`, `centre()` of the ghost, `version()` of the position shown,
 * `hover(point)`, `leave()`, `tap(point)`, `tapGhost()`, `grab(piece)`, `drag(point, outside)`, `drop()`, `cancel()`,
 * `turn(step)`, `mirror()`.
 */
export class Gestures {
  #start = null;
  #dragging = false;
  #wheel = 0;
  #swallowing = false;

  constructor({ stage, board, strip, size, actions, signal }) {
    Object.assign(this, { stage, board, strip, size, actions });
    this.pointerType = "mouse";
    /** The version shown when the last press began. */
    this.pressedAt = null;
    const on = (target, type, listener, options = {}) => target.addEventListener(type, listener.bind(this), { signal, ...options });
    on(stage, "pointerdown", this.#down);
    on(strip, "pointerdown", this.#down);
    on(document, "pointermove", this.#move);
    on(document, "pointerup", this.#up);
    on(document, "pointercancel", this.#abort);
    // Else the browser takes the end of a quick drag for a fling, and the next tap only for its stop.
    on(document, "touchmove", (event) => this.#dragging && event.cancelable && event.preventDefault(), { passive: false });
    on(stage, "pointerleave", () => !this.#start && actions.leave());
    on(stage, "wheel", this.#roll, { passive: false });
    on(stage, "contextmenu", this.#menu);
    on(strip, "contextmenu", (event) => event.preventDefault());
    on(strip, "click", this.#swallow, { capture: true });
  }

  /** Forgets a drag under way, for instance when Esc takes the piece back. */
  stop() {
    this.#start = null;
    this.#end();
  }

  #end() {
    this.#dragging = false;
    this.stage.classList.remove("is-dragging");
  }

  #point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.getScreenCTM().inverse());
    return [at.x / UNIT, this.size - at.y / UNIT];
  }

  #down(event) {
    this.pointerType = event.pointerType;
    this.pressedAt = this.actions.version();
    this.#swallowing = false;
    if (event.button !== 0 || !event.isPrimary || event.target.closest(".bk-ring")) return;
    const pick = event.target.closest(".bk-pick");
    const point = this.#point(event);
    const onGhost = !pick && this.actions.onGhost(point, event.pointerType === "touch" ? HOLD : 0);
    this.#start = {
      id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, onGhost,
      piece: pick ? Number(pick.dataset.piece) : null,
      version: this.pressedAt,
      shift: onGhost ? this.actions.centre().map((value, i) => value - point[i]) : [0, 0],
    };
    if (!pick && event.pointerType === "mouse") event.preventDefault();
  }

  #move(event) {
    const start = this.#start;
    if (!start) {
      if (event.pointerType !== "touch" && this.stage.contains(event.target) && !event.target.closest(".bk-ring")) this.actions.hover(this.#point(event));
      return;
    }
    if (event.pointerId !== start.id) return;
    if (!this.#dragging && !this.#begin(event, start)) return;
    const point = this.#point(event);
    this.actions.drag([point[0] + start.shift[0], point[1] + start.shift[1]], this.#outside(event));
  }

  /** Whether the pointer has moved far enough, and in the right direction, to be a drag. */
  #begin(event, start) {
    const dx = event.clientX - start.x;
    const dy = event.clientY - start.y;
    if (Math.hypot(dx, dy) < SLOP[start.type]) return false;
    const scrolls = this.strip.scrollWidth > this.strip.clientWidth + 1;
    if (start.piece !== null && start.type === "touch" && scrolls && Math.abs(dx) > Math.abs(dy)) return false;
    if (start.piece === null && !this.actions.holding()) return false;
    if (start.piece !== null) this.actions.grab(start.piece);
    if (start.type === "touch" && !start.onGhost) start.shift = [0, this.#fingerOffset()];
    this.#dragging = true;
    this.stage.classList.add("is-dragging");
    return true;
  }

  /** How many cells above the finger a piece floats, so that the finger does not hide it: 14 mm or so. */
  #fingerOffset() {
    return 54 / (this.board.getScreenCTM().a * UNIT);
  }

  #outside(event) {
    const box = this.stage.getBoundingClientRect();
    const reach = this.#start.shift[1] ? 60 : 16;
    return event.clientX < box.left - 16 || event.clientX > box.right + 16 || event.clientY < box.top - 16 || event.clientY > box.bottom + reach;
  }

  #up(event) {
    const start = this.#start;
    if (!start || event.pointerId !== start.id) return;
    this.#start = null;
    if (this.#dragging) {
      this.#swallowing = true;
      this.#end();
      this.actions.drop();
    } else if (start.piece === null && start.version === this.actions.version()) {
      // A tap begun on one position says nothing about the next.
      if (start.onGhost) this.actions.tapGhost();
      else this.actions.tap(this.#point(event));
    }
  }

  #abort(event) {
    if (this.#start?.id !== event.pointerId) return;
    const dragging = this.#dragging;
    this.stop();
    if (dragging) this.actions.cancel();
  }

  /** A drag that ends on the piece it began on is no click. */
  #swallow(event) {
    if (!this.#swallowing) return;
    this.#swallowing = false;
    event.stopPropagation();
  }

  #roll(event) {
    if (!this.actions.holding() || event.ctrlKey) return;
    event.preventDefault();
    this.#wheel += event.deltaMode ? event.deltaY * 30 : event.deltaY;
    if (Math.abs(this.#wheel) < 40) return;
    this.actions.turn(Math.sign(this.#wheel));
    this.#wheel = 0;
  }

  #menu(event) {
    if (!this.actions.holding() && this.pointerType !== "touch") return;
    event.preventDefault();
    if (this.pointerType === "mouse" && this.actions.holding()) this.actions.mirror();
  }
}
