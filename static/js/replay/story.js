// What happened in a match: as a list, and as marks along the slider. Other parts of the page add marks of their own.

import { html, smallTile } from "../dom.js";
import { t } from "../i18n.js";
import { keepInSight } from "./moves.js";

export class Story {
  #own = [];
  #added = new Map();
  #rows = [];
  #hidden = new Set();

  /** `list` and `track` are elements; `kinds` takes the switches for the kinds; `go(ply)` is called for a chosen one. */
  constructor({ section, list, kinds, track, go, changed }) {
    Object.assign(this, { section, list, kinds, track, go, changed });
  }

  /** The events of the plies, `[[{kind, seat, text}], …]`, of a match with these `seats`. */
  tell(events, seats) {
    this.seats = seats;
    this.#own = events.flatMap((told, i) => told.map((event) => ({ ...event, ply: i + 1 })));
    this.#draw();
  }

  /** Marks `[{ply, kind, text}]` from elsewhere, instead of those that came from the same `source` before. */
  add(source, marks) {
    if (!marks.length && !this.#added.get(source)?.length) return;
    this.#added.set(source, marks.map((mark) => ({ ...mark, added: true })));
    this.#draw();
  }

  get #all() {
    return [...this.#own, ...[...this.#added.values()].flat()].sort((one, other) => one.ply - other.ply);
  }

  get #shown() {
    return this.#all.filter(({ kind }) => !this.#hidden.has(kind));
  }

  /** What is told of a ply. */
  of(ply) {
    return this.#all.filter((event) => event.ply === ply);
  }

  /** An event in words, with whom it is about. */
  said({ seat, text }) {
    return seat === null || seat === undefined ? text : `${this.seats[seat].name}: ${text}`;
  }

  /** The plies of the nearest shown events before and after one; `null` where there is none. */
  beside(ply) {
    const plies = this.#shown.map((event) => event.ply);
    return { previous: plies.findLast((one) => one < ply) ?? null, next: plies.find((one) => one > ply) ?? null };
  }

  /** `count` is the number of the last ply. */
  set count(count) {
    this.last = count;
    this.#drawTrack();
  }

  #draw() {
    const all = this.#all;
    this.section.hidden = all.length === 0;
    this.#drawKinds(all);
    this.#rows = this.#shown.map((event) => this.#row(event));
    this.list.replaceChildren(...this.#rows);
    this.#drawTrack();
    this.changed();
  }

  #row({ ply, kind, seat, text }) {
    const colour = seat === null || seat === undefined ? null : this.seats[seat]?.colours[0];
    return html("li", { "data-ply": ply }, html("a", { href: `?ply=${ply}`, onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      this.go(ply);
    } }, html("span", { class: "move-number" }, String(ply)), html("span", { class: "move-mark", "data-kind": kind }),
    colour ? smallTile(colour) : html("span", { class: "tile-room" }), html("span", {}, this.said({ seat, text }))));
  }

  /** A switch per kind, where there are several. */
  #drawKinds(all) {
    const kinds = [...new Set(all.map(({ kind }) => kind))];
    this.kinds.hidden = kinds.length < 2;
    this.kinds.replaceChildren(...kinds.map((kind) => {
      const count = all.filter((event) => event.kind === kind).length;
      return html("button", { type: "button", class: "button-quiet replay-kind", "aria-pressed": String(!this.#hidden.has(kind)), onclick: () => {
        if (!this.#hidden.delete(kind)) this.#hidden.add(kind);
        this.#draw();
        this.kinds.children[kinds.indexOf(kind)].focus();
      } }, html("span", { class: "move-mark", "data-kind": kind }), `${kindName(kind)} ${count}`);
    }));
  }

  #drawTrack() {
    if (!this.last) return;
    const places = new Map(this.#shown.map((event) => [event.ply, event]));
    this.track.replaceChildren(...[...places].map(([ply, { kind, added }]) => {
      const mark = html("span", { class: added ? "replay-mark is-added" : "replay-mark", "data-kind": kind });
      mark.style.setProperty("--at", ply / this.last);
      return mark;
    }));
  }

  /** Marks what happened at a ply, or last before it. */
  at(ply) {
    let near = null;
    for (const row of this.#rows) {
      const here = Number(row.dataset.ply);
      row.toggleAttribute("aria-current", here === ply);
      if (here <= ply) near = row;
    }
    keepInSight(this.list, near ?? this.list.firstElementChild);
  }
}

/** What the kinds of events are called; a kind that is not known here goes by its own word. */
const kindName = (kind) => ({
  lead: t("Lead"), capture: t("Captures"), row: t("Rows"), column: t("Columns"), colour: t("Colours"), shut: t("Shut out"),
  majority: t("Majorities"), floor: t("Floor"), last: t("Last pieces"), inaccuracy: t("Inaccuracies"), mistake: t("Mistakes"),
  blunder: t("Blunders"), comment: t("Comments"), join: t("Groups joined"), block: t("Blocks"), threat: t("Threats"), win: t("Wins at once"),
  decided: t("Decided"), many: t("Big takes"), points: t("High scores"), bonus: t("Bonuses"),
})[kind] ?? kind;
