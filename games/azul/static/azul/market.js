// The middle of the table: the factories in a ring, and the centre with the starting marker.

import { html, svg } from "../js/dom.js";
import { MARKER, counts, keyOf, tile } from "./tiles.js";
import { ring } from "./ring.js";
import { sourceName, takeLabel } from "./words.js";
import { t } from "../js/i18n.js";

const CENTRE = "c";
/** Pearls on the rim of a factory. */
const PEARLS = 28;

/** A factory's plate without anything on it. */
function plate() {
  const at = (i) => [50 + 45.3 * Math.cos((i * 2 * Math.PI) / PEARLS), 50 + 45.3 * Math.sin((i * 2 * Math.PI) / PEARLS)];
  const pearls = Array.from({ length: PEARLS }, (_, i) => at(i)).map(([x, y]) => svg("circle", { cx: x, cy: y, r: 1.3 }));
  return svg("svg", { viewBox: "0 0 100 104", class: "az-plate", "aria-hidden": "true" },
    svg("circle", { class: "az-plate-side", cx: 50, cy: 53, r: 49.2 }),
    svg("circle", { class: "az-plate-rim", cx: 50, cy: 50, r: 49.2 }),
    svg("g", { class: "az-plate-pearls" }, ...pearls),
    svg("circle", { class: "az-plate-well", cx: 50, cy: 50, r: 41 }));
}

/** The mosaic laid into the table under the centre: rings of small stones. */
function rosette() {
  const stones = (count, radius, size, turned) => Array.from({ length: count }, (_, i) => svg("rect", {
    x: -size / 2, y: -radius - size / 2, width: size, height: size, transform: `rotate(${((i + (turned ? 0.5 : 0)) * 360) / count})`,
  }));
  return svg("svg", { viewBox: "-60 -60 120 120", class: "az-rosette", "aria-hidden": "true" },
    ...stones(8, 12, 6, false), ...stones(16, 23, 6, true), ...stones(24, 34, 6, false), ...stones(36, 46, 5.2, true), ...stones(48, 56, 4, false));
}

export class Market {
  constructor(data, { interactive, label }) {
    this.interactive = interactive;
    this.dishes = Array.from({ length: data.factories }, (_, i) => this.#dish(String(i + 1)));
    this.centre = { source: CENTRE, element: html("div", { class: "az-centre", role: "group", "data-source": CENTRE }), key: null };
    this.places = [...this.dishes, this.centre];
    this.element = html("div", { class: "az-market", role: interactive ? "application" : "group", tabindex: interactive ? "0" : null, "aria-label": label },
      rosette(), this.centre.element, ...this.dishes.map((dish) => dish.element));
    this.resizing = new ResizeObserver(() => this.#layOut());
    this.resizing.observe(this.element);
  }

  destroy() {
    this.resizing.disconnect();
  }

  #dish(source) {
    const tiles = html("div", { class: "az-dish-tiles" });
    const element = html("div", { class: "az-dish", role: "group", "data-source": source },
      plate(), html("span", { class: "az-dish-number", "aria-hidden": "true" }, source), tiles);
    return { source, element, tiles, key: null };
  }

  /** Lays the factories round the centre. */
  #layOut() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const { size, points, room } = ring(this.dishes.length, width, height);
    this.element.style.setProperty("--dish", `${size}px`);
    this.element.style.setProperty("--room", `${room}px`);
    this.dishes.forEach(({ element }, i) => {
      const [x, y] = points[i];
      element.style.setProperty("--x", `${(width - size) / 2 + x}px`);
      element.style.setProperty("--y", `${(height - size) / 2 + y}px`);
      element.classList.toggle("is-right", x > 1);
      element.classList.toggle("is-low", y > 1);
    });
  }

  /** Draws a view; with `moving`, new tiles fall onto the factories. */
  show(view, { moving = false } = {}) {
    this.dishes.forEach((dish, i) => {
      const empty = dish.key === "";
      if (this.#fill(dish, view.factories[i] ?? "")) dish.element.classList.toggle("is-dealt", moving && empty);
    });
    this.#fillCentre(view.centre, view.marker === null);
    for (const { source, element } of this.places) {
      element.classList.toggle("is-last", view.last?.source === source);
    }
  }

  /** Draws a factory anew, if it holds something else than before; whether it does. */
  #fill(dish, text) {
    if (dish.key === text) return false;
    dish.key = text;
    const seen = new Set();
    dish.tiles.replaceChildren(...[...text].map((letter) => {
      const first = !seen.has(letter);
      seen.add(letter);
      return this.#take(dish.source, letter, [...text].filter((one) => one === letter).length, { first }, tile(letter));
    }));
    dish.element.classList.toggle("is-empty", text === "");
    dish.element.setAttribute("aria-label", text ? sourceName(dish.source) : t("{source}, empty", { source: sourceName(dish.source) }));
    return true;
  }

  #fillCentre(text, marker) {
    const key = `${text}${marker}`;
    if (this.centre.key === key) return;
    this.centre.key = key;
    const stacks = counts(text).map(([letter, n]) => {
      const tiles = Array.from({ length: n }, () => html("span", {}, tile(letter)));
      const stack = this.#take(CENTRE, letter, n, { first: true, stack: true }, ...tiles,
        html("b", { class: "az-count", "aria-hidden": "true" }, String(n)));
      stack.style.setProperty("--n", n);
      return stack;
    });
    const sign = marker ? html("span", { class: "az-centre-marker", title: t("Starting marker: whoever takes from the centre first gets it"),
      role: "img", "aria-label": t("starting marker") }, tile(MARKER)) : null;
    this.centre.element.replaceChildren(...[sign, ...stacks].filter(Boolean));
    this.centre.element.classList.toggle("is-empty", text === "");
    this.centre.element.setAttribute("aria-label", text || marker ? sourceName(CENTRE) : t("{source}, empty", { source: sourceName(CENTRE) }));
  }

  /** What is clicked to take all tiles of a colour; only the first of them is a stop for the Tab key. */
  #take(source, letter, n, { first, stack = false }, ...inside) {
    const shared = { class: `az-take${stack ? " az-stack" : ""}`, "data-source": source, "data-colour": letter, "data-key": keyOf(letter) };
    const label = takeLabel(n, letter, source);
    if (!this.interactive) return html("span", first ? { ...shared, role: "img", "aria-label": label } : shared, ...inside);
    return html("button", {
      ...shared, type: "button", tabindex: first ? null : "-1", "aria-hidden": first ? null : "true", "aria-label": label,
    }, ...inside);
  }

  /** Lifts all tiles of a colour at one place. `{lifted: {source, colour}, gone: {source, colour}}`, each may be null. */
  mark({ lifted, gone }) {
    for (const button of this.element.querySelectorAll(".az-take")) {
      const is = (one) => one !== null && button.dataset.source === one.source && button.dataset.colour === one.colour;
      button.classList.toggle("is-lifted", is(lifted));
      button.classList.toggle("is-gone", is(gone));
      if (button.hasAttribute("aria-label") && this.interactive) button.setAttribute("aria-pressed", String(is(lifted)));
    }
    for (const { source, element } of this.places) element.classList.toggle("is-open", lifted?.source === source);
    this.element.classList.toggle("is-holding", lifted !== null);
  }

  /** Where the tiles of a colour lie on the screen, one box each. */
  boxes(source, colour) {
    return [...this.element.querySelectorAll(`.az-take[data-source="${source}"][data-colour="${colour}"] .az-tile`)]
      .map((drawn) => drawn.getBoundingClientRect());
  }
}
