// A person's play on the Blockers! board: taking a tile, aiming and playing it by pointer or keys, with a word on each.

import { Gestures } from "./gestures.js";
import { SIZE, place } from "./geometry.js";
import { meaning } from "./keys.js";
import { Line } from "./status.js";
import { colouredTile, effects, effectsHeard, keyLegend, laneOf, placesOf, played, standing, summary, survey } from "./words.js";
import { SECOND_TAP } from "../js/board.js";
import { t } from "../js/i18n.js";
import { keysDialog, legendButton, listenToKeys } from "../js/keys.js";

/** How long a pointer rests on a square before the server is asked why a tile may not go there. Milliseconds. */
const ASK_AFTER = 300;

export class Play {
  #leaving = new AbortController();
  #chosen = null;
  #restedAt = 0;
  #asking = null;
  /** Reasons the server has given for the position shown, by the text of the move. */
  #reasons = new Map();

  constructor(board) {
    this.board = board;
    this.hand = board.hand;
    this.grid = board.grid;
    this.ctx = board.ctx;
    /** The cell the arrow keys have reached. */
    this.cursor = null;
    this.status = new Line();
    this.legend = keysDialog(keyLegend());
    board.foot.append(legendButton(this.legend));
    board.table.append(this.status.element);
    board.el.append(this.legend);
    const actions = this.#actions();
    const { signal } = this.#leaving;
    this.gestures = new Gestures({ root: board.el, scene: board.scene, rack: board.racks.element, actions, signal });
    listenToKeys(board.el, (event) => meaning(event, actions), signal);
  }

  #actions() {
    return {
      version: () => this.board.position.version,
      hover: (cell) => this.#hover(cell),
      leave: () => this.#leave(),
      tap: (cell) => this.#tap(cell),
      grab: (colour, tile) => this.#grab(colour, tile),
      drag: (cell) => this.#drag(cell),
      drop: () => this.#drop(),
      cancel: () => this.takeBack(),
      move: (dx, dy) => this.#move(dx, dy),
      character: (key) => this.#character(key),
      next: (step) => this.#next(step),
      cycle: (step) => this.#cycle(step),
      enter: () => this.#enter(),
      escape: () => this.takeBack(),
      read: () => this.#read(),
      standings: () => this.ctx.say(survey(this.#view, (seat) => this.board.panel.ownerName(seat))),
      last: () => this.ctx.say(this.#view.last ? played(this.#view.last, this.grid) : t("Nothing has been played yet.")),
      help: () => this.legend.showModal(),
    };
  }

  destroy() {
    clearTimeout(this.#asking);
    this.#leaving.abort();
  }

  get #view() {
    return this.board.position.view;
  }

  get #holding() {
    return this.board.active && this.hand.holding;
  }

  get #name() {
    return colouredTile(this.grid.colours[this.hand.colour], this.hand.tile);
  }

  /** What is held, where it goes, and in how many places. */
  get #held() {
    const places = this.hand.offered ? placesOf(this.hand.moves().length) : t("not your turn yet");
    return [this.#name, laneOf(this.hand.tile), places].join(", ");
  }

  // --- A new position

  /** Tells the hand what is offered now, and the person what that means for a tile that lies on the board unsent. */
  review() {
    const { board, hand } = this;
    const planned = hand.standing === "planned";
    this.#reasons.clear();
    if (board.position.status !== "running") hand.drop();
    hand.deal(board.myTurn ? board.position.offer : null, board.racksOf(this.ctx.seat));
    if (!hand.holding) this.status.text(board.myTurn && board.active ? t("Take a tile from your rack.") : "");
    else if (!hand.aimed) this.status.text(this.#held);
    if (!board.active || !hand.aimed || !hand.resting) {
      this.#choose(null);
    } else if (hand.standing === "illegal") {
      hand.resting = false;
      this.#explain();
    } else {
      if (planned && hand.standing === "legal") this.#tell(t("your turn"));
      this.#offerUp();
    }
  }

  // --- Taking a tile

  /** A click or tap on the rack; the same tile again puts it back. */
  pick(colour, tile) {
    if (!this.board.active) return;
    if (this.hand.colour === colour && this.hand.tile === tile) this.takeBack();
    else this.#take(colour, tile);
    this.board.focus();
  }

  #take(colour, tile) {
    if (!this.board.active) return;
    this.hand.take(colour, tile);
    this.#choose(null);
    this.cursor = null;
    this.#say(this.#held);
    this.board.paint();
  }

  /** Takes a tile to drag it; answers with the name of its colour. */
  #grab(colour, tile) {
    if (!this.board.active) return null;
    this.#take(colour, tile);
    return this.grid.colours[colour];
  }

  #character(key) {
    const list = this.hand.all.filter(([, tile]) => tile.toLowerCase() === key);
    const now = list.findIndex(([colour, tile]) => colour === this.hand.colour && tile === this.hand.tile);
    if (list.length) this.#take(...list[(now + 1) % list.length]);
    else this.#say(t("There is no {key} on your rack.", { key: key.toUpperCase() }), "bad");
  }

  #next(step) {
    const list = this.hand.all;
    if (!list.length) return;
    const now = list.findIndex(([colour, tile]) => colour === this.hand.colour && tile === this.hand.tile);
    this.#take(...list[now < 0 ? (step > 0 ? 0 : list.length - 1) : (now + step + list.length) % list.length]);
  }

  // --- By keys

  #goTo(cell) {
    this.cursor = cell;
    if (this.#holding) {
      this.hand.aim(cell);
      this.#choose(null);
      this.#tell();
    } else {
      this.#read();
    }
    this.board.paintHand();
  }

  #move(dx, dy) {
    const from = this.cursor ?? this.hand.cell;
    if (from === null) return this.#goTo(this.#view.last?.cell ?? (SIZE * SIZE - 1) / 2);
    const within = (value) => Math.max(0, Math.min(SIZE - 1, value));
    const [x, y] = place(from);
    return this.#goTo(within(y + dy) * SIZE + within(x + dx));
  }

  #cycle(step) {
    if (!this.#holding) return this.#say(t("Take a tile first."));
    const cell = this.hand.next(this.hand.cell ?? (step > 0 ? -1 : SIZE * SIZE), step);
    if (cell === null) return this.#say(`${this.#name}: ${this.hand.offered ? placesOf(0) : t("not your turn yet")}`, "bad");
    return this.#goTo(cell);
  }

  #enter() {
    if (!this.board.active) return;
    if (!this.#holding) this.#say(t("Take a tile first."));
    else if (!this.hand.aimed) this.#cycle(1);
    else if (this.hand.resting) this.#commit();
    else this.#rest();
  }

  #read() {
    const cell = this.cursor ?? this.hand.cell ?? this.#view.last?.cell;
    if (cell === undefined || cell === null) return;
    this.#say(this.#describe(cell));
    this.board.point(cell);
  }

  #describe(cell) {
    return `${this.grid.name(cell)}, ${this.board.whatLies(cell)}`;
  }

  // --- By pointer

  #hover(cell) {
    if (this.board.hovered === cell) return;
    this.board.hovered = cell;
    this.board.point(cell);
    if (this.#holding && !this.hand.resting) {
      this.hand.aim(cell);
      this.cursor = null;
      this.#preview();
      this.#askSoon();
      this.board.paintHand();
    } else if (!this.hand.holding) {
      this.board.racks.raise(this.hand.onto(cell));
    }
  }

  #leave() {
    this.board.hovered = null;
    clearTimeout(this.#asking);
    this.board.racks.raise([]);
    if (!this.#holding || this.hand.resting || this.cursor !== null) return;
    this.hand.lift();
    this.#preview();
    this.board.paintHand();
  }

  #tap(cell) {
    this.board.focus();
    this.board.point(cell);
    this.cursor = null;
    if (!this.board.active) return;
    if (!this.hand.holding) {
      const fitting = this.hand.onto(cell);
      this.board.racks.raise(fitting);
      this.#say(fitting.length ? t("{cell}. Fits here: {tiles}.", { cell: this.#describe(cell), tiles: fitting.map((one) => colouredTile(this.grid.colours[one.colour], one.tile)).join(", ") })
        : t("{cell}. Take a tile first.", { cell: this.#describe(cell) }));
    } else if (this.hand.resting && this.hand.cell === cell) {
      if (performance.now() - this.#restedAt > SECOND_TAP) this.#commit();
    } else {
      this.hand.aim(cell);
      this.#rest();
    }
  }

  #drag(cell) {
    if (!this.#holding) return;
    if (this.hand.cell === cell) return;
    this.hand.aim(cell);
    this.#preview();
    this.board.paintHand();
  }

  #drop() {
    if (!this.#holding) return;
    this.board.focus();
    if (this.hand.aimed) this.#rest();
    else this.takeBack();
  }

  // --- Choosing and sending

  /** The tile was put down by hand: offers the move up, or says why it cannot stay. */
  #rest() {
    const { hand } = this;
    hand.resting = hand.standing !== "illegal";
    this.#restedAt = performance.now();
    if (hand.resting) {
      this.#tell(hand.entry && t("Enter again to play it"));
      this.#offerUp();
    } else {
      this.#explain();
    }
    this.board.paint();
  }

  #offerUp() {
    this.#choose(this.hand.entry);
  }

  #choose(entry) {
    const text = entry?.move ?? null;
    if (text === this.#chosen) return;
    this.#chosen = text;
    this.ctx.choose(text, entry && summary(entry, this.grid));
  }

  #commit() {
    if (this.hand.standing === "legal") this.ctx.commit();
    else this.#say(t("It is not your turn yet. The tile stays here."));
  }

  /** Puts the held tile back on the rack. */
  takeBack() {
    this.gestures.stop();
    this.cursor = null;
    if (this.hand.holding) this.#say(t("{tile} taken back.", { tile: this.#name }));
    this.hand.drop();
    this.#choose(null);
    this.board.paint();
  }

  // --- Reasons

  /** Asks why once the pointer has rested on a square the tile points at. */
  #askSoon() {
    clearTimeout(this.#asking);
    if (this.hand.standing !== "illegal" || !this.grid.points(this.hand.tile, this.hand.cell)) return;
    this.#asking = setTimeout(() => this.#explain({ spoken: false }), ASK_AFTER);
  }

  /** Says why the move aimed at would be refused, in the server's words, if it is still aimed at when they come. */
  async #explain({ spoken = true } = {}) {
    clearTimeout(this.#asking);
    this.#choose(null);
    // Out of turn nothing is asked: what the tile points at stands on it.
    if (!this.hand.offered) return spoken ? this.#tell() : undefined;
    const { text } = this.hand;
    const { version } = this.board.position;
    const reason = this.#reasons.get(text) ?? await this.ctx.why(text);
    if (!reason || version !== this.board.position.version) return undefined;
    this.#reasons.set(text, reason);
    if (this.hand.text !== text || this.hand.standing !== "illegal") return undefined;
    this.status.text(`${this.#name}: ${reason}`, "bad");
    if (spoken) this.ctx.say(reason);
    return this.board.shineHand();
  }

  // --- Saying and showing

  #say(text, mood = "") {
    this.status.text(text, mood);
    this.ctx.say(text);
  }

  get #effects() {
    const { entry } = this.hand;
    const taken = entry.captures ? this.#view.captured[this.ctx.seat].by_colour[entry.captures.colour] : 0;
    return effects(entry, this.grid.colours, taken);
  }

  /** Shows, without speaking, what the tile would do where it is aimed. */
  #preview() {
    const { hand } = this;
    if (hand.entry) this.status.effects(`${this.grid.name(hand.cell)} `, this.#effects);
    else if (!hand.aimed) this.status.text(this.#held);
    else if (!this.grid.points(hand.tile, hand.cell)) this.status.text(`${this.#name} ${laneOf(hand.tile)}`, "bad");
    else this.status.text(`${this.#describe(hand.cell)}: ${standing(hand.standing)}`, hand.standing === "illegal" ? "bad" : "");
  }

  /** The same, spoken too. */
  #tell(...more) {
    const { hand } = this;
    this.#preview();
    const parts = [this.#describe(hand.cell), standing(hand.standing), hand.entry && effectsHeard(this.#effects), ...more];
    this.ctx.say(parts.filter(Boolean).join(", "));
  }
}
