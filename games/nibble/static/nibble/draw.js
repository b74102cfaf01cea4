// Draws the Nibble board as SVG: bed, blocks, marks. Colours and line styles are in board.css.

import { UNIT } from "./geometry.js";
import { smallTile, svg } from "../js/dom.js";
import { still } from "../js/motion.js";

/** A sign's side in the drawing; the style sheet scales it. */
const SIGN = UNIT * 0.58;

/** A small block of a hue, for text and tables. */
export const chip = (hue) => smallTile(`nb-${hue.key}`);

const sign = (hue) => svg("use", { href: `#mark-nb-${hue.key}`, x: -SIGN / 2, y: -SIGN / 2, width: SIGN, height: SIGN, class: "nb-sign" });

let scenes = 0;

/** The board with its layers, bottom to top, named by the attributes `naming`. The blocks are made once per layout; later positions only change their classes. */
export class Scene {
  #cells = "";
  #blocks = [];
  #slots = [];

  constructor(cells, hues, naming) {
    this.cells = cells;
    this.hues = hues;
    scenes += 1;
    /** The id of what the magnifier shows again. */
    this.id = `nb-scene-${scenes}`;
    this.paths = { face: cells.shape(0.9, 2.2), ring: cells.shape(0.2, 2.6), socket: cells.shape(0.7, 2), cursor: cells.shape(-1, 3.2) };
    this.layers = Object.fromEntries(["last", "blocks", "leaving", "cursor", "marks"].map((name) => [name, svg("g", { class: `nb-layer-${name}` })]));
    this.#slots = cells.all.map((_, cell) => this.#put(cell, svg("g")));
    // Upper rows first: a block that is raised stands before the one behind it.
    this.layers.blocks.append(...this.#slots.toReversed());
    const frame = cells.frame();
    this.content = svg("g", { id: this.id },
      svg("path", { d: cells.ground(0.06), class: "nb-bed" }),
      svg("g", { class: "nb-sockets" }, ...cells.all.map((_, cell) => this.#put(cell, svg("path", { d: this.paths.socket })))),
      ...Object.values(this.layers));
    this.element = svg("svg", { viewBox: Object.values(frame).join(" "), class: "nb-board", ...naming },
      svg("rect", { ...frame, rx: 5, class: "nb-frame" }), this.#coordinates(), this.content);
  }

  #put(cell, element) {
    element.setAttribute("transform", `translate(${this.cells.middle(cell).map((value) => value.toFixed(2)).join(" ")})`);
    return element;
  }

  #coordinates() {
    return svg("g", { class: "nb-coordinates", "aria-hidden": "true" },
      ...this.cells.labels().map(([text, x, y]) => svg("text", { x: x.toFixed(1), y: y.toFixed(1) }, text)));
  }

  #block(cell, hue) {
    const { face } = this.paths;
    return svg("g", { class: `nb-block nb-${hue.key}`, "data-cell": cell },
      svg("path", { d: face, class: "nb-side" }),
      svg("g", { class: "nb-top" }, svg("path", { d: face, class: "nb-face" }), sign(hue)));
  }

  /** Shows the blocks of a view; when `animate`, those that have gone since the last one lift off and fade. */
  blocks(view, animate) {
    const before = this.#cells;
    this.#cells = view.cells;
    const gone = [];
    [...view.cells].forEach((letter, cell) => {
      if (letter === before[cell]) return;
      if (letter === "." && this.#blocks[cell]) gone.push(this.#put(cell, svg("g", { class: "is-leaving" }, this.#blocks[cell])));
      this.#blocks[cell] = letter === "." ? null : this.#block(cell, this.hues[letter]);
      this.#slots[cell].replaceChildren(...(this.#blocks[cell] ? [this.#blocks[cell]] : []));
    });
    this.layers.leaving.replaceChildren(...(animate && !still() ? gone : []));
    for (const block of gone) block.addEventListener("animationend", () => block.remove());
  }

  /** Gives each block its state: `stateOf(cell)` is a list of class names. */
  states(stateOf) {
    this.#blocks.forEach((block, cell) => {
      block?.setAttribute("class", ["nb-block", `nb-${this.hues[this.#cells[cell]].key}`, ...stateOf(cell)].join(" "));
    });
  }

  /** The outlines left by the blocks that were taken last. */
  last(last) {
    const hue = last && this.hues[last.colour];
    this.layers.last.replaceChildren(...(last?.cells ?? []).map((cell) =>
      this.#put(cell, svg("g", { class: `nb-gone nb-${hue.key}` }, svg("path", { d: this.paths.face }), sign(hue)))));
  }

  /** Marks above the blocks: `{cell, kind}` with kind `chosen`, `joins` or `pending`. */
  marks(list) {
    this.layers.marks.replaceChildren(...list.map(({ cell, kind }) =>
      this.#put(cell, svg("g", { class: `nb-mark is-${kind}` },
        svg("path", { d: this.paths.ring, class: "nb-ring-halo" }), svg("path", { d: this.paths.ring, class: "nb-ring" }),
        ...(kind === "chosen" ? [tick()] : [])))));
  }

  /** Lets a block shake its head. */
  refuse(cell) {
    const top = this.#blocks[cell]?.querySelector(".nb-top");
    top?.animate?.([0, -1.4, 1.4, -0.8, 0].map((x) => ({ translate: `${x}px 0` })), { duration: still() ? 0 : 220 });
  }

  /** Shows where the keys are, on a block that is `lifted` or not; no cell is `null`. */
  cursor(cell, lifted) {
    const ring = cell === null ? [] : [this.#put(cell, svg("g", {}, svg("path", { d: this.paths.cursor, class: `nb-cursor${lifted ? " is-lifted" : ""}` })))];
    this.layers.cursor.replaceChildren(...ring);
  }
}

function tick() {
  return svg("g", { class: "nb-tick", transform: "translate(6.8 -9.4)" }, svg("circle", { r: 4.3 }), svg("path", { d: "M-2 .1-.6 1.6 2.1-1.5" }));
}
