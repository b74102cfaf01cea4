// The Blokus board: shows positions, lets the person hold, turn and place a piece, and hands the chosen move on.

import { Gestures } from "./gestures.js";
import { Shapes, UNIT } from "./geometry.js";
import { Ghost } from "./ghost.js";
import { Hand } from "./hand.js";
import { Ring } from "./ring.js";
import { Scene, html } from "./draw.js";
import { OtherTrays, Tray } from "./tray.js";
import { legend, listen } from "./keys.js";
import { colourName, held, noPlace, pieceName, placesOf, standing, summary } from "./words.js";
import { t } from "../js/i18n.js";

/** A second tap sooner than this after the first is a double click, not a decision. */
const SECOND_TAP = 350;

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export function mount(el, ctx) {
  const board = new BlokusBoard(el, ctx);
  return {
    show: (position, options) => board.show(position, options),
    clear: () => board.clear(),
    describe: (text, view) => board.describe(text, view),
    focus: () => board.focus(),
    destroy: () => board.destroy(),
  };
}

class BlokusBoard {
  #leaving = new AbortController();
  #free = null;
  #chosen = null;
  #restedAt = 0;
  #pending = null;

  constructor(el, ctx) {
    this.el = el;
    this.ctx = ctx;
    this.shapes = new Shapes(ctx.data);
    this.hand = new Hand(this.shapes);
    this.position = null;
    this.#build();
    if (ctx.interactive) this.#listen();
  }

  #build() {
    const { shapes, ctx } = this;
    this.scene = new Scene(ctx.data, shapes, ctx.interactive ? t("Blokus board. Press question mark for the keys.") : t("Blokus board"));
    this.ghost = new Ghost(this.scene.layers.ghost, shapes);
    this.tray = new Tray(shapes, { interactive: ctx.interactive, onPick: (piece, event) => this.#pick(piece, event) });
    this.others = new OtherTrays(shapes);
    this.ring = new Ring({
      back: () => this.#takeBack(), left: () => this.turn(-1), right: () => this.turn(1),
      mirror: () => this.mirror(), place: () => this.#place(),
    });
    this.status = html("p", { class: "bk-status" });
    this.legend = legend();
    const keys = html("button", { type: "button", class: "bk-keys", title: t("Keys"), "aria-label": t("Keys"), onclick: () => this.legend.showModal() }, "?");
    this.stage = html("div", { class: "bk-stage" }, this.scene.element, this.ring.element);
    const foot = html("div", { class: "bk-foot" }, this.status, ...(ctx.interactive ? [keys] : []));
    this.el.classList.toggle("is-interactive", ctx.interactive);
    this.el.replaceChildren(html("div", { class: "bk-table" }, this.stage, foot),
      html("div", { class: "bk-trays" }, this.tray.element, this.others.element), this.legend);
  }

  #listen() {
    const { signal } = this.#leaving;
    const actions = {
      holding: () => this.active && this.hand.piece !== null,
      onGhost: (point, reach) => this.#onGhost(point, reach),
      centre: () => this.#centre(),
      version: () => this.position?.version,
      hover: (point) => this.#hover(point),
      leave: () => this.#leave(),
      tap: (point) => this.#tap(point),
      tapGhost: () => this.#tapGhost(),
      grab: (piece) => this.#grab(piece),
      drag: (point, outside) => this.#drag(point, outside),
      drop: () => this.#drop(),
      cancel: () => this.#takeBack(),
      turn: (step) => this.turn(step),
      mirror: () => this.mirror(),
      nudge: (dx, dy) => this.#nudge(dx, dy),
      letter: (letter) => this.#letter(letter),
      piece: (step) => this.#nextPiece(step),
      cycle: (step) => this.#cycle(step),
      next: (step) => this.#turnTo((orientation) => this.shapes.next(orientation, step)),
      enter: () => this.#enter(),
      escape: () => this.#takeBack(),
      help: () => this.legend.showModal(),
    };
    this.gestures = new Gestures({
      stage: this.stage, board: this.scene.element, strip: this.tray.strip, size: this.shapes.size, actions, signal,
    });
    listen(this.el, actions, signal);
    this.resizing = new ResizeObserver(() => this.#paintRing());
    this.resizing.observe(this.stage);
  }

  destroy() {
    this.#leaving.abort();
    this.resizing?.disconnect();
    this.el.replaceChildren();
  }

  focus() {
    this.scene.element.focus({ preventScroll: true });
  }

  // --- Positions

  /** Shows a position; `pending` is the text of a move that was sent and is not yet answered. */
  show(position, { animate = false, pending = null } = {}) {
    const { view } = position;
    const before = this.position?.view;
    const arrived = view.last && before && view.cells !== before.cells;
    this.position = position;
    this.#pending = pending;
    this.myTurn = this.ctx.interactive && position.status === "running" && position.to_move === this.ctx.seat && position.offer !== null;
    this.active = this.ctx.interactive && position.status === "running" && pending === null;
    this.scene.pieces(view, animate && arrived ? view.last.cells : null);
    this.scene.last(view.last);
    this.#deal(view);
    this.scene.pending(this.colour.key, pending && this.shapes.cellsOf(pending));
    this.scene.dots(this.colour.key, this.myTurn && this.active ? this.colour.corners : []);
    this.#review();
    this.#paint();
  }

  /** Chooses the colour whose pieces lie in the tray, and tells the hand what is offered. */
  #deal(view) {
    const wasPlanned = this.hand.standing === "planned";
    const colour = view.colours[this.#trayColour(view)];
    if (this.colour && this.colour.key !== colour.key) this.hand.drop();
    this.colour = colour;
    this.hand.deal(this.myTurn ? this.position.offer : null, colour.pieces);
    if (this.position.status !== "running") this.hand.drop();
    this.planned = wasPlanned;
  }

  /** The colour to move; for a person who waits, the next colour of their own. */
  #trayColour(view) {
    const { colours, colour } = view;
    if (!this.ctx.interactive || this.myTurn) return colour ?? Math.max(0, colours.findIndex((c) => c.seat === this.ctx.seat));
    const count = colours.length;
    const order = Array.from({ length: count }, (_, i) => ((colour ?? -1) + 1 + i) % count);
    const own = order.filter((i) => colours[i].seat === this.ctx.seat);
    return own.find((i) => !colours[i].out) ?? own[0] ?? 0;
  }

  /** What a new position means for a piece that rests on the board and was not sent. */
  #review() {
    if (!this.active || !this.hand.resting) return this.#choose(null);
    if (this.hand.standing === "illegal") {
      this.#say(t("{piece} no longer fits there.", { piece: this.#heldName() }), "bad");
      return this.#explain();
    }
    if (this.planned && this.hand.standing === "legal") this.#tell(t("your turn"));
    return this.#offerUp();
  }

  /** A ply in short, `F5 c16`, and the colour that played it according to a view of the position after it or later. */
  describe(text, view) {
    const cells = this.shapes.cellsOf(text);
    const letter = view.cells[cells[0]];
    return {
      label: `${pieceName(this.shapes.pieces[this.shapes.pieceOn(cells)])} ${this.shapes.name(Math.min(...cells))}`,
      colour: this.ctx.data.colours.find((key) => key[0] === letter),
    };
  }

  // --- Holding a piece

  #heldName() {
    return pieceName(this.shapes.pieces[this.hand.piece]);
  }

  /** A click or tap in the tray: the mouse carries the piece; finger and keyboard find it on the board. */
  #pick(piece, event) {
    if (!this.active) return;
    if (this.hand.piece === piece && !this.hand.resting) return this.#takeBack();
    const byMouse = event.detail > 0 && this.gestures.pointerType === "mouse";
    const near = this.hand.anchor;
    this.hand.take(piece);
    if (byMouse) {
      this.#choose(null);
      this.#tell(this.#fits());
      this.#paint();
    } else {
      this.hand.settle(near);
      this.#settled();
    }
    this.focus();
  }

  #grab(piece) {
    if (!this.active) return;
    this.hand.take(piece);
    this.#choose(null);
    this.#tell(this.#fits());
  }

  #fits() {
    const count = this.hand.count(this.hand.piece);
    return count === 0 ? noPlace() : placesOf(count);
  }

  #letter(letter) {
    const fits = ({ key, squares }) => (squares < 3 ? letter === String(squares) : key[0].toLowerCase() === letter);
    const list = this.hand.left.filter((index) => fits(this.shapes.pieces[index])).reverse();
    if (!list.length) return this.#say(t("No piece {letter} is left.", { letter: letter.toUpperCase() }), "bad");
    return this.#take(list[(list.indexOf(this.hand.piece) + 1) % list.length]);
  }

  #nextPiece(step) {
    const list = [...this.hand.left].reverse();
    if (!list.length) return;
    const now = list.indexOf(this.hand.piece);
    this.#take(list[now < 0 ? 0 : (now + step + list.length) % list.length]);
  }

  #take(piece) {
    if (!this.active) return;
    const near = this.hand.anchor;
    this.hand.take(piece);
    this.hand.settle(near);
    this.#settled(false);
    this.#tell(this.#fits());
  }

  turn(step) {
    this.#turnTo((orientation) => (step > 0 ? this.shapes.right : this.shapes.left)[orientation]);
  }

  mirror() {
    this.#turnTo((orientation) => this.shapes.mirrored[orientation]);
  }

  #turnTo(change) {
    if (!this.active || this.hand.piece === null) return;
    this.hand.turnTo(change(this.hand.orientation));
    if (this.hand.resting) this.#settled(false);
    else this.#paint();
    this.#tell();
  }

  #nudge(dx, dy) {
    if (!this.active || this.hand.piece === null) return;
    if (this.hand.anchor) this.hand.nudge(dx, dy);
    else this.hand.settle(null);
    this.hand.resting = true;
    this.#settled(false);
    this.#tell();
  }

  #cycle(step) {
    if (!this.active) return;
    if (this.hand.piece === null) return this.#nextPiece(step);
    const [number, of] = this.hand.cycle(step);
    if (!of) return this.#say(`${this.#heldName()}, ${this.myTurn ? noPlace() : standing("planned")}`, "bad");
    this.#settled(false);
    return this.#tell(t("place {k} of {n}", { k: number, n: of }));
  }

  // --- Pointer

  #centre() {
    const { width, height } = this.shapes.all[this.hand.orientation];
    return [this.hand.anchor[0] + width / 2, this.hand.anchor[1] + height / 2];
  }

  #onGhost([column, row], reach) {
    if (!this.active || !this.hand.resting) return false;
    return this.hand.cells.some((cell) => {
      const [x, y] = this.shapes.place(cell);
      return column > x - reach && column < x + 1 + reach && row > y - reach && row < y + 1 + reach;
    });
  }

  /** Aims so that the piece's middle lies on the point. */
  #aim([column, row]) {
    const { width, height } = this.shapes.all[this.hand.orientation];
    this.hand.aim([column - width / 2, row - height / 2]);
  }

  #hover(point) {
    if (!this.active || this.hand.piece === null || this.hand.resting) return;
    this.#free = null;
    this.#aim(point);
    this.#paint();
  }

  #leave() {
    if (this.hand.piece === null || this.hand.resting) return;
    this.hand.lift();
    this.#paint();
  }

  #tap(point) {
    this.focus();
    if (!this.active) return;
    if (this.hand.piece === null) return this.#say(t("Take a piece first."));
    this.#aim(point);
    this.hand.resting = true;
    return this.#settled();
  }

  #tapGhost() {
    this.focus();
    if (performance.now() - this.#restedAt > SECOND_TAP) this.#place();
  }

  #drag(point, outside) {
    if (!this.active || this.hand.piece === null) return;
    this.hand.resting = false;
    this.#free = outside ? point : null;
    if (outside) this.hand.anchor = null;
    else this.#aim(point);
    this.#choose(null);
    this.#paint();
  }

  #drop() {
    const outside = this.#free !== null;
    this.#free = null;
    if (!this.active || this.hand.piece === null) return this.#paint();
    if (outside || !this.hand.anchor) return this.#takeBack();
    this.hand.resting = true;
    this.focus();
    return this.#settled();
  }

  // --- Choosing and sending

  /** The piece has come to rest: offers the move up, or says why it cannot be played (aloud only if `talk`). */
  #settled(talk = true) {
    this.#restedAt = performance.now();
    if (talk) this.#tell();
    if (this.hand.standing === "illegal" && talk) this.#explain();
    else this.#offerUp();
    this.#paint();
  }

  #offerUp() {
    this.#choose(this.hand.standing === "legal" ? this.hand.text : null);
  }

  #choose(text) {
    if (text === this.#chosen) return;
    this.#chosen = text;
    this.ctx.choose?.(text, text && summary(this.hand, this.shapes));
  }

  /** Asks the server why the move would be refused, and says so if the piece still lies there. */
  async #explain() {
    this.#choose(null);
    const { text } = this.hand;
    const reason = await this.ctx.why?.(text);
    if (reason && this.hand.text === text && this.hand.standing === "illegal") this.#say(`${this.#heldName()}: ${reason}`, "bad");
  }

  #enter() {
    if (!this.active) return;
    if (this.hand.piece === null) return this.#say(t("Take a piece first."));
    if (!this.hand.resting) {
      if (!this.hand.anchor) this.hand.settle(null);
      this.hand.resting = true;
      return this.#settled();
    }
    return this.#place();
  }

  #place() {
    if (!this.active || !this.hand.resting) return;
    if (this.hand.standing === "legal") {
      this.#offerUp();
      this.ctx.commit?.();
    } else if (this.hand.standing === "planned") this.#say(t("It is not your turn yet. The piece stays here."));
    else this.#explain();
  }

  /** Withdraws the piece from the board, as asked from outside. */
  clear() {
    this.#takeBack();
  }

  #takeBack() {
    this.gestures?.stop();
    this.#free = null;
    if (this.hand.piece !== null) this.#say(t("{piece} taken back.", { piece: this.#heldName() }));
    this.hand.drop();
    this.#choose(null);
    this.#paint();
  }

  // --- Painting

  /** Shows a line under the board and speaks it, or the longer `spoken` in its place. */
  #say(text, mood = "", spoken = text) {
    this.status.textContent = text;
    this.status.className = `bk-status${mood ? ` is-${mood}` : ""}`;
    this.ctx.say?.(spoken);
  }

  /** Says what is held and how it stands: shortly on the screen, cell by cell aloud. */
  #tell(...more) {
    const { hand, shapes } = this;
    const mood = { legal: "good", illegal: "bad" }[hand.standing] ?? "";
    const line = (...parts) => parts.filter(Boolean).join(", ");
    this.#say(line(this.#heldName(), hand.standing && standing(hand.standing), ...more), mood, line(held(hand, shapes), ...more));
  }

  #paint() {
    const { hand, colour } = this;
    const view = this.position.view;
    this.tray.show(colour, hand, this.ctx.interactive && (colour.seat === this.ctx.seat || this.myTurn));
    if (this.shownOthers !== view) this.others.show(view.colours.filter((other) => other.key !== colour.key));
    this.shownOthers = view;
    const visible = this.#pending === null && hand.piece !== null && (hand.anchor || this.#free);
    if (visible) this.ghost.show(hand, colour.key, this.#free);
    else this.ghost.hide();
    this.stage.classList.toggle("is-holding", this.active && hand.piece !== null);
    this.el.classList.toggle("is-my-turn", Boolean(this.myTurn));
    this.el.dataset.colour = colourName(colour.key) && colour.key;
    this.#paintRing();
  }

  #paintRing() {
    if (!this.hand.resting || !this.active) return this.ring.hide();
    const matrix = this.scene.element.getScreenCTM();
    const box = this.stage.getBoundingClientRect();
    const [column, row] = this.#centre();
    const at = new DOMPoint(column * UNIT, (this.shapes.size - row) * UNIT).matrixTransform(matrix);
    const { width, height } = this.shapes.all[this.hand.orientation];
    const half = (Math.hypot(width, height) / 2) * UNIT * matrix.a;
    const room = { left: 2, top: 2, right: box.width - 2, bottom: box.height - 2 };
    return this.ring.show([at.x - box.left, at.y - box.top], half, room, this.hand.standing);
  }
}
