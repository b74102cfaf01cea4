// Draws the Blockers! board as SVG, layer by layer. Colours and line styles are in board.css.

import { SIZE, UNIT, outline, place, seams } from "./geometry.js";
import { face, pictogram } from "./symbols.js";
import { svg } from "../js/dom.js";

const LAYERS = ["lane", "groups", "rim", "shine", "last", "pending", "marks", "ghost", "lift", "cursor"];
const SIDE = SIZE * UNIT;
/** Room for letters and numbers, and for the plain edge opposite. */
const [WIDE, SLIM] = [UNIT * 0.66, UNIT * 0.22];

const at = (cell) => place(cell).map((value) => value * UNIT);

/** The tiles of one group as one block of stone with seams, each with its face. */
function block(colour, tiles) {
  const cells = tiles.map(({ cell }) => cell);
  const path = outline(cells, 0.04, 0.11);
  return svg("g", { class: `bl-group bl-${colour}` },
    svg("path", { d: path, class: "bl-side" }), svg("path", { d: path, class: "bl-block" }), svg("path", { d: seams(cells), class: "bl-seam" }),
    ...tiles.map(({ cell, tile }) => face(colour, tile, ...at(cell))));
}

/** The board with its layers, bottom to top; only `layers` change afterwards. */
export class Scene {
  constructor(grid, label) {
    this.grid = grid;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: `bl-layer-${name}` })]));
    const frame = { x: -WIDE, y: -WIDE, width: SIDE + WIDE + SLIM, height: SIDE + WIDE + SLIM };
    this.element = svg("svg",
      { viewBox: Object.values(frame).join(" "), class: "bl-board", role: "application", tabindex: "0", "aria-label": label },
      svg("rect", { ...frame, rx: 5, class: "bl-frame" }),
      svg("rect", { x: -1.4, y: -1.4, width: SIDE + 2.8, height: SIDE + 2.8, class: "bl-bed" }),
      ...this.#ground(), this.#coordinates(), ...LAYERS.slice(1).map((name) => this.layers[name]));
  }

  /** The cell at a point of the window, or `null`. */
  cellAt(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(this.element.getScreenCTM().inverse());
    const [column, row] = [Math.floor(point.x / UNIT), Math.floor(point.y / UNIT)];
    return column >= 0 && column < SIZE && row >= 0 && row < SIZE ? row * SIZE + column : null;
  }

  /** Pixels to a cell's side. */
  get pixels() {
    return this.element.getScreenCTM().a * UNIT;
  }

  #ground() {
    const cells = [...this.grid.areas];
    const order = [...new Set(cells)];
    const square = (cell) => {
      const [x, y] = at(cell);
      return `M${x + 0.45} ${y + 0.45}h${UNIT - 0.9}v${UNIT - 0.9}h${0.9 - UNIT}z`;
    };
    const floors = order.map((area, i) => svg("path", {
      class: `bl-floor${i % 2 ? " is-other" : ""}`, d: cells.map((one, cell) => (one === area ? square(cell) : "")).join(""),
    }));
    const seals = svg("g", { class: "bl-seals" }, ...cells.map((area, cell) => {
      const [x, y] = at(cell);
      return pictogram(area, x + 5, y + 5, 10);
    }));
    order.forEach((area) => {
      const [x, y] = at(cells.indexOf(area));
      seals.append(svg("text", { x: x + 2.9, y: y + 3.6, class: "bl-area-name" }, area));
    });
    const walls = svg("path", { class: "bl-walls", d: [3, 6].map((i) => `M${i * UNIT} 0v${SIDE}M0 ${i * UNIT}h${SIDE}`).join("") });
    return [...floors, this.layers.lane, seals, walls];
  }

  #coordinates() {
    const group = svg("g", { class: "bl-coordinates", "aria-hidden": "true" });
    this.labels = { row: [], column: [] };
    for (let i = 0; i < SIZE; i += 1) {
      const along = (i + 0.5) * UNIT;
      this.labels.row.push(svg("text", { x: -WIDE / 2 - 0.5, y: along }, this.grid.rows[i]));
      this.labels.column.push(svg("text", { x: along, y: -WIDE / 2 - 0.3 }, String(i + 1)));
    }
    group.append(...this.labels.row, ...this.labels.column);
    return group;
  }

  /** All tiles, group by group; `fresh` is the cell of a tile that has just come. */
  tiles(view, fresh = null) {
    this.layers.groups.replaceChildren(...view.colours.flatMap(({ key, groups }) => groups.map((cells) => {
      const tiles = cells.map((cell) => ({ cell, tile: view.cells[cell].tile }));
      if (!cells.includes(fresh)) return block(key, tiles);
      const element = block(key, tiles);
      element.querySelectorAll(".bl-tile-face")[cells.indexOf(fresh)].classList.add("is-fresh");
      return element;
    })));
  }

  /** The tile that a capture has just taken off rises and fades. */
  lift(captured, cell) {
    this.layers.lift.replaceChildren();
    if (!captured) return;
    const group = svg("g", { class: "bl-lifted" }, block(this.grid.colours[captured.colour], [{ cell, tile: captured.tile }]));
    group.addEventListener("animationend", () => group.remove());
    this.layers.lift.append(group);
  }

  /** The ring round the last move, with the sign of what it captured. */
  last(last) {
    if (!last) return this.layers.last.replaceChildren();
    const ring = outline([last.cell], 0, 0.12);
    const parts = [svg("path", { d: ring, class: "bl-last-halo" }), svg("path", { d: ring, class: "bl-last" })];
    if (last.captured) parts.push(this.#trophy(last.cell, this.grid.colours[last.captured.colour]));
    return this.layers.last.replaceChildren(...parts);
  }

  #trophy(cell, colour) {
    const [x, y] = at(cell);
    return svg("g", { class: `bl-trophy bl-${colour}`, transform: `translate(${x + 0.4} ${y + 19.6})` },
      svg("rect", { x: -3, y: -3.2, width: 6.4, height: 6.4, rx: 1 }), svg("use", { href: `#mark-${colour}`, x: -2.6, y: -2.8, width: 5.6, height: 5.6 }));
  }

  /** Lights up where a tile points; `null` puts it out. Letters and numbers at the edge light up with it. */
  lane(cells, tile) {
    this.element.classList.toggle("has-lane", cells !== null);
    this.labels.row.forEach((label) => label.classList.toggle("is-lit", label.textContent === tile));
    this.labels.column.forEach((label) => label.classList.toggle("is-lit", label.textContent === tile));
    const path = cells && outline(cells, -0.01, 0.08);
    this.layers.lane.replaceChildren(...(cells ? [svg("path", { d: path, class: "bl-lane" })] : []));
    this.layers.rim.replaceChildren(...(cells ? [svg("path", { d: path, class: "bl-rim" })] : []));
  }

  /** Marks what the tile in hand may do: `free` and `captures` are cells, `barred` those with a tile that it may not capture. */
  marks({ colour, free = [], captures = [], barred = [] }) {
    this.layers.marks.replaceChildren(
      ...free.map((cell) => this.#socket(cell, colour)),
      ...captures.map((cell) => this.#target(cell, colour)),
      ...barred.map((cell) => this.#cross(cell)));
  }

  /** The outline of a tile, round the picture of the area. */
  #socket(cell, colour) {
    const [x, y] = at(cell);
    return svg("rect", { x: x + 2.4, y: y + 2.4, width: UNIT - 4.8, height: UNIT - 4.8, rx: 1.6, class: `bl-socket bl-${colour}`, "data-cell": cell });
  }

  #target(cell, colour) {
    const [x, y] = at(cell);
    const corners = "M1.1 5V1.1h3.9M15 1.1h3.9v3.9M18.9 15v3.9h-3.9M5 18.9H1.1v-3.9";
    return svg("g", { class: `bl-target bl-${colour}`, transform: `translate(${x} ${y})`, "data-cell": cell },
      svg("path", { d: corners, class: "bl-target-halo" }), svg("path", { d: corners }));
  }

  /** The sign of a tile that may not be captured. */
  #cross(cell) {
    const [x, y] = at(cell);
    return svg("g", { class: "bl-barred", transform: `translate(${x + 3.6} ${y + 16.4})`, "data-cell": cell },
      svg("circle", { r: 3.3 }), svg("path", { d: "M-1.4-1.4 1.4 1.4M1.4-1.4-1.4 1.4" }));
  }

  /** Outlines groups; with `numbers` each gets its number, with `bad` they are the reason of a refusal. */
  shine(groups, { numbers = false, bad = false } = {}) {
    this.layers.shine.replaceChildren(...groups.flatMap((cells, i) => {
      const path = outline(cells, -0.005, 0.13);
      const parts = [svg("path", { d: path, class: "bl-shine-halo" }), svg("path", { d: path, class: `bl-shine${bad ? " is-bad" : ""}` })];
      return numbers ? [...parts, this.#number(cells[0], i + 1)] : parts;
    }));
  }

  #number(cell, number) {
    const [x, y] = at(cell);
    return svg("g", { class: "bl-number", transform: `translate(${x + 2.6} ${y + 2.6})` }, svg("circle", { r: 4 }), svg("text", { y: 0.3 }, String(number)));
  }

  /** The tile in hand over a cell: `standing` legal, illegal or planned; `resting` once it is put down there. */
  ghost(hand) {
    this.layers.ghost.replaceChildren();
    if (!hand) return;
    const { colour, tile, cell, standing, resting } = hand;
    const ring = outline([cell], 0, 0.12);
    const group = svg("g", { class: `bl-ghost is-${standing}${resting ? " is-resting" : ""}` },
      svg("path", { d: ring, class: "bl-ghost-halo" }), svg("path", { d: ring, class: "bl-ghost-line" }));
    // What keeps the tile out must stay readable.
    if (standing === "illegal") group.append(this.#cross(cell));
    else group.prepend(block(colour, [{ cell, tile }]));
    this.layers.ghost.append(group);
  }

  /** A move that was sent and is not yet acknowledged. */
  pending(colour, move) {
    this.layers.pending.replaceChildren(...(move ? [svg("g", { class: "bl-pending" }, block(colour, [move])),
      svg("path", { d: outline([move.cell], 0.02, 0.1), class: "bl-dashes" })] : []));
  }

  /** The cell that the arrow keys have reached; `null` hides it. */
  cursor(cell) {
    this.layers.cursor.replaceChildren(...(cell === null ? [] : [svg("path", { d: outline([cell], 0.03, 0.1), class: "bl-cursor" })]));
  }
}
