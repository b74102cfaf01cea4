// Draws the Blokus board and its pieces as SVG. Colours and line styles are in board.css.

import { UNIT, grout, outline, piecesOn } from "./geometry.js";
import { svg } from "../js/dom.js";

/** The sign that tells a colour apart without its colour, on the cell [x, y]. */
function mark(colour, [x, y]) {
  const side = UNIT * 0.5;
  const inset = (UNIT - side) / 2;
  return svg("use", { href: `#mark-${colour}`, x: x * UNIT + inset, y: y * UNIT + inset, width: side, height: side, class: "bk-mark" });
}

/** A piece of a colour on cells [x, y] counted from the top left. */
export function piece(colour, cells, { marks = true } = {}) {
  const path = outline(cells);
  const group = svg("g", { class: `bk-piece bk-${colour}` },
    svg("path", { d: path, class: "bk-side" }),
    svg("path", { d: path, class: "bk-face" }),
    svg("path", { d: grout(cells), class: "bk-grout" }));
  if (marks) group.append(...cells.map((cell) => mark(colour, cell)));
  return group;
}

/** A drawing of one orientation alone, as trays and dialogs show it. */
export function figure(shapes, orientation, colour, { marks = true, margin = 2 } = {}) {
  const { width, height } = shapes.all[orientation];
  const box = [-margin, -margin, width * UNIT + 2 * margin, height * UNIT + 2 * margin + 1];
  const drawing = svg("svg", { viewBox: box.join(" "), "aria-hidden": "true", class: "bk-figure" },
    piece(colour, shapes.drawnShape(orientation), { marks }));
  drawing.style.setProperty("--w", width);
  drawing.style.setProperty("--h", height);
  return drawing;
}

/** The board with its layers, bottom to top; only `layers` change afterwards. */
export class Scene {
  constructor(data, shapes, label) {
    this.data = data;
    this.shapes = shapes;
    const side = data.size * UNIT;
    const [wide, slim] = [UNIT * 0.85, UNIT * 0.3];
    const frame = { x: -wide, y: -slim, width: side + wide + slim, height: side + wide + slim };
    this.layers = Object.fromEntries(
      ["pieces", "last", "dots", "pending", "ghost"].map((name) => [name, svg("g", { class: `bk-layer-${name}` })]));
    this.element = svg("svg",
      {
        viewBox: Object.values(frame).join(" "),
        class: "bk-board", role: "application", tabindex: "0", "aria-label": label,
      },
      hatching(),
      svg("rect", { ...frame, rx: 5, class: "bk-frame" }),
      svg("rect", { x: -1.2, y: -1.2, width: side + 2.4, height: side + 2.4, class: "bk-bed" }),
      svg("path", { d: squares(data.size), class: "bk-squares" }),
      coordinates(data), this.#starts(), ...Object.values(this.layers));
  }

  #starts() {
    const group = svg("g", { class: "bk-starts" });
    for (const [colour, cells] of Object.entries(this.data.starts)) {
      for (const cell of cells) {
        const [x, y] = this.shapes.drawn(cell);
        group.append(svg("g", { class: `bk-start bk-${colour}` },
          svg("rect", { x: x * UNIT + 2.5, y: y * UNIT + 2.5, width: UNIT - 5, height: UNIT - 5, rx: 2 }), mark(colour, [x, y])));
      }
    }
    return group;
  }

  /** The placed pieces; `fresh` are the cells of the piece that has just come. */
  pieces(view, fresh) {
    const colours = Object.fromEntries(this.data.colours.map((key) => [key[0], key]));
    this.layers.pieces.replaceChildren(...piecesOn(view.cells, this.data.size).map(({ letter, cells }) => {
      const group = piece(colours[letter], cells.map((cell) => this.shapes.drawn(cell)));
      if (fresh && cells.includes(fresh[0])) group.classList.add("is-fresh");
      return group;
    }));
  }

  last(last) {
    const shown = last ? [svg("path", { d: outline(last.cells.map((c) => this.shapes.drawn(c)), 0, 0.12), class: "bk-last-halo" }),
      svg("path", { d: outline(last.cells.map((c) => this.shapes.drawn(c)), 0, 0.12), class: "bk-last" })] : [];
    this.layers.last.replaceChildren(...shown);
  }

  /** Dots on the cells where the colour may attach. */
  dots(colour, cells) {
    this.layers.dots.replaceChildren(...cells.map((cell) => {
      const [x, y] = this.shapes.drawn(cell);
      return svg("circle", { cx: (x + 0.5) * UNIT, cy: (y + 0.5) * UNIT, r: UNIT * 0.15, class: `bk-dot bk-${colour}`, "data-cell": cell });
    }));
  }

  /** A move that was sent and is not yet acknowledged. */
  pending(colour, cells) {
    if (!cells) return this.layers.pending.replaceChildren();
    const drawn = cells.map((cell) => this.shapes.drawn(cell));
    return this.layers.pending.replaceChildren(svg("g", { class: `bk-pending bk-${colour}` }, piece(colour, drawn),
      svg("path", { d: outline(drawn, 0.02, 0.1), class: "bk-dashes" })));
  }
}

function squares(size) {
  const gap = 0.55;
  const side = UNIT - 2 * gap;
  const parts = [];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) parts.push(`M${x * UNIT + gap} ${y * UNIT + gap}h${side}v${side}h${-side}z`);
  }
  return parts.join("");
}

function coordinates({ size, columns }) {
  const group = svg("g", { class: "bk-coordinates", "aria-hidden": "true" });
  const label = (x, y, text) => group.append(svg("text", { x, y }, text));
  for (let i = 0; i < size; i += 1) {
    const middle = (i + 0.5) * UNIT;
    label(middle, size * UNIT + UNIT * 0.46, columns[i]);
    label(-UNIT * 0.46, middle, String(size - i));
  }
  return group;
}

function hatching() {
  return svg("defs", {}, svg("pattern", { id: "bk-hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 2.2, height: 5, class: "bk-hatch-line" })));
}
