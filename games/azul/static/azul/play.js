// A person's play on the Azul board: taking a colour, choosing a line or a column, by pointer or keys, with a word on each.

import { Hand } from "./hand.js";
import { LETTERS, colourName } from "./tiles.js";
import { meaning } from "./keys.js";
import { consequence, effect, lineName, points, sentence, sourceName, summary, survey, takeLabel, tilesOf } from "./words.js";
import { SECOND_TAP } from "../js/board.js";
import { t } from "../js/i18n.js";
import { listenToKeys } from "../js/keys.js";

export class Play {
  #leaving = new AbortController();
  #sent = null;
  #chosenAt = 0;
  #pressedAt = null;
  /** The colour under the pointer or the focus, and the line. */
  #peek = null;
  #aim = null;
  /** The place whose colours the keys choose from. */
  #source = null;

  constructor(board) {
    this.board = board;
    this.ctx = board.ctx;
    this.hand = new Hand();
    const { signal } = this.#leaving;
    const actions = this.#actions();
    listenToKeys(board.el, (event) => meaning(event, actions), signal);
    board.el.addEventListener("pointerdown", () => { this.#pressedAt = board.position?.version; }, { signal, capture: true });
    this.#listenToMarket(signal);
    this.#listenToMat(signal);
  }

  destroy() {
    this.#leaving.abort();
  }

  #actions() {
    return {
      home: () => this.board.focus(),
      digit: (digit) => this.#digit(digit),
      letter: (letter) => this.#letter(letter),
      source: (source) => this.#chooseSource(source),
      sideways: (step) => this.#sideways(step),
      upDown: (step) => this.#upDown(step),
      enter: () => this.#enter(),
      escape: () => this.takeBack(),
      survey: () => this.ctx.say(survey(this.board.position.view, this.ctx.seat)),
      help: () => this.board.legend.showModal(),
    };
  }

  // --- Pointer

  #listenToMarket(signal) {
    const { element } = this.board.market;
    const takeOf = (event) => {
      const button = event.target.closest(".az-take");
      return button ? { source: button.dataset.source, colour: button.dataset.colour, button } : null;
    };
    element.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.#look(takeOf(event)), { signal });
    element.addEventListener("pointerleave", () => this.#look(null), { signal });
    element.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.#look(takeOf(event)), { signal });
    element.addEventListener("focusout", () => this.#look(null), { signal });
    element.addEventListener("click", (event) => {
      const take = takeOf(event);
      if (!this.#timely(event)) return;
      if (take) this.#toggle(take);
      if (event.detail > 0) this.board.focus();
      else if (this.hand.held) this.board.main.focusOffered();
    }, { signal });
  }

  #listenToMat(signal) {
    const { element } = this.board.main;
    const lineOf = (event) => {
      const place = event.target.closest("[data-line]");
      return place && (place.dataset.line === "f" ? "f" : Number(place.dataset.line));
    };
    element.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.#aimAt(lineOf(event), event), { signal });
    element.addEventListener("pointerleave", () => this.#aimAt(null), { signal });
    element.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.#aimAt(lineOf(event), event), { signal });
    element.addEventListener("focusout", () => this.#aimAt(null), { signal });
    element.addEventListener("click", (event) => {
      const line = lineOf(event);
      if (!line || !this.#timely(event)) return;
      const column = Number(event.target.closest("[data-column]")?.dataset.column ?? 0);
      if (this.hand.choosingColumn) this.#pickColumn(line, column);
      else this.#pickLine(line);
      if (event.detail > 0) this.board.focus();
    }, { signal });
  }

  /** Whether a press was begun on the position that is shown now; one from before was meant for another. */
  #timely(event) {
    return event.detail === 0 || this.#pressedAt === this.board.position.version;
  }

  #look(take) {
    if (take === this.#peek) return;
    this.#peek = take;
    this.paint();
  }

  #aimAt(line, event = null) {
    const column = Number(event?.target.closest("[data-column]")?.dataset.column ?? 0);
    const before = this.#aim;
    this.#aim = line ? { line, column } : null;
    if (before?.line !== line || before?.column !== column) this.paint();
  }

  // --- A new position

  /** Tells the hand what is offered now, and the person what to do. */
  review(spoken = "") {
    const { board, hand } = this;
    const { offer, view } = board.position;
    hand.deal(board.myTurn ? offer : null, view, view.boards[this.ctx.seat]);
    this.#source = null;
    if (!this.#peek?.button.isConnected) this.#peek = null;
    if (!board.active) hand.drop();
    this.#offerUp();
    if (spoken) this.#say(spoken);
    else this.board.status.show(board.myTurn && board.active ? this.#whatToDo() : "");
    this.paint();
  }

  #whatToDo() {
    const { held, chosen, choosingColumn } = this.hand;
    if (!choosingColumn) return held && !chosen ? `${this.#held(held)} ${t("Choose a line.")}` : t("Take all tiles of one colour.");
    const [{ line }] = this.hand.columns;
    return t("Choose the column for the tile of line {n}.", { n: line });
  }

  // --- Taking a colour

  #toggle(take) {
    if (!this.board.active) return;
    if (this.hand.holds(take) && !this.hand.chosen) this.takeBack();
    else this.#hold(take);
  }

  #hold({ source, colour }) {
    if (!this.board.active) return;
    const take = { source, colour };
    // What is taken is shown, whatever a pointer rests on.
    this.#peek = null;
    this.#source = source;
    this.hand.hold(take);
    this.#offerUp();
    const lines = this.hand.lines();
    const held = this.#held(take);
    if (lines) this.#say(`${held} ${t("Choose a line.")}`, "", `${held} ${this.#linesAloud(lines)}`);
    else this.#say(t("It is not your turn yet."));
    this.paint();
  }

  #held(take) {
    return sentence(takeLabel(this.#count(take), take.colour, take.source));
  }

  #count({ source, colour }) {
    const { view } = this.board.position;
    const text = source === "c" ? view.centre : view.factories[Number(source) - 1];
    return [...text].filter((letter) => letter === colour).length;
  }

  #linesAloud(lines) {
    return [...lines.values()].map((entry) => sentence(`${lineName(entry.line)}: ${effect(entry)}`)).join(" ");
  }

  #chooseSource(source) {
    if (!this.board.active) return;
    const there = this.#takesAt(source);
    this.hand.drop();
    this.#offerUp();
    this.#source = source;
    if (there.length === 1) this.#hold(there[0]);
    else if (there.length === 0) this.#say(sentence(t("{source}: nothing can be taken there now", { source: sourceName(source) })), "bad");
    else {
      const list = there.map((take) => tilesOf(this.#count(take), take.colour)).join(", ");
      this.#say(`${sentence(`${sourceName(source)}: ${list}`)} ${t("Which colour?")}`);
    }
    this.paint();
  }

  #takesAt(source) {
    return this.hand.takes.filter((take) => take.source === source);
  }

  // --- Keys

  #digit(digit) {
    if (!this.board.active) return;
    if (this.hand.choosingColumn) this.#pickColumn(this.hand.columns[0].line, Number(digit));
    else if (!this.hand.held) this.#chooseSource(digit);
    else if (Number(digit) <= 5) this.#pickLine(digit === "0" ? "f" : Number(digit));
  }

  #letter(letter) {
    if (!this.board.active || this.hand.choosingColumn) return;
    const all = this.hand.takes.filter((take) => take.colour === letter);
    const there = all.find((take) => take.source === this.#source);
    if (there) this.#hold(there);
    else if (this.#source === null && all.length === 1) this.#hold(all[0]);
    else if (this.#source === null) this.#say(t("Choose a factory first, with 1 to 9, or C for the centre."), "bad");
    else this.#say(t("No {colour} there.", { colour: colourName(letter) }), "bad");
  }

  #sideways(step) {
    if (!this.board.active) return;
    if (this.hand.choosingColumn) {
      this.#cycle(this.hand.columns, step);
      return;
    }
    const list = this.#ordered();
    if (!list.length) return;
    const now = list.findIndex((take) => this.hand.holds(take));
    const here = list.findIndex((take) => take.source === this.#source);
    if (now >= 0) this.#hold(list.at((now + step) % list.length));
    else if (here >= 0) this.#hold(list[here]);
    else this.#hold(list.at(step > 0 ? 0 : -1));
  }

  /** The takes as they lie: factories in their order, the centre last, colours in the order of the notation. */
  #ordered() {
    const rank = ({ source, colour }) => (source === "c" ? 99 : Number(source)) * LETTERS.length + LETTERS.indexOf(colour);
    return [...this.hand.takes].sort((a, b) => rank(a) - rank(b));
  }

  #upDown(step) {
    if (!this.board.active) return;
    if (this.hand.choosingColumn) this.#cycle(this.hand.columns, step);
    else if (!this.hand.held) this.#sideways(step);
    else {
      const order = (entry) => (entry.line === "f" ? 6 : entry.line);
      this.#cycle([...(this.hand.lines()?.values() ?? [])].sort((a, b) => order(a) - order(b)), step);
    }
  }

  #cycle(entries, step) {
    if (!entries.length) return;
    const now = entries.findIndex((entry) => entry.move === this.hand.chosen?.move);
    this.#choose(entries[(now < 0 ? (step > 0 ? 0 : entries.length - 1) : now + step + entries.length) % entries.length]);
  }

  #enter() {
    if (!this.board.active) return;
    if (this.hand.chosen) this.ctx.commit();
    else this.#say(this.hand.held ? t("Choose a line: 1 to 5, or 0 for the floor.") : this.board.myTurn ? this.#whatToDo() : t("It is not your turn yet."));
  }

  // --- Choosing a line or a column

  #pickLine(line) {
    if (!this.board.active) return;
    if (!this.hand.held) {
      if (this.board.myTurn) this.#say(t("Take the tiles of a colour first."));
      return;
    }
    const entry = this.hand.lines()?.get(line);
    const { source, colour } = this.hand.held;
    if (entry) this.#again(entry);
    else if (this.board.myTurn) this.#explain(`${source}${colour}${line}`);
    else this.#say(t("It is not your turn yet."));
  }

  #pickColumn(line, column) {
    if (!this.board.active || !column) return;
    const entry = this.hand.columns.find((one) => one.line === line && one.column === column);
    if (entry) this.#again(entry);
    else this.#explain(`w${line}${column}`);
  }

  /** Chooses; chosen once more, after a moment, it is played. */
  #again(entry) {
    if (this.hand.chosen?.move !== entry.move) this.#choose(entry);
    else if (performance.now() - this.#chosenAt > SECOND_TAP) this.ctx.commit();
  }

  #choose(entry) {
    this.hand.choose(entry);
    this.#chosenAt = performance.now();
    this.#offerUp();
    if (entry.column) {
      this.#say(t("Column {n}: {points}.", { n: entry.column, points: points(entry.points) }));
    } else {
      const then = consequence(this.board.position.view, entry);
      this.#say(then, "", `${sentence(`${lineName(entry.line)}: ${effect(entry)}`)} ${then}`);
    }
    this.paint();
  }

  #offerUp() {
    const entry = this.hand.chosen;
    if ((entry?.move ?? null) === this.#sent) return;
    this.#sent = entry?.move ?? null;
    this.ctx.choose(this.#sent, entry && summary(entry));
  }

  /** Asks the server why the move would be refused, and says so. */
  async #explain(text) {
    this.hand.choose(null);
    this.#offerUp();
    this.paint();
    const { held } = this.hand;
    const reason = await this.ctx.why(text);
    if (reason && this.hand.held === held && !this.hand.chosen) this.#say(reason, "bad");
  }

  /** Takes back one step: the line, then the tiles. */
  takeBack() {
    const { hand } = this;
    if (hand.chosen) {
      hand.choose(null);
      this.#say(hand.held ? t("Choose another line.") : this.#whatToDo());
    } else if (hand.held) {
      hand.drop();
      this.#source = null;
      this.#say(this.board.myTurn ? t("Put back. {what}", { what: this.#whatToDo() }) : t("Put back."));
    } else {
      this.#source = null;
    }
    this.#offerUp();
    this.paint();
  }

  // --- Showing and saying

  paint() {
    const { board, hand } = this;
    const mine = board.active && board.myTurn;
    const peek = hand.chosen || hand.choosingColumn ? null : this.#peek;
    const take = board.active ? peek ?? hand.held : null;
    board.market.mark({ lifted: take, gone: board.pendingTake });
    for (const { source, element } of board.market.places) element.classList.toggle("is-chosen", source === this.#source && !hand.held);
    const lines = mine && !hand.choosingColumn ? hand.lines(take) : null;
    board.main.offer(lines);
    board.main.choosing(mine && hand.choosingColumn ? board.position.view.boards[this.ctx.seat].choose : null);
    this.#paintPreview(mine, lines, peek);
  }

  #paintPreview(mine, lines, peek) {
    const { board, hand } = this;
    if (board.pendingEntry) {
      board.main.preview(board.pendingEntry, { pending: true, column: board.columnOf(board.pendingEntry) });
      return;
    }
    const aimed = hand.choosingColumn
      ? hand.columns.find((one) => one.line === this.#aim?.line && one.column === this.#aim?.column)
      : hand.held && !peek ? lines?.get(this.#aim?.line) : null;
    const entry = mine ? aimed ?? hand.chosen : null;
    board.main.preview(entry, { column: entry && board.columnOf(entry) });
    if (mine && aimed && !hand.chosen && !aimed.column) this.board.status.show(sentence(`${lineName(aimed.line)}: ${effect(aimed)}`));
  }

  /** Shows a line under the board and speaks it, or the longer `spoken` in its place. */
  #say(text, mood = "", spoken = text) {
    this.board.status.show(text, mood);
    this.ctx.say(spoken);
  }
}
