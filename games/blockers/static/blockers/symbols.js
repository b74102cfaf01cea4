// The pictograms of the nine areas and the wild star, and the faces of tiles, as SVG. Colours and line styles are in board.css.

import { svg } from "../js/dom.js";

/** Per area what is filled and what is drawn in lines, in a square of 20. In order: sun, waves, leaf, pillar, fish, jug, moon, key, anchor. */
const SHAPES = {
  a: {
    fill: "M10 6.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6Z",
    line: "M10 1.6v2.4M10 16v2.4M1.6 10h2.4M16 10h2.4M4.1 4.1l1.7 1.7M14.2 14.2l1.7 1.7M4.1 15.9l1.7-1.7M14.2 5.8l1.7-1.7",
  },
  b: { line: "M1.8 6.6q2.7-3.6 5.4 0t5.4 0t5.4 0M1.8 11.2q2.7-3.6 5.4 0t5.4 0t5.4 0M1.8 15.8q2.7-3.6 5.4 0t5.4 0t5.4 0" },
  c: { line: "M3 17.2L11.6 8.6M5 15C2.6 8.4 7.4 3 17 3C17.2 12.6 11.6 17.4 5 15Z" },
  d: { fill: "M3.4 2.4h13.2v2.8H3.4ZM5 6.2h2.4v7.8H5ZM8.8 6.2h2.4v7.8H8.8ZM12.6 6.2h2.4v7.8h-2.4ZM3.4 15h13.2v2.8H3.4Z" },
  e: { fill: "M1.6 10C4.4 4.8 10.4 4.2 14 8.8L18.4 5v10L14 11.2C10.4 15.8 4.4 15.2 1.6 10ZM6 7.7a1.2 1.2 0 1 0 0 2.4a1.2 1.2 0 1 0 0-2.4Z" },
  f: {
    fill: "M7 1.8h6v2.2h-1.2v1.8C14.4 6.8 15.6 8.8 15.6 11c0 3-1.8 5.2-3.4 7.2H7.8C6.2 16.2 4.4 14 4.4 11c0-2.2 1.2-4.2 3.8-5.2V4H7Z",
    line: "M7.6 4.6C4.4 4.2 2.6 6 3.4 9.4M12.4 4.6C15.6 4.2 17.4 6 16.6 9.4",
  },
  g: { fill: "M13.2 2.2A8.1 8.1 0 1 0 17.8 13.2A6.9 6.9 0 0 1 13.2 2.2Z" },
  h: { line: "M6 6.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6ZM9.8 10h8.2v4M14.2 10v3.2" },
  i: { line: "M10 2.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 1 1 0-3.6ZM10 5.8v11.8M6.2 8.6h7.6M2.6 11.4c.6 4 3.4 6.2 7.4 6.2s6.8-2.2 7.4-6.2" },
  "*": { fill: "M10 1.6L12.5 7.2L18.6 7.9L14.1 12L15.3 18.1L10 15L4.7 18.1L5.9 12L1.4 7.9L7.5 7.2Z" },
};

export const isSymbol = (tile) => tile in SHAPES;

/** The pictogram of an area or the star, in a square of `side` with its upper left corner at [x, y]. */
export function pictogram(symbol, x, y, side) {
  const { fill, line } = SHAPES[symbol];
  const scale = side / 20;
  const group = svg("g", { class: "bl-pictogram", transform: `translate(${x} ${y}) scale(${scale})` });
  if (fill) group.append(svg("path", { d: fill, class: "bl-fill", "fill-rule": "evenodd" }));
  if (line) group.append(svg("path", { d: line, class: "bl-line" }));
  return group;
}

/** Short strokes beside a letter point along its row, above and below a number along its column. */
const POINTERS = { row: "M1.9 10h1.9M16.2 10h1.9", column: "M10 1.9v1.9M10 16.2v1.9" };

/** What is on a tile: letter, number, pictogram or star, and the sign of its colour; in a square of 20 at [x, y]. */
export function face(colour, tile, x = 0, y = 0) {
  const group = svg("g", { class: `bl-tile-face bl-${colour}`, transform: `translate(${x} ${y})` });
  if (isSymbol(tile)) {
    group.append(pictogram(tile, 4.6, 4.9, 10.8));
  } else {
    const kind = tile >= "1" && tile <= "9" ? "column" : "row";
    group.append(svg("text", { x: 10, y: 10.4, class: "bl-character" }, tile), svg("path", { d: POINTERS[kind], class: "bl-pointer" }));
  }
  group.append(svg("use", { href: `#mark-${colour}`, x: 14, y: 1.7, width: 4.4, height: 4.4, class: "bl-sign" }));
  return group;
}

/** A whole tile alone, as racks and panels show it; `null` shows its back. */
export function figure(colour, tile) {
  const block = [svg("rect", { x: 0.7, y: 2, width: 18.6, height: 18.6, rx: 2, class: "bl-side" }),
    svg("rect", { x: 0.7, y: 0.7, width: 18.6, height: 18.6, rx: 2, class: "bl-block" })];
  const back = () => svg("use", { href: `#mark-${colour}`, x: 4, y: 4, width: 12, height: 12, class: "bl-back" });
  return svg("svg", { viewBox: "0 0 20 21.4", "aria-hidden": "true", class: `bl-figure bl-${colour}` }, ...block, tile === null ? back() : face(colour, tile));
}
