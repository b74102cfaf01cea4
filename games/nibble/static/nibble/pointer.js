// Pointer and touch on the Nibble board: tells taps from drags from scrolling, and magnifies under a resting finger.

const SLOP = { mouse: 4, pen: 6, touch: 9 };
/** Milliseconds a finger rests before the magnifier opens. */
const REST = 200;
/** Distances between blocks: a finger this near to a block that may be taken means it, rather than its neighbour that may not. */
const NEAR = 0.62;

/**
 * Calls back with cells. `actions`: `wanted(cell)` whether the cell may be taken or joins, `tap(cell)`,
 * `run(cells)` for blocks dragged through, which tells whether the last one is part of it, `hover(cell | null)`.
 */
export class Pointer {
  #press = null;
  #timer = null;

  constructor({ stage, board, cells, loupe, actions, signal }) {
    Object.assign(this, { stage, board, cells, loupe, actions });
    const on = (target, type, listener, options = {}) => target.addEventListener(type, listener.bind(this), { signal, ...options });
    on(stage, "pointerdown", this.#down);
    on(document, "pointermove", this.#move);
    on(document, "pointerup", this.#up);
    on(document, "pointercancel", this.stop);
    on(document, "touchmove", (event) => this.#press?.holding && event.cancelable && event.preventDefault(), { passive: false });
    on(document, "keydown", () => stage.classList.remove("is-pointed"), { capture: true });
    on(stage, "pointerleave", () => actions.hover(null));
    on(stage, "contextmenu", (event) => this.#press?.type === "touch" && event.preventDefault());
  }

  /** Forgets a press under way. */
  stop() {
    clearTimeout(this.#timer);
    this.#press = null;
    this.loupe.hide();
  }

  #point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /** The cell meant by a point; a finger is met halfway. */
  #cell([x, y], type) {
    const cell = this.cells.under(x, y);
    if (type !== "touch" || cell === null || this.actions.wanted(cell)) return cell;
    return this.cells.under(x, y, NEAR, this.actions.wanted) ?? cell;
  }

  #down(event) {
    // The marks of the keyboard give way while a pointer is used.
    this.stage.classList.add("is-pointed");
    if (event.button !== 0 || !event.isPrimary || event.target.closest("button")) return;
    const point = this.#point(event);
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, from: this.#cell(point, event.pointerType), run: [], holding: false };
    if (event.pointerType === "touch") this.#timer = setTimeout(() => this.#hold(event), REST);
  }

  #hold(event) {
    if (!this.#press) return;
    this.#press.holding = true;
    this.#magnify(event);
  }

  #magnify(event) {
    const point = this.#point(event);
    this.loupe.show(point, [event.clientX, event.clientY], this.#cell(point, "touch"));
  }

  #move(event) {
    const press = this.#press;
    if (!press) {
      if (event.pointerType === "mouse" && this.stage.contains(event.target)) this.actions.hover(this.#cell(this.#point(event), "mouse"));
      return;
    }
    if (event.pointerId !== press.id) return;
    const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP[press.type];
    if (press.type === "touch" && !press.holding) {
      if (moved) this.stop();
      return;
    }
    if (press.holding) this.#magnify(event);
    if (moved || press.moved) this.#drag(press, this.#cell(this.#point(event), press.type));
  }

  #drag(press, cell) {
    press.moved = true;
    press.at = cell;
    if (cell === null || press.from === null || cell === press.from || press.run.includes(cell)) return;
    const run = press.run.length ? [...press.run, cell] : [press.from, cell];
    if (this.actions.run(run)) press.run = run;
  }

  #up(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    this.stop();
    if (press.run.length) return;
    const cell = press.moved && press.holding ? press.at : press.from;
    const stayed = !press.moved || press.holding || press.at === press.from;
    if (cell !== null && cell !== undefined && stayed) this.actions.tap(cell);
  }
}
