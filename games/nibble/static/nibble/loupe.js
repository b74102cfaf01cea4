// The magnifier over the Nibble board: what lies under the finger, shown above it.

import { html, svg } from "../js/dom.js";
import { UNIT } from "./geometry.js";

/** Pixels: width of the glass, and how far above the finger its middle stands. */
const GLASS = 132;
const ABOVE = 104;
/** Cells across the glass. */
const ACROSS = 3.1;

export class Loupe {
  constructor(cells, ring, content) {
    this.cells = cells;
    this.target = svg("path", { d: ring, class: "nb-loupe-target" });
    this.drawing = svg("svg", { "aria-hidden": "true" }, svg("use", { href: `#${content}` }), this.target);
    this.element = html("div", { class: "nb-loupe", hidden: true }, this.drawing);
  }

  /** Shows the surroundings of a point of the drawing near `[clientX, clientY]`, `cell` being what a lift would mean. */
  show([x, y], [clientX, clientY], cell) {
    const side = ACROSS * UNIT;
    this.drawing.setAttribute("viewBox", [x - side / 2, y - side / 2, side, side].join(" "));
    this.target.classList.toggle("is-hidden", cell === null);
    if (cell !== null) this.target.setAttribute("transform", `translate(${this.cells.middle(cell).join(" ")})`);
    const half = GLASS / 2;
    const within = (value, most) => Math.max(half + 4, Math.min(most - half - 4, value));
    // Near the top edge of the screen the glass goes beside the finger.
    const above = clientY - ABOVE > half + 4;
    const beside = clientX > innerWidth / 2 ? -ABOVE : ABOVE;
    this.element.style.setProperty("left", `${within(above ? clientX : clientX + beside, innerWidth)}px`);
    this.element.style.setProperty("top", `${within(above ? clientY - ABOVE : clientY, innerHeight)}px`);
    this.element.hidden = false;
  }

  hide() {
    this.element.hidden = true;
  }
}
