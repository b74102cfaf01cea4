// One player's board: score, pattern lines, wall and floor. The same for the large one and the small ones.

import { html } from "../js/dom.js";
import { MARKER, keyOf, tile } from "./tiles.js";
import { bonusName, effect, floorLabel, lineLabel, plain, sentence, signed } from "./words.js";
import { t } from "../js/i18n.js";

const SIDE = 5;

/** A place for a tile; `letter` is what lies there, `""` nothing. */
class Cell {
  #letter = "";

  constructor(tag = "span", attributes = {}, printed = null) {
    this.element = html(tag, { class: "az-cell", ...attributes }, printed && tile(printed, { printed: true }));
  }

  get letter() {
    return this.#letter;
  }

  /** Lays a tile here or takes it away; whether that changed anything. */
  put(letter) {
    if (letter === this.#letter) return false;
    this.element.querySelector(".az-laid")?.remove();
    if (letter) this.element.append(html("span", { class: "az-laid" }, tile(letter)));
    this.#letter = letter;
    return true;
  }

  /** Shows tiles that would come to lie here, and words over the place. */
  preview(letter, note = "") {
    this.element.querySelector(".az-ghost")?.remove();
    if (letter) this.element.append(html("span", { class: "az-ghost" }, tile(letter), note && html("b", { class: "az-gain" }, note)));
  }

  mark(name, on) {
    this.element.classList.toggle(name, on);
  }

  float(text, kind = "good") {
    const sign = html("b", { class: `az-float is-${kind}`, "aria-hidden": "true" }, text);
    this.element.append(sign);
    sign.addEventListener("animationend", () => sign.remove(), { once: true });
  }

  /** A small number that stays, such as what the tile has just scored. */
  note(text) {
    this.element.querySelector(".az-note")?.remove();
    if (text) this.element.append(html("b", { class: "az-note", "aria-hidden": "true" }, text));
  }
}

export class Mat {
  /** `large` with room for what a placement does; `interactive` when its lines can be chosen. */
  constructor(data, seat, { large = false, interactive = false, onPick = null } = {}) {
    this.data = data;
    this.seat = seat;
    this.large = large;
    this.interactive = interactive;
    this.lines = Array.from({ length: SIDE }, (_, i) => Array.from({ length: i + 1 }, () => new Cell()));
    this.wall = Array.from({ length: SIDE }, (_, row) => Array.from({ length: SIDE }, (_, column) => this.#wallCell(row, column)));
    this.floor = data.floor.map((value) => new Cell("span", { "data-value": plain(value) }));
    this.buttons = new Map();
    this.hints = new Map();
    this.#build(onPick);
  }

  #wallCell(row, column) {
    const where = { class: "az-cell az-place", "data-line": row + 1, "data-column": column + 1 };
    const printed = this.data.wall?.[row][column] ?? null;
    const chosen = this.interactive && printed === null;
    return chosen ? new Cell("button", { ...where, type: "button", tabindex: "-1", "aria-hidden": "true" }) : new Cell("span", where, printed);
  }

  #build(onPick) {
    this.name = html(onPick ? "button" : "span", { class: "az-name", type: onPick ? "button" : null, title: onPick && t("Show this board large"), onclick: onPick && (() => onPick(this.seat)) });
    this.marker = html("span", { class: "az-has-marker", hidden: true, role: "img", "aria-label": t("starts the next round"), title: t("Starts the next round") }, tile(MARKER));
    this.forecast = html("span", { class: "az-forecast", role: "img" });
    this.score = html("b", { class: "az-score" });
    this.bonuses = html("span", { class: "az-bonuses" });
    this.total = html("span", { class: "az-total" });
    this.rows = this.lines.map((_, i) => this.#row(i));
    this.element = html("section", { class: `az-mat${this.large ? " az-large" : " az-small"}`, "data-seat": this.seat },
      html("header", { class: "az-head" }, this.name, this.marker, this.bonuses, this.forecast, this.score),
      html("div", { class: "az-rows" }, ...this.rows),
      this.#floorRow());
  }

  #lineButton(key, classes, ...inside) {
    const hint = html("span", { class: "az-hint", "aria-hidden": "true" });
    const tag = this.interactive ? "button" : "span";
    const button = html(tag, { class: classes, type: this.interactive ? "button" : null, role: this.interactive ? null : "img", "data-line": key }, hint, ...inside);
    this.buttons.set(key, button);
    this.hints.set(key, hint);
    return button;
  }

  /** The key that chooses the line, which is also its number. */
  #number(n) {
    return html("span", { class: "az-number", "aria-hidden": "true" }, String(n));
  }

  #row(i) {
    const cells = [...this.lines[i]].reverse().map((cell) => cell.element);
    return html("div", { class: "az-row" },
      this.#lineButton(i + 1, "az-line", this.#number(i + 1), html("span", { class: "az-cells" }, ...cells)),
      html("span", { class: "az-arrow", "aria-hidden": "true" }),
      html("span", { class: "az-cells az-wall" }, ...this.wall[i].map((cell) => cell.element)));
  }

  #floorRow() {
    return this.#lineButton("f", "az-line az-floor", this.#number(0),
      html("span", { class: "az-cells" }, ...this.floor.map((cell) => cell.element)), this.total);
  }

  /** Draws a seat's board; the elements of the tiles that are new. `{name, turn, starts, settled}` */
  show(board, { name, turn = false, starts = false, settled = true }) {
    const fresh = [];
    const put = (cell, letter) => cell.put(letter) && letter && fresh.push(cell.element);
    board.lines.forEach(({ count }, i) => this.rows[i].classList.toggle("is-full", count > i));
    board.lines.forEach(({ colour, count }, i) => this.lines[i].forEach((cell, k) => put(cell, colour && k < count ? colour : "")));
    board.wall.forEach((row, i) => this.wall[i].forEach((cell, column) => put(cell, row[column] === "." ? "" : row[column])));
    this.floor.forEach((cell, k) => put(cell, board.floor[k] ?? ""));
    this.board = board;
    this.name.textContent = name;
    this.marker.hidden = !starts;
    this.score.textContent = plain(board.score);
    this.score.setAttribute("aria-label", t("{n} points", { n: plain(board.score) }));
    this.#foresee((this.now = settled ? board.forecast : null));
    this.#sets(board);
    this.total.textContent = board.penalty ? plain(board.penalty) : "";
    this.element.classList.toggle("is-turn", turn);
    this.element.setAttribute("aria-label", t("Board of {name}", { name }));
    for (const key of this.buttons.keys()) this.#label(key);
    return fresh;
  }

  /** The score if the round ended now, and after the placement that is looked at, if any. */
  #foresee(now, then = null) {
    this.forecast.hidden = now === null;
    if (now === null) return;
    const parts = [html("span", {}, t("forecast")), html("b", {}, plain(now))];
    if (then !== null && then !== now) parts.push(html("span", {}, "\u2192"), html("b", { class: then > now ? "is-good" : "is-bad" }, plain(then)));
    this.forecast.replaceChildren(...parts);
    this.forecast.title = t("{n} points if the round ended now", { n: plain(now) });
    this.forecast.setAttribute("aria-label", this.forecast.title);
  }

  #sets(board) {
    const sets = [["row", board.rows], ["column", board.columns], ["colour", board.colours]].filter(([, n]) => n > 0);
    this.bonuses.replaceChildren(...sets.map(([bonus, count]) =>
      html("span", { class: `az-set az-set-${bonus}`, title: bonusName({ bonus, count }), role: "img", "aria-label": bonusName({ bonus, count }) }, String(count))));
  }

  /** Names a line and what lies there, and what the tiles in hand would do there. */
  #label(key, entry = null) {
    const there = key === "f" ? floorLabel(this.board) : lineLabel(this.board, key - 1);
    this.buttons.get(key).setAttribute("aria-label", entry ? `${there} ${sentence(effect(entry))}` : there);
  }

  /** Whether most of this board can be seen on the screen. */
  get inSight() {
    const { top, bottom } = this.element.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    return middle > 0 && middle < innerHeight;
  }

  // --- Marks

  /** Marks the tiles that the last move laid here, `null` for none. */
  last(last) {
    for (const cell of this.#cells()) cell.mark("is-last", false);
    if (!last || last.seat !== this.seat) return;
    const there = last.line === "f" ? this.floor : last.line && !last.column ? this.lines[last.line - 1] : [];
    const laid = there.filter((cell) => cell.letter && cell.letter === last.colour);
    for (const cell of laid.slice(-last.count)) cell.mark("is-last", true);
    if (last.column) this.wall[last.line - 1][last.column - 1].mark("is-last", true);
  }

  #cells() {
    return [...this.lines.flat(), ...this.wall.flat(), ...this.floor];
  }

  /** What each tile of the last tiling scored, as small numbers that stay until the next take. */
  notes(steps) {
    for (const cell of this.wall.flat()) cell.note("");
    for (const step of steps) {
      if (step.seat === this.seat && step.column) this.wall[step.line - 1][step.column - 1].note(signed(step.points));
    }
  }

  /** Lights what a step of the tiling counts; with `null`, nothing. */
  flash(step) {
    for (const cell of this.#cells()) cell.mark("is-lit", false);
    if (step?.seat !== this.seat) return;
    if (step.column) {
      for (const cell of this.#runs(step)) cell.mark("is-lit", true);
      this.wall[step.line - 1][step.column - 1].float(signed(step.points));
    } else if (step.floor !== undefined) {
      this.floor[Math.max(0, Math.min(this.floor.length, step.floor.length) - 1)].float(signed(step.points), "bad");
    } else {
      this.wall[2][2].float(`${bonusName(step)} ${signed(step.points)}`);
    }
  }

  /** The places of the row and column that a tile joined: those from it on that hold tiles without a gap. */
  #runs({ line, column, across, down }) {
    const run = (cells, at, length) => {
      if (length < 2) return [];
      let from = at;
      while (from > 0 && cells[from - 1].letter) from -= 1;
      return cells.slice(from, from + length);
    };
    const cell = this.wall[line - 1][column - 1];
    return [cell, ...run(this.wall[line - 1], column - 1, across), ...run(this.wall.map((row) => row[column - 1]), line - 1, down)];
  }

  // --- What the hand may do here

  /** Shows which lines take what is in hand: `entries` by line, or `null` when nothing is held. */
  offer(entries) {
    for (const [key, button] of this.buttons) {
      const entry = entries?.get(key);
      button.classList.toggle("is-offered", Boolean(entry));
      button.classList.toggle("is-refused", entries !== null && !entry);
      this.hints.get(key).replaceChildren(...(entry ? this.#hint(entry) : []));
      const places = key === "f" ? this.floor : this.lines[key - 1];
      const next = entry ? places.filter((cell) => !cell.letter).slice(0, key === "f" ? entry.falls : entry.fills) : [];
      for (const cell of places) {
        cell.mark("is-next", next.includes(cell));
        cell.element.dataset.key = next.includes(cell) ? keyOf(entry.colour) : "";
      }
      if (this.board) this.#label(key, entry);
    }
  }

  /** Puts the keyboard on the first line that takes what is in hand. */
  focusOffered() {
    this.element.querySelector(".is-offered")?.focus();
  }

  /** Two chips at most: what the line brings when it is full, and what falls. */
  #hint(entry) {
    const chips = [];
    if (entry.line !== "f" && entry.points !== null) chips.push(html("b", { class: "az-chip is-good" }, signed(entry.points)));
    if (entry.cost) chips.push(html("b", { class: "az-chip is-bad" }, signed(entry.cost)));
    return chips;
  }

  /** Lays the tiles of a placement as ghosts; `column` is where the line's tile will go, if that is known. */
  preview(entry, { pending = false, column = null } = {}) {
    for (const cell of this.#cells()) cell.preview("");
    this.element.classList.toggle("is-pending", pending);
    for (const [key, button] of this.buttons) button.classList.toggle("is-aimed", entry !== null && !entry.column && key === entry.line);
    if (this.now !== null && this.large) this.#foresee(this.now, entry?.forecast ?? null);
    if (!entry) return;
    if (entry.column) {
      this.wall[entry.line - 1][entry.column - 1].preview(this.board.lines[entry.line - 1].colour, signed(entry.points));
      return;
    }
    const free = (cells) => cells.filter((cell) => !cell.letter);
    if (entry.line !== "f") free(this.lines[entry.line - 1]).slice(0, entry.fills).forEach((cell) => cell.preview(entry.colour));
    const fallen = `${entry.marker ? MARKER : ""}${entry.colour.repeat(entry.falls)}`;
    free(this.floor).slice(0, fallen.length).forEach((cell, k) => cell.preview(fallen[k]));
    if (column !== null && entry.points !== null) this.wall[entry.line - 1][column].preview(entry.colour, signed(entry.points));
  }

  /** Opens the places of the wall that a line's tile may go to, `null` for none. */
  choosing(choose) {
    this.wall.forEach((row, i) => row.forEach((cell, column) => {
      const open = choose !== null && choose.line === i + 1 && choose.columns.includes(column + 1);
      cell.mark("is-open", open);
      if (cell.element.tagName !== "BUTTON") return;
      cell.element.tabIndex = open ? 0 : -1;
      cell.element.setAttribute("aria-hidden", String(!open));
      cell.element.setAttribute("aria-label", t("row {row}, column {column}", { row: i + 1, column: column + 1 }));
    }));
    for (const [key, button] of this.buttons) button.classList.toggle("is-choosing", choose?.line === key);
  }
}
