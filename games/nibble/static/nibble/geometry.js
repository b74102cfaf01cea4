// Where the cells of a Nibble board lie, square or hexagonal: middles, outlines, names, steps. Geometry only; what is legal comes from the server.

/** Distance between the middles of two neighbours in the coordinates of the drawings. */
export const UNIT = 20;

const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
const RADIUS = 1 / Math.sqrt(3);
const HEXAGON = [0, 1, 2, 3, 4, 5].map((i) => [Math.sin((i * Math.PI) / 3) * RADIUS, -Math.cos((i * Math.PI) / 3) * RADIUS]);
const HALF = Math.sqrt(3) / 2;

/** Steps to a neighbour, x to the right and y up, by the name of the direction. */
const STEPS = {
  square: { left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] },
  hex: { left: [-1, 0], right: [1, 0], up: [0.5, HALF], down: [-0.5, -HALF], up2: [-0.5, HALF], down2: [0.5, -HALF] },
};
/** The other direction that leads the same way up or down on a hexagon. */
const TWIN = { up: "up2", down: "down2", up2: "up", down2: "down" };

const key = (x, y) => `${Math.round(x * 2)},${Math.round(y * 20)}`;

export class Cells {
  constructor(data) {
    this.hexagonal = data.shape === "hex";
    this.all = data.cells;
    this.names = data.cells.map((cell) => cell.name);
    this.width = Math.max(...data.cells.map((cell) => cell.x));
    this.height = Math.max(...data.cells.map((cell) => cell.y));
    this.corners = this.hexagonal ? HEXAGON : SQUARE;
    this.index = new Map(data.cells.map((cell, index) => [cell.name, index]));
    this.at = new Map(data.cells.map(({ x, y }, index) => [key(x, y), index]));
  }

  /** The middle of a cell in the drawing, whose y goes down. */
  middle(cell) {
    const { x, y } = this.all[cell];
    return [x * UNIT, (this.height - y) * UNIT];
  }

  /** The cell under a point of the drawing, or `null`: the nearest middle within reach among the cells that `counts` lets through. */
  under(x, y, reach = this.hexagonal ? 0.59 : 0.71, counts = () => true) {
    let best = null;
    let least = (reach * UNIT) ** 2;
    this.all.forEach((_, cell) => {
      const [mx, my] = this.middle(cell);
      const distance = (mx - x) ** 2 + (my - y) ** 2;
      if (distance < least && counts(cell)) [best, least] = [cell, distance];
    });
    return best;
  }

  /** The neighbour in a direction, or `null`; on a hexagon's rim the way up or down takes the other slant. */
  step(cell, direction) {
    const { x, y } = this.all[cell];
    for (const name of [direction, this.hexagonal ? TWIN[direction] : null]) {
      const step = STEPS[this.hexagonal ? "hex" : "square"][name];
      const found = step && this.at.get(key(x + step[0], y + step[1]));
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The path of one cell's shape round the middle, `inset` units smaller, its corners rounded. */
  shape(inset, round) {
    const factor = 1 - inset / (UNIT * 0.5);
    const points = this.corners.map(([x, y]) => [x * UNIT * factor, y * UNIT * factor]);
    const parts = points.map((point, i) => {
      const before = towards(point, points.at(i - 1), round);
      const after = towards(point, points[(i + 1) % points.length], round);
      return `${i ? "L" : "M"}${before}Q${point.map(short).join(" ")} ${after}`;
    });
    return `${parts.join("")}Z`;
  }

  /** The path of the board's whole ground, for what lies under the cells. */
  ground(grow) {
    const shape = this.corners.map(([x, y]) => [x * UNIT * (1 + grow), y * UNIT * (1 + grow)]);
    return this.all.map((_, cell) => {
      const [mx, my] = this.middle(cell);
      return `M${shape.map(([x, y]) => `${short(mx + x)} ${short(my + y)}`).join("L")}Z`;
    }).join("");
  }

  /** Cells as the one spelling of a move: by row, then column, which is the order of their indices. */
  text(cells) {
    return [...cells].sort((a, b) => a - b).map((cell) => this.names[cell]).join(",");
  }

  cellsOf(text) {
    return text.split(",").map((name) => this.index.get(name));
  }

  /** The colours of a layout ply, rows from the top, as one string by index. */
  layout(text) {
    const rows = new Map();
    this.all.forEach(({ y }, cell) => {
      const row = Math.round(y * 20);
      rows.set(row, [...(rows.get(row) ?? []), cell]);
    });
    const order = [...rows.keys()].sort((a, b) => b - a).flatMap((row) => rows.get(row));
    const colours = new Array(this.all.length).fill(".");
    [...text.replaceAll(/[=/]/g, "")].forEach((colour, i) => { colours[order[i]] = colour; });
    return colours.join("");
  }

  /** Where to write the names of columns and rows: `[text, x, y]`. */
  labels() {
    const columns = new Map();
    const rows = new Map();
    this.all.forEach(({ name }, cell) => {
      const letter = name.match(/^[a-z]+/)[0];
      const row = name.slice(letter.length);
      // Indices grow by row and then by column: the last of a column is its highest, the first of a row its leftmost.
      if (this.hexagonal || !columns.has(letter)) columns.set(letter, cell);
      if (!rows.has(row)) rows.set(row, cell);
    });
    const place = (x, y) => ([text, cell]) => {
      const [mx, my] = this.middle(cell);
      return [text, mx + x * UNIT, my + y * UNIT];
    };
    // A column of a hexagon slants to the right, so its name stands where it points to, out of the way of the rows' names.
    const above = this.hexagonal ? place(0.45, -0.78) : place(0, 0.76);
    return [...[...columns].map(above), ...[...rows].map(place(this.hexagonal ? -0.86 : -0.78, 0))];
  }

  /** The frame of the drawing: `{x, y, width, height}`. */
  frame() {
    const [left, right, top, bottom] = this.hexagonal ? [1.15, 1.15, 1.2, 0.85] : [1.02, 0.72, 0.76, 1.02];
    return { x: -left * UNIT, y: -top * UNIT, width: (this.width + left + right) * UNIT, height: (this.height + top + bottom) * UNIT };
  }
}

const short = (value) => Number(value.toFixed(2));

function towards([x, y], [tx, ty], length) {
  const share = length / Math.hypot(tx - x, ty - y);
  return `${short(x + (tx - x) * share)} ${short(y + (ty - y) * share)}`;
}
