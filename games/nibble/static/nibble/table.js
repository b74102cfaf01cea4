// The table beside the board: for each colour how far both players are, the majorities, and warnings of a win at once.

import { chip } from "./draw.js";
import { html, svg } from "../js/dom.js";
import { seatName, threatLine, winNow } from "./words.js";
import { t, tn } from "../js/i18n.js";

/** A warning with so many blocks missing is urgent. */
const URGENT = 1;

export class Table {
  /** `onColour(letter | null)` is called when somebody asks where a colour lies. */
  constructor(data, hues, onColour) {
    Object.assign(this, { data, hues, onColour });
    this.asked = null;
    this.warnings = html("ul", { class: "nb-warnings", "aria-label": t("Warnings") });
    this.head = html("div", { class: "nb-head" });
    this.rows = new Map([...data.colours].map((letter) => [letter, this.#row(letter)]));
    this.braces = html("div", { class: "nb-braces", "aria-hidden": "true" });
    this.list = html("ol", { class: "nb-colours", "aria-label": t("Colours in the order of the table") },
      ...[...this.rows.values()].map((row) => row.element));
    this.element = html("section", { class: "nb-table", "aria-label": t("Colours") }, this.warnings, this.head,
      html("div", { class: "nb-body" }, this.list, this.braces));
    this.element.style.setProperty("--nb-places", data.all);
  }

  #row(letter) {
    const hue = this.hues[letter];
    const places = Array.from({ length: this.data.all }, (_, i) => html("i", { class: this.#placeClass(i) }));
    const counts = [html("b", { class: "nb-count" }), html("b", { class: "nb-count" })];
    const left = html("span", { class: "nb-left" });
    const spoken = html("span", { class: "visually-hidden" });
    const button = html("button", { type: "button", class: "nb-show", "aria-pressed": "false", title: t("Show where {colour} lies", { colour: hue.name }),
      "aria-label": t("Show where {colour} lies", { colour: hue.name }), onclick: () => this.#ask(letter) }, chip(hue));
    const element = html("li", { class: `nb-row nb-${hue.key}`, "data-colour": letter }, button, spoken, counts[0],
      html("span", { class: "nb-middle", "aria-hidden": "true" },
        html("span", { class: "nb-name" }, hue.name), left, html("span", { class: "nb-strip" }, ...places)),
      counts[1]);
    counts.forEach((count) => count.setAttribute("aria-hidden", "true"));
    return { element, places, counts, left, spoken, button };
  }

  #placeClass(i) {
    const { all, majority, triple } = this.data;
    if (i === majority - 1) return "nb-place is-majority";
    return i === triple - 1 || i === all - triple ? "nb-place is-triple" : "nb-place";
  }

  #ask(letter) {
    this.asked = this.asked === letter ? null : letter;
    for (const [one, { button }] of this.rows) button.setAttribute("aria-pressed", String(one === this.asked));
    this.onColour(this.asked);
  }

  /** Draws a position. `preview` are the blocks that the viewer is about to take: `{seat, colour, count}` or `null`. */
  show(position, preview, canWin) {
    const { view } = position;
    this.#showHead(position);
    [...this.data.colours].forEach((letter, i) => this.#showRow(letter, i, position, preview?.colour === letter ? preview : null));
    this.#showWarnings(position, canWin);
    this.#showBraces(view.threats);
    for (const [letter, { element }] of this.rows) element.classList.toggle("is-winning", Boolean(view.won?.colours.includes(letter)));
  }

  #showHead(position) {
    const side = (seat) => html("div", { class: `nb-side-${seat}` },
      html("span", { class: "nb-player" }, seatName(position, seat)),
      html("i", { class: `nb-place ${seat ? "is-second" : "is-first"}`, "aria-hidden": "true" }),
      html("b", {}, String(position.view.majorities[seat])));
    this.head.replaceChildren(side(0), html("span", { class: "nb-majorities" }, t("majorities")), side(1));
  }

  #showRow(letter, i, position, preview) {
    const { places, counts, left, spoken, element } = this.rows.get(letter);
    const { all, majority } = this.data;
    const have = position.view.counts.map((seat) => seat[i]);
    const coming = [0, 1].map((seat) => (preview?.seat === seat ? preview.count : 0));
    places.forEach((place, at) => {
      const fromRight = all - 1 - at;
      place.classList.toggle("is-first", at < have[0]);
      place.classList.toggle("is-second", fromRight < have[1]);
      place.classList.toggle("is-coming", (at >= have[0] && at < have[0] + coming[0]) || (fromRight >= have[1] && fromRight < have[1] + coming[1]));
    });
    counts.forEach((count, seat) => {
      count.textContent = String(have[seat] + coming[seat]);
      count.classList.toggle("is-major", have[seat] >= majority);
      count.classList.toggle("is-coming", coming[seat] > 0);
    });
    const rest = all - have[0] - have[1];
    left.textContent = rest ? tn("{n} left", "{n} left", rest) : t("none left");
    element.classList.toggle("is-done", rest === 0);
    spoken.textContent = t("{colour} {sign}: {first} {a}, {second} {b}, on the board {n}", {
      colour: this.hues[letter].name, sign: this.hues[letter].sign, n: rest,
      first: seatName(position, 0), a: have[0], second: seatName(position, 1), b: have[1],
    });
  }

  #showWarnings(position, canWin) {
    const { threats, won } = position.view;
    const shown = won ? [] : threats.slice(0, 3);
    this.warnings.replaceChildren(...shown.map((threat) => {
      const own = Boolean(position.seats?.[threat.seat]?.you);
      const missing = threat.needs.reduce((a, b) => a + b, 0);
      const now = own && canWin(threat);
      const kind = [own ? "is-own" : "is-other", (missing <= URGENT || now) && "is-urgent"].filter(Boolean).join(" ");
      return html("li", { class: `nb-warning ${kind}` }, sign(own),
        html("span", {}, now ? winNow(threat, this.hues) : threatLine(threat, position, this.hues)),
        html("span", { class: "nb-needs", "aria-hidden": "true" }, ...[...threat.colours].map((letter, i) =>
          html("span", { class: "nb-need" }, chip(this.hues[letter]), threat.needs[i] ? `+${threat.needs[i]}` : "✓"))));
    }));
  }

  /** A brace beside three rows that are near a win together, on the side of the player it is for. */
  #showBraces(threats) {
    const nearest = [0, 1].flatMap((seat) => threats.find((threat) => threat.seat === seat && threat.kind === "triple") ?? []);
    this.braces.replaceChildren(...nearest.map(({ seat, colours }) => {
      const brace = html("span", { class: `nb-brace is-${seat}` });
      brace.style.setProperty("--from", this.data.colours.indexOf(colours[0]) + 1);
      return brace;
    }));
  }
}

/** A star for a chance of one's own, a warning sign for a danger. */
function sign(own) {
  const path = own
    ? "M10 2.5l2.2 5 5.4.5-4.1 3.6 1.2 5.3L10 14.1l-4.7 2.8 1.2-5.3L2.4 8l5.4-.5Z"
    : "M10 2.8 18.2 17H1.8ZM10 8v4.2M10 14.2v.6";
  return svg("svg", { viewBox: "0 0 20 20", class: "nb-warning-sign", "aria-hidden": "true" }, svg("path", { d: path }));
}
