// A person's play on the Blokus board: picking, turning, moving and placing a piece by pointer or keys, with a word on each.

import { Gestures } from "./gestures.js";
import { UNIT } from "./geometry.js";
import { Ring } from "./ring.js";
import { meaning } from "./keys.js";
import { held, keyLegend, noPlace, pieceName, placesOf, standing, summary, survey, turnOf } from "./words.js";
import { SECOND_TAP, Status } from "../js/board.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { keysDialog, legendButton, listenToKeys } from "../js/keys.js";

export class Play {
  #leaving = new AbortController();
  #chosen = null;
  #restedAt = 0;

  constructor(board) {
    this.board = board;
    this.hand = board.hand;
    this.shapes = board.shapes;
    this.ctx = board.ctx;
    this.#build();
    const actions = this.#actions();
    const { signal } = this.#leaving;
    this.gestures = new Gestures({
      stage: board.stage, board: board.scene.element, strip: board.tray.strip, size: this.shapes.size, actions, signal,
    });
    listenToKeys(board.el, (event) => meaning(event, actions), signal);
    this.resizing = new ResizeObserver(() => this.paintRing());
    this.resizing.observe(board.stage);
  }

  #build() {
    const { board } = this;
    this.ring = new Ring({
      back: () => this.takeBack(), left: () => this.#turn(-1), right: () => this.#turn(1), mirror: () => this.#mirror(),
      place: (event) => this.#pressed(event) && this.#place(),
    });
    this.status = new Status();
    this.legend = keysDialog(keyLegend());
    board.stage.append(this.ring.element);
    board.table.append(html("div", { class: "board-foot" }, this.status.element, legendButton(this.legend)));
    board.el.append(this.legend);
  }

  #actions() {
    return {
      holding: () => this.#holding,
      onGhost: (point, reach) => this.#onGhost(point, reach),
      centre: () => this.#centre(),
      version: () => this.board.position.version,
      hover: (point) => this.#hover(point),
      leave: () => this.#leave(),
      tap: (point) => this.#tap(point),
      tapGhost: () => this.#tapGhost(),
      grab: (piece) => this.#grab(piece),
      drag: (point, outside) => this.#drag(point, outside),
      drop: () => this.#drop(),
      cancel: () => this.takeBack(),
      turn: (step) => this.#turn(step),
      mirror: () => this.#mirror(),
      nudge: (dx, dy) => this.#nudge(dx, dy),
      letter: (letter) => this.#letter(letter),
      piece: (step) => this.#nextPiece(step),
      cycle: (step) => this.#cycle(step),
      next: (step) => this.#turnTo((orientation) => this.shapes.next(orientation, step)),
      enter: () => this.#enter(),
      escape: () => this.takeBack(),
      survey: () => this.#say(survey(this.board.colour, this.board.position.view.last, this.shapes)),
      help: () => this.legend.showModal(),
    };
  }

  destroy() {
    this.#leaving.abort();
    this.resizing.disconnect();
  }

  get #holding() {
    return this.board.active && this.hand.piece !== null;
  }

  get #name() {
    return pieceName(this.shapes.pieces[this.hand.piece]);
  }

  // --- A new position

  /** Tells the hand what is offered now, and the person what that means for a piece that rests on the board unsent. */
  review(changedColour) {
    const { board, hand } = this;
    const planned = hand.standing === "planned";
    if (changedColour || board.position.status !== "running") hand.drop();
    hand.deal(board.myTurn ? board.position.offer : null, board.colour.pieces);
    if (hand.piece === null) this.status.show(board.myTurn && board.active ? turnOf(board.colour) : "");
    if (!board.active || !hand.resting) {
      this.#choose(null);
    } else if (hand.standing === "illegal") {
      this.#say(t("{piece} does not fit there any more.", { piece: this.#name }), "bad");
      this.#explain();
    } else {
      if (planned && hand.standing === "legal") this.#tell(t("your turn"));
      this.#offerUp();
    }
  }

  // --- Taking and turning a piece

  /** A click or tap in the tray: the mouse then carries the piece; finger and keyboard find it on the board. */
  pick(piece, event) {
    if (!this.board.active) return;
    if (this.hand.piece === piece && !this.hand.resting) {
      this.takeBack();
    } else if (event.detail > 0 && this.gestures.pointerType === "mouse") {
      this.#grab(piece);
    } else {
      this.#take(piece);
    }
    this.board.focus();
  }

  /** Takes a piece off the tray, not yet over the board. */
  #grab(piece) {
    if (!this.board.active) return;
    this.hand.take(piece);
    this.#choose(null);
    this.#tell(this.#fits());
    this.board.paint();
  }

  /** Takes a piece and rests it where it fits, near the one held before. */
  #take(piece) {
    if (!this.board.active) return;
    const near = this.hand.anchor;
    this.hand.take(piece);
    this.hand.settle(near);
    this.#rested();
    this.#tell(this.#fits());
  }

  #fits() {
    const count = this.hand.count(this.hand.piece);
    return count === 0 ? noPlace() : placesOf(count);
  }

  #letter(letter) {
    const fits = ({ key, squares }) => (squares < 3 ? letter === String(squares) : key[0].toLowerCase() === letter);
    const list = this.hand.left.filter((index) => fits(this.shapes.pieces[index])).reverse();
    if (list.length) this.#take(list[(list.indexOf(this.hand.piece) + 1) % list.length]);
    else this.#say(t("No piece {letter} is left.", { letter: letter.toUpperCase() }), "bad");
  }

  #nextPiece(step) {
    const list = [...this.hand.left].reverse();
    const now = list.indexOf(this.hand.piece);
    if (list.length) this.#take(list[now < 0 ? 0 : (now + step + list.length) % list.length]);
  }

  #turn(step) {
    this.#turnTo((orientation) => (step > 0 ? this.shapes.right : this.shapes.left)[orientation]);
  }

  #mirror() {
    this.#turnTo((orientation) => this.shapes.mirrored[orientation]);
  }

  #turnTo(change) {
    if (!this.#holding) return;
    this.hand.turnTo(change(this.hand.orientation));
    if (this.hand.resting) this.#rested();
    else this.board.paint();
    this.#tell();
  }

  // --- Moving it by keys

  #nudge(dx, dy) {
    if (!this.#holding) return;
    if (this.hand.anchor) this.hand.nudge(dx, dy);
    else this.hand.settle(null);
    this.hand.resting = true;
    this.#rested();
    this.#tell();
  }

  #cycle(step) {
    if (!this.#holding) {
      this.#nextPiece(step);
      return;
    }
    const [number, of] = this.hand.cycle(step);
    if (of) {
      this.#rested();
      this.#tell(t("place {k} of {n}", { k: number, n: of }));
    } else {
      this.#say(`${this.#name}, ${this.board.myTurn ? noPlace() : standing("planned")}`, "bad");
    }
  }

  #enter() {
    if (!this.board.active) return;
    if (this.hand.piece === null) this.#say(t("Take a piece first."));
    else if (this.hand.resting) this.#place();
    else {
      if (!this.hand.anchor) this.hand.settle(null);
      this.#rest();
    }
  }

  // --- Moving it by pointer

  #centre() {
    const { width, height } = this.shapes.all[this.hand.orientation];
    return [this.hand.anchor[0] + width / 2, this.hand.anchor[1] + height / 2];
  }

  #onGhost([column, row], reach) {
    if (!this.#holding || !this.hand.resting) return false;
    return this.hand.cells.some((cell) => {
      const [x, y] = this.shapes.place(cell);
      return column > x - reach && column < x + 1 + reach && row > y - reach && row < y + 1 + reach;
    });
  }

  /** Aims so that the piece's middle lies on the point. */
  #aim([column, row]) {
    const { width, height } = this.shapes.all[this.hand.orientation];
    this.hand.free = null;
    this.hand.aim([column - width / 2, row - height / 2]);
  }

  #hover(point) {
    if (!this.#holding || this.hand.resting) return;
    this.#aim(point);
    this.board.paintHand();
  }

  #leave() {
    if (!this.#holding || this.hand.resting) return;
    this.hand.lift();
    this.board.paintHand();
  }

  #tap(point) {
    this.board.focus();
    if (!this.board.active) return;
    if (this.hand.piece === null) {
      this.#say(t("Take a piece first."));
    } else {
      // A piece that hovers is put down just where it is shown, wherever turning has shifted it.
      if (this.hand.resting || !this.hand.anchor) this.#aim(point);
      this.#rest();
    }
  }

  #tapGhost() {
    this.board.focus();
    if (performance.now() - this.#restedAt > SECOND_TAP) this.#place();
  }

  #drag(point, outside) {
    if (!this.#holding) return;
    this.hand.lift();
    if (outside) this.hand.free = point;
    else this.#aim(point);
    this.#choose(null);
    this.board.paintHand();
  }

  #drop() {
    if (!this.#holding) return;
    this.board.focus();
    if (this.hand.anchor) this.#rest();
    else this.takeBack();
  }

  // --- Choosing and sending

  /** The piece was put down by hand: says how it stands, and why if it cannot stay. */
  #rest() {
    this.hand.resting = true;
    this.#tell();
    this.#rested();
    if (this.hand.standing === "illegal") this.#explain();
  }

  #rested() {
    this.#restedAt = performance.now();
    this.#offerUp();
    this.board.paint();
  }

  #offerUp() {
    this.#choose(this.hand.standing === "legal" ? this.hand.text : null);
  }

  #choose(text) {
    if (text === this.#chosen) return;
    this.#chosen = text;
    this.ctx.choose(text, text && summary(this.hand, this.shapes));
  }

  /** Asks the server why the move would be refused, and says so if the piece still lies there. */
  async #explain() {
    this.#choose(null);
    const { text } = this.hand;
    const reason = await this.ctx.why(text);
    if (reason && this.hand.text === text && this.hand.standing === "illegal") this.#say(`${this.#name}: ${reason}`, "bad");
  }

  /** Whether a press on a button was begun on the position that is shown now; one from before was meant for another. */
  #pressed(event) {
    return event.detail === 0 || this.gestures.pressedAt === this.board.position.version;
  }

  #place() {
    if (!this.#holding || !this.hand.resting) return;
    if (this.hand.standing === "legal") {
      this.#offerUp();
      this.ctx.commit();
    } else if (this.hand.standing === "planned") {
      this.#say(t("It is not your turn yet. The piece stays here."));
    } else {
      this.#explain();
    }
  }

  /** Puts the held piece back into the tray. */
  takeBack() {
    this.gestures.stop();
    if (this.hand.piece !== null) this.#say(t("{piece} taken back.", { piece: this.#name }));
    this.hand.drop();
    this.#choose(null);
    this.board.paint();
  }

  // --- Saying and showing

  /** Shows a line under the board and speaks it, or the longer `spoken` in its place. */
  #say(text, mood = "", spoken = text) {
    this.status.show(text, mood);
    this.ctx.say(spoken);
  }

  /** Says what is held and how it stands: shortly on the screen, cell by cell aloud. */
  #tell(...more) {
    const { hand, shapes } = this;
    const mood = { legal: "good", illegal: "bad" }[hand.standing] ?? "";
    const line = (...parts) => parts.filter(Boolean).join(", ");
    this.#say(line(this.#name, hand.standing && standing(hand.standing), ...more), mood, line(held(hand, shapes), ...more));
  }

  paintRing() {
    const { hand, shapes, board } = this;
    if (!this.#holding || !hand.resting) {
      this.ring.hide();
      return;
    }
    const matrix = board.scene.element.getScreenCTM();
    const box = board.stage.getBoundingClientRect();
    const [column, row] = this.#centre();
    const at = new DOMPoint(column * UNIT, (shapes.size - row) * UNIT).matrixTransform(matrix);
    const { width, height } = shapes.all[hand.orientation];
    const half = (Math.hypot(width, height) / 2) * UNIT * matrix.a;
    const room = { left: 2, top: 2, right: box.width - 2, bottom: box.height - 2 };
    this.ring.show([at.x - box.left, at.y - box.top], half, room, hand.standing);
  }
}
