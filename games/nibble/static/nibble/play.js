// A person's play on the Nibble board: choosing blocks by pointer or keys, with a word on each, and why one cannot be taken.

import { Choice } from "./choice.js";
import { Loupe } from "./loupe.js";
import { Pointer } from "./pointer.js";
import { meaning } from "./keys.js";
import { blockName, chosenLine, notYourTurn, standing, summary, survey, threatLine, turnHint } from "./words.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { listenToKeys } from "../js/keys.js";

/** Milliseconds the cursor rests on a block before it is asked why that one cannot be taken. */
const REST = 350;

export class Play {
  #leaving = new AbortController();
  #chosen = null;
  #asking = null;
  #resting = null;

  constructor(board) {
    this.board = board;
    this.ctx = board.ctx;
    this.cells = board.cells;
    this.choice = new Choice();
    this.loupe = new Loupe(board.cells, board.scene.paths.ring, board.scene.id);
    this.mostButton = html("button", { type: "button", class: "nb-most", hidden: true, onclick: () => this.#most() });
    board.el.append(this.loupe.element);
    const { signal } = this.#leaving;
    this.pointer = new Pointer({
      stage: board.stage, board: board.scene.element, cells: board.cells, loupe: this.loupe, signal,
      actions: {
        wanted: (cell) => this.#wanted(cell),
        tap: (cell) => this.#tap(cell),
        run: (cells) => this.#run(cells),
        hover: (cell) => this.#hover(cell),
      },
    });
    const actions = this.#keys();
    listenToKeys(board.el, (event) => meaning(event, actions), signal);
    board.scene.element.addEventListener("blur", () => this.#restAt(null), { signal });
  }

  #keys() {
    return {
      move: (direction) => this.#move(direction),
      next: (step) => this.#next(step),
      toggle: () => this.#toggleAtCursor(),
      most: () => this.#most(),
      enter: () => this.#enter(),
      escape: () => this.takeBack(),
      survey: () => this.#say(survey(this.board.free, this.#view, this.board.hues, this.cells)),
      warnings: () => this.#say(this.#warnings()),
      help: () => this.board.legend.showModal(),
    };
  }

  destroy() {
    this.#leaving.abort();
    this.pointer.stop();
    this.#restAt(null);
  }

  get #view() {
    return this.board.position.view;
  }

  #hue(cell) {
    return this.board.hues[this.#view.cells[cell]];
  }

  #letter(cell) {
    return this.#view.cells[cell];
  }

  #isBlock(cell) {
    return this.#letter(cell) !== ".";
  }

  // --- A new position

  /** Tells the choice what is offered now; what was chosen stays as far as it can. */
  review() {
    const { board } = this;
    this.choice.deal(board.myTurn ? board.position.offer : null);
    this.#asking = null;
    if (!board.active) this.choice.clear();
    if (this.choice.cells.length === 0) board.status.show(board.myTurn && board.active ? turnHint() : board.news());
    this.#offerUp();
  }

  // --- What a block is

  /** How a cell stands: `empty`, `chosen`, `joins`, `free` or `fixed`. */
  kind(cell) {
    if (!this.#isBlock(cell)) return "empty";
    if (this.choice.cells.includes(cell)) return "chosen";
    if (this.choice.joins(cell, this.#letter(cell))) return "joins";
    return this.board.free.has(cell) ? "free" : "fixed";
  }

  /** Whether a tap on the cell would do something. */
  #wanted(cell) {
    return this.board.active && this.#isBlock(cell) && (this.choice.cells.includes(cell) || this.board.free.has(cell));
  }

  // --- Choosing

  #tap(cell) {
    this.board.focus();
    this.board.pointAt(cell);
    this.#toggle(cell);
  }

  #toggle(cell) {
    if (!this.board.active || !this.#isBlock(cell)) return;
    const letter = this.#letter(cell);
    if (!this.board.myTurn) {
      this.#say(notYourTurn());
    } else if (this.choice.cells.includes(cell)) {
      this.choice.remove(cell);
      this.#changed();
    } else if (this.choice.joins(cell, letter)) {
      this.choice.add(cell);
      this.#changed();
    } else if (letter === this.choice.colour) {
      this.#explain([...this.choice.cells, cell], cell);
    } else if (this.choice.pickable.has(cell)) {
      this.choice.start(cell, letter);
      this.#changed();
    } else {
      this.#explain([cell], cell);
    }
  }

  /** Blocks dragged through: adds the last one if it may join, or says why not. Whether it is of the first one's colour. */
  #run(cells) {
    const [first] = cells;
    const last = cells.at(-1);
    if (!this.board.active || !this.board.myTurn || !this.choice.pickable.has(first)) return false;
    const letter = this.#letter(first);
    if (this.#letter(last) !== letter || this.choice.cells.includes(last)) return false;
    if (!this.choice.cells.includes(first)) {
      if (this.choice.joins(first, letter)) this.choice.add(first);
      else this.choice.start(first, letter);
    }
    const refused = !this.choice.joins(last, letter);
    if (!refused) this.choice.add(last);
    this.#changed();
    if (refused) this.#explain([...this.choice.cells, last], last);
    return true;
  }

  #most() {
    if (!this.board.active || !this.board.myTurn) return;
    const cell = this.board.cursor;
    if (this.choice.cells.length === 0) {
      if (cell === null || !this.choice.pickable.has(cell)) return;
      this.choice.start(cell, this.#letter(cell));
    }
    this.choice.takeMost();
    this.#changed();
    this.board.focus();
  }

  /** What is chosen has changed: says so, shows it, and offers it up when it is a move. */
  #changed() {
    const { board, choice } = this;
    this.#asking = null;
    if (choice.cells.length === 0) {
      this.#say(turnHint());
    } else {
      this.#say(chosenLine(choice, board.hues[choice.colour], choice.joining.length), choice.legal ? "good" : "");
      if (!choice.legal) this.#explain(choice.cells, null);
    }
    this.#offerUp();
  }

  #offerUp() {
    const { choice, board } = this;
    const most = choice.most.length;
    this.mostButton.hidden = most <= choice.cells.length;
    this.mostButton.textContent = t("All {n}", { n: most });
    this.#choose(choice.legal ? this.cells.text(choice.cells) : null);
    board.paint();
  }

  #choose(text) {
    if (text === this.#chosen) return;
    this.#chosen = text;
    this.ctx.choose(text, text && this.#summary());
  }

  #summary() {
    const { data, seat } = this.ctx;
    const { colour, cells } = this.choice;
    const have = [...this.#view.counts[seat]];
    const at = data.colours.indexOf(colour);
    have[at] += cells.length;
    const enough = have.map((count) => count >= data.triple);
    const wins = have[at] >= data.all || enough.some((_, i) => enough[i] && enough[i + 1] && enough[i + 2]);
    return summary(cells.length, this.board.hues[colour], have[at], { data, wins });
  }

  /** Whether a warning of one's own can be made true by the very next move. */
  canWin(threat) {
    const missing = [...threat.colours].filter((_, i) => threat.needs[i] > 0);
    return this.board.myTurn && missing.length === 1
      && this.choice.limit(missing[0]) >= threat.needs[threat.colours.indexOf(missing[0])];
  }

  /** Nothing is chosen any more. */
  takeBack() {
    this.pointer.stop();
    const had = this.choice.cells.length > 0;
    this.choice.clear();
    this.#asking = null;
    if (had) this.#say(turnHint(), "", t("Nothing is chosen."));
    this.#offerUp();
  }

  #enter() {
    if (!this.board.active) return;
    if (!this.board.myTurn) this.#say(notYourTurn());
    else if (this.choice.legal) this.ctx.commit();
    else if (this.choice.cells.length) this.#explain(this.choice.cells, null);
    else this.#toggleAtCursor();
  }

  /** Asks the server why these cells are no move, and says so if the question still stands. */
  async #explain(cells, refused) {
    const text = this.cells.text(cells);
    this.#asking = text;
    if (refused !== null) this.board.refuse(refused);
    const reason = await this.ctx.why(text);
    if (!reason || this.#asking !== text) return;
    this.#asking = null;
    const more = refused === null && this.choice.joining.length > 0;
    this.#say(more ? `${reason} ${t("Add another of the marked blocks.")}` : reason, more ? "" : "bad");
  }

  // --- The cursor

  #move(direction) {
    const from = this.board.cursor;
    const to = from === null ? this.#first() : this.cells.step(from, direction);
    if (to === null || to === undefined) return;
    this.#goTo(to);
  }

  #first() {
    return Math.min(...this.board.free, this.cells.all.length - 1);
  }

  #next(step) {
    const { choice, board } = this;
    const { joining } = choice;
    const list = (joining.length ? [...joining] : [...board.free]).sort((a, b) => a - b);
    if (list.length === 0) return;
    const from = board.cursor ?? -1;
    const ahead = step > 0 ? list.find((cell) => cell > from) : list.findLast((cell) => cell < from);
    this.#goTo(ahead ?? list.at(step > 0 ? 0 : -1));
  }

  #goTo(cell) {
    this.board.pointAt(cell);
    const kind = this.kind(cell);
    const name = this.cells.names[cell];
    this.ctx.say(`${kind === "empty" ? name : blockName(name, this.#hue(cell))}, ${standing(kind)}`);
    this.#restAt(kind === "fixed" && this.board.myTurn ? cell : null);
  }

  /** A cursor that rests on a block that cannot be taken soon says why. */
  #restAt(cell) {
    clearTimeout(this.#resting);
    if (cell === null) return;
    this.#resting = setTimeout(() => this.board.active && this.board.myTurn && this.kind(cell) === "fixed" && this.#explain(this.#with(cell), cell), REST);
  }

  #with(cell) {
    return this.#letter(cell) === this.choice.colour ? [...this.choice.cells, cell] : [cell];
  }

  #toggleAtCursor() {
    const { cursor } = this.board;
    if (cursor === null) this.#say(t("Go to a block first."));
    else this.#toggle(cursor);
  }

  #hover(cell) {
    this.board.stage.classList.toggle("is-pointing", cell !== null && this.#wanted(cell));
  }

  // --- Saying

  #warnings() {
    const { position, hues } = this.board;
    const lines = position.view.threats.map((threat) => threatLine(threat, position, hues));
    return lines.join(" ") || t("Nobody is near a win at once.");
  }

  /** Shows a line under the board and speaks it, or `spoken` in its place. */
  #say(text, mood = "", spoken = text) {
    this.board.status.show(text, mood);
    this.ctx.say(spoken);
  }
}
