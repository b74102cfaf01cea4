// The moves as text beside the board, with the time that each took as a bar and what it did as marks.

import { html, smallTile } from "../dom.js";
import { t } from "../i18n.js";
import { spent } from "./times.js";

export class Moves {
  #rows = [];

  /** `list` is the element; `pick(ply)` is called for a chosen one; `href(ply)` is its address. */
  constructor(list, { pick, href }) {
    Object.assign(this, { list, pick, href });
  }

  /** Draws all plies; `describe(ply)` gives `{label, colour, who?}`, `marks(ply)` what is told of it: `[{kind, text}]`. */
  fill(plies, { describe, marks }) {
    // Bars grow with the root of the time: beside one long thought the short ones would else all look alike.
    const longest = Math.sqrt(Math.max(1, ...plies.map(({ used }) => used ?? 0)));
    this.timed = plies.some(({ used }) => used !== null && used !== undefined);
    this.list.classList.toggle("moves-timed", this.timed);
    this.#rows = plies.map((ply) => this.#row(ply, describe(ply), marks(ply.ply), longest));
    const none = html("li", { class: "soft move-none" }, t("No moves yet."));
    this.list.replaceChildren(...(plies.length ? this.#rows : [none]));
  }

  #row(ply, { label, colour, who }, marks, longest) {
    const room = colour ? smallTile(colour) : html("span", { class: "tile-room" });
    const told = marks.map(({ text }) => text).join("; ");
    const time = this.timed && html("span", { class: "move-time" }, spent(ply.used));
    const row = html("li", { class: ply.seat === null ? "move move-chance" : "move" },
      html("a", { href: this.href(ply.ply), title: told ? `${ply.text}\n${told}` : ply.text, onclick: (event) => this.#click(event, ply.ply) },
        html("span", { class: "move-number" }, String(ply.ply)), room,
        html("span", { class: "move-label" }, who && html("small", { class: "move-who" }, who), label),
        ...[...new Set(marks.map(({ kind }) => kind))].slice(0, 3).map((kind) => html("span", { class: "move-mark", "data-kind": kind })),
        told && html("span", { class: "visually-hidden" }, told), time,
        ply.used ? html("span", { class: "move-bar", "aria-hidden": "true" }) : null));
    row.querySelector(".move-bar")?.style.setProperty("--used", `${(100 * Math.sqrt(ply.used)) / longest}%`);
    return row;
  }

  #click(event, ply) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    this.pick(ply);
  }

  /** Marks the current ply, and scrolls the list, and only the list, until it can be seen. */
  at(ply) {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.#rows[ply - 1];
    row?.setAttribute("aria-current", "step");
    keepInSight(this.list, row ?? this.list.firstElementChild);
  }
}

const wanted = new Map();

/**
 * Scrolls a list until a row of it can be seen, without moving the page: with the next frame, when all is drawn. Rows out of
 * sight are not laid out, so how far it is to a distant one is known only nearby, and looked at once more.
 */
export function keepInSight(list, row) {
  if (!wanted.size) requestAnimationFrame(() => { scrollAll(); requestAnimationFrame(() => { scrollAll(); wanted.clear(); }); });
  wanted.set(list, row);
}

const scrollAll = () => wanted.forEach((row, list) => scroll(list, row));

function scroll(list, row) {
  if (!row?.isConnected || list.scrollHeight <= list.clientHeight) return;
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + row.offsetHeight - list.clientHeight;
}
