// Draws the held piece on the Blokus board: legal, not legal or planned, told apart by line and sign as well as by colour.

import { UNIT, outline } from "./geometry.js";
import { piece } from "./draw.js";
import { svg } from "../js/dom.js";

const SIGNS = { legal: "M-3.6 .2-1 2.8 3.8-2.6", illegal: "M-3-3 3 3M3-3-3 3", planned: "M-3.2 0h.1M0 0h.1M3.1 0h.1" };

export class Ghost {
  #drawn = "";

  constructor(layer, shapes) {
    this.layer = layer;
    this.shapes = shapes;
  }

  hide() {
    this.#drawn = "";
    this.layer.replaceChildren();
  }

  /** Draws the hand's piece on its anchor, or where it floats. */
  show(hand, colour) {
    const { free } = hand;
    const standing = free ? "free" : hand.standing;
    const what = [hand.orientation, colour, standing, hand.resting].join();
    if (what !== this.#drawn) this.#draw(hand, colour, standing);
    this.#drawn = what;
    const { width, height } = this.shapes.all[hand.orientation];
    const [column, row] = free ? [free[0] - width / 2, free[1] - height / 2] : hand.anchor;
    const y = (this.shapes.size - row - height) * UNIT;
    this.layer.firstChild.style.setProperty("transform", `translate(${column * UNIT}px, ${y}px)`);
  }

  #draw(hand, colour, standing) {
    const cells = this.shapes.drawnShape(hand.orientation);
    const line = outline(cells, -0.03, 0.14);
    const group = svg("g", { class: `bk-ghost bk-${colour} is-${standing}${hand.resting ? " is-resting" : ""}` }, piece(colour, cells));
    if (standing === "illegal") group.append(svg("path", { d: outline(cells), fill: "url(#bk-hatch)" }));
    group.append(svg("path", { d: line, class: "bk-ghost-line" }));
    if (SIGNS[standing]) group.append(badge(cells, standing));
    this.layer.replaceChildren(group);
  }
}

/** The sign stands on the piece's top right cell, within the piece, so that it never leaves the board. */
function badge(cells, standing) {
  const [x, y] = cells.reduce((best, cell) => (cell[0] - cell[1] > best[0] - best[1] ? cell : best));
  return svg("g", { class: "bk-badge", transform: `translate(${(x + 0.5) * UNIT} ${(y + 0.5) * UNIT})` },
    svg("circle", { r: UNIT * 0.36 }), svg("path", { d: SIGNS[standing] }));
}
