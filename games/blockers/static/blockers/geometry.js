// Cells of the Blockers! board: their names, the lanes that tiles point at, the outlines of groups. Geometry only; what is legal comes from the server.

/** Length of a cell's side in the coordinates of the drawings. */
export const UNIT = 20;
export const SIZE = 9;

const MOVE = /^(?:([a-z]):)?([A-I1-9a-i*])@([A-I])([1-9])$/;

/** What the variant's data says about colours, rows and areas. */
export class Grid {
  constructor({ areas, rows, colours, seats }) {
    Object.assign(this, { areas, rows, colours, seats });
    /** Whether a seat plays more than one colour, so that moves name theirs. */
    this.double = new Set(seats).size < seats.length;
  }

  name(cell) {
    return `${this.rows[Math.floor(cell / SIZE)]}${(cell % SIZE) + 1}`;
  }

  /** The cells a tile points at: a row, a column, an area, or for the wild tile all. */
  lane(tile) {
    return [...this.areas].flatMap((_, cell) => (this.points(tile, cell) ? [cell] : []));
  }

  points(tile, cell) {
    const at = [this.rows[Math.floor(cell / SIZE)], String((cell % SIZE) + 1), this.areas[cell], "*"];
    return at.includes(tile);
  }

  text(colour, tile, cell) {
    return `${this.double ? `${this.colours[colour][0]}:` : ""}${tile}@${this.name(cell)}`;
  }

  /** A move's text as `{colour, tile, cell}`; `colour` is `undefined` where the text does not name it. `null` for other texts. */
  parse(text) {
    const found = MOVE.exec(text);
    if (!found) return null;
    const [, letter, tile, row, column] = found;
    const colour = letter && this.colours.findIndex((key) => key[0] === letter);
    return { colour, tile, cell: this.rows.indexOf(row) * SIZE + Number(column) - 1 };
  }
}

export const place = (cell) => [cell % SIZE, Math.floor(cell / SIZE)];

/** The SVG path round a set of cells, drawn in by `inset` cells, with corners rounded by `radius` cells. */
export function outline(cells, inset = 0.05, radius = 0.1) {
  return loops(new Set(cells)).map((corners) => rounded(corners.map((corner, i) => {
    const [before, after] = [corners.at(i - 1), corners[(i + 1) % corners.length]];
    const [inX, inY] = inward(before, corner);
    const [outX, outY] = inward(corner, after);
    return [(corner[0] + inset * (inX + outX)) * UNIT, (corner[1] + inset * (inY + outY)) * UNIT];
  }), radius * UNIT)).join("");
}

/** The lines between neighbouring cells of a set. */
export function seams(cells, inset = 0.16) {
  const set = new Set(cells);
  const [from, length] = [inset * UNIT, (1 - 2 * inset) * UNIT];
  return cells.map((cell) => {
    const [x, y] = place(cell);
    const right = x < SIZE - 1 && set.has(cell + 1) ? `M${(x + 1) * UNIT} ${y * UNIT + from}v${length}` : "";
    const below = set.has(cell + SIZE) ? `M${x * UNIT + from} ${(y + 1) * UNIT}h${length}` : "";
    return right + below;
  }).join("");
}

const step = ([ax, ay], [bx, by]) => [Math.sign(bx - ax), Math.sign(by - ay)];

/** The direction towards the cells from a side that runs with them on its right. */
function inward(from, to) {
  const [dx, dy] = step(from, to);
  return [-dy, dx];
}

/** The boundary as closed lists of corners, each run with the cells on its right. */
function loops(set) {
  const sides = new Map();
  const add = (from, to) => sides.set(String(from), [...(sides.get(String(from)) ?? []), [from, to]]);
  for (const cell of set) {
    const [x, y] = place(cell);
    if (!set.has(cell - SIZE)) add([x, y], [x + 1, y]);
    if (x === SIZE - 1 || !set.has(cell + 1)) add([x + 1, y], [x + 1, y + 1]);
    if (!set.has(cell + SIZE)) add([x + 1, y + 1], [x, y + 1]);
    if (x === 0 || !set.has(cell - 1)) add([x, y + 1], [x, y]);
  }
  const found = [];
  while (sides.size) found.push(walk(sides));
  return found;
}

function walk(sides) {
  const [first] = sides.values().next().value;
  const corners = [];
  let side = first;
  do {
    const next = turn(sides.get(String(side[1])), side);
    take(sides, next);
    if (String(step(...side)) !== String(step(...next))) corners.push(side[1]);
    side = next;
  } while (side !== first);
  return corners;
}

function take(sides, side) {
  const key = String(side[0]);
  const rest = sides.get(key).filter((other) => other !== side);
  if (rest.length) sides.set(key, rest);
  else sides.delete(key);
}

/** Where two corners of a group meet in a point, the way to the right stays with the same cell. */
function turn(ways, side) {
  const [x, y] = inward(...side);
  return ways.find((way) => String(step(...way)) === String([x, y])) ?? ways[0];
}

function rounded(points, radius) {
  return `${points.map((point, i) => {
    const [before, after] = [points.at(i - 1), points[(i + 1) % points.length]];
    const near = (other) => {
      const length = Math.hypot(other[0] - point[0], other[1] - point[1]);
      const part = Math.min(radius, length / 2) / length;
      return point.map((value, axis) => (value + (other[axis] - value) * part).toFixed(2)).join(" ");
    };
    return `${i ? "L" : "M"}${near(before)}Q${point.map((value) => value.toFixed(2)).join(" ")} ${near(after)}`;
  }).join("")}Z`;
}
