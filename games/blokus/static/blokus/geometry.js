// Shapes on the Blokus board: turning, mirroring, outlines, names of cells. Geometry only; what is legal comes from the server.

/** Length of a cell's side in the coordinates of the drawings. */
export const UNIT = 20;

const keyOf = (cells) => cells.map(([x, y]) => `${x},${y}`).sort().join(" ");

function toOrigin(cells) {
  const left = Math.min(...cells.map(([x]) => x));
  const low = Math.min(...cells.map(([, y]) => y));
  return cells.map(([x, y]) => [x - left, y - low]);
}

/** The 91 orientations of a board's data with the tables for turning and mirroring them. */
export class Shapes {
  constructor(data) {
    this.size = data.size;
    this.columns = data.columns;
    this.pieces = data.pieces;
    this.all = data.orientations.map(({ piece, cells }, index) => ({
      index,
      piece,
      cells,
      width: 1 + Math.max(...cells.map(([x]) => x)),
      height: 1 + Math.max(...cells.map(([, y]) => y)),
    }));
    this.ofPiece = data.pieces.map((_, piece) => this.all.filter((o) => o.piece === piece).map((o) => o.index));
    this.found = new Map(this.all.map((o) => [keyOf(o.cells), o.index]));
    const changed = (change) => this.all.map((o) => this.#orientation(o.cells.map(change)));
    this.right = changed(([x, y]) => [y, -x]);
    this.left = changed(([x, y]) => [-y, x]);
    this.mirrored = changed(([x, y]) => [-x, y]);
  }

  #orientation(cells) {
    return this.found.get(keyOf(toOrigin(cells)));
  }

  /** The piece that covers these cell indices. */
  pieceOn(cells) {
    return this.all[this.#orientation(cells.map((cell) => this.place(cell)))].piece;
  }

  /** The first orientation in which a piece lies flat. */
  flat(piece) {
    return this.ofPiece[piece].reduce((best, o) => (this.all[o].width > this.all[best].width ? o : best));
  }

  /** The next orientation of the same piece, `step` places on, round and round. */
  next(index, step) {
    const list = this.ofPiece[this.all[index].piece];
    return list[(list.indexOf(index) + step + list.length) % list.length];
  }

  /** Cell indices that an orientation covers with its lower left corner on [column, row]. */
  cover(index, [column, row]) {
    return this.all[index].cells.map(([x, y]) => (row + y) * this.size + column + x).sort((a, b) => a - b);
  }

  /** The anchor nearest to the wanted one that keeps the whole piece on the board. */
  clamp(index, [column, row]) {
    const { width, height } = this.all[index];
    const within = (value, length) => Math.max(0, Math.min(this.size - length, value));
    return [within(column, width), within(row, height)];
  }

  /** The anchor after a change of orientation that leaves the piece's middle where it was. */
  recentred(from, to, [column, row]) {
    const a = this.all[from];
    const b = this.all[to];
    return this.clamp(to, [Math.round(column + (a.width - b.width) / 2), Math.round(row + (a.height - b.height) / 2)]);
  }

  place(cell) {
    return [cell % this.size, Math.floor(cell / this.size)];
  }

  name(cell) {
    const [column, row] = this.place(cell);
    return this.columns[column] + (row + 1);
  }

  /** Cells as the one spelling of a move: by row, then column. */
  text(cells) {
    return [...cells].sort((a, b) => a - b).map((cell) => this.name(cell)).join(",");
  }

  cellsOf(text) {
    return text.split(",").map((name) => (Number(name.slice(1)) - 1) * this.size + this.columns.indexOf(name[0]));
  }

  /** A board cell as [x, y] counted from the top left, as the drawings count. */
  drawn(cell) {
    const [column, row] = this.place(cell);
    return [column, this.size - 1 - row];
  }

  /** An orientation's cells counted from its own top left. */
  drawnShape(index) {
    const { cells, height } = this.all[index];
    return cells.map(([x, y]) => [x, height - 1 - y]);
  }
}

/** Sets of edge-connected cells of one colour: `[{letter, cells}]`. As equal colours never share an edge, each is a piece. */
export function piecesOn(letters, size) {
  const seen = new Set();
  const pieces = [];
  for (let start = 0; start < letters.length; start += 1) {
    if (letters[start] === "." || seen.has(start)) continue;
    const cells = [start];
    seen.add(start);
    for (const cell of cells) {
      for (const other of neighbours(cell, size)) {
        if (letters[other] === letters[start] && !seen.has(other)) {
          seen.add(other);
          cells.push(other);
        }
      }
    }
    pieces.push({ letter: letters[start], cells });
  }
  return pieces;
}

function neighbours(cell, size) {
  const column = cell % size;
  const list = [];
  if (column > 0) list.push(cell - 1);
  if (column < size - 1) list.push(cell + 1);
  if (cell >= size) list.push(cell - size);
  if (cell < size * (size - 1)) list.push(cell + size);
  return list;
}

/** The border of a set of cells [x, y] (y down) as corner points, clockwise, straight runs merged. */
function border(cells) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  const next = new Map();
  const edge = (x, y, nx, ny, fromX, fromY, toX, toY) => {
    if (!inside.has(`${nx},${ny}`)) next.set(`${fromX},${fromY}`, [toX, toY]);
  };
  for (const [x, y] of cells) {
    edge(x, y, x, y - 1, x, y, x + 1, y);
    edge(x, y, x + 1, y, x + 1, y, x + 1, y + 1);
    edge(x, y, x, y + 1, x + 1, y + 1, x, y + 1);
    edge(x, y, x - 1, y, x, y + 1, x, y);
  }
  const start = next.keys().next().value.split(",").map(Number);
  const points = [];
  let at = start;
  do {
    points.push(at);
    at = next.get(at.join(","));
  } while (at[0] !== start[0] || at[1] !== start[1]);
  return points.filter((point, i) => {
    const before = points.at(i - 1);
    const after = points[(i + 1) % points.length];
    return (before[0] === after[0]) === false && (before[1] === after[1]) === false;
  });
}

/** SVG path round a piece's cells, drawn `inset` within its border, corners rounded by `radius` (both in cells). */
export function outline(cells, inset = 0.04, radius = 0.1) {
  const points = border(cells);
  const along = (a, b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
  const commands = points.map((point, i) => {
    const [dx, dy] = along(points.at(i - 1), point);
    const [ex, ey] = along(point, points[(i + 1) % points.length]);
    const x = point[0] + inset * (-dy - ey);
    const y = point[1] + inset * (dx + ex);
    const at = (px, py) => `${round(px * UNIT)} ${round(py * UNIT)}`;
    return `${i ? "L" : "M"}${at(x - dx * radius, y - dy * radius)}Q${at(x, y)} ${at(x + ex * radius, y + ey * radius)}`;
  });
  return `${commands.join("")}Z`;
}

/** SVG path of the grout lines between a piece's own cells. */
export function grout(cells, gap = 0.12) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  const lines = [];
  for (const [x, y] of cells) {
    if (inside.has(`${x + 1},${y}`)) lines.push(`M${(x + 1) * UNIT} ${round((y + gap) * UNIT)}v${round((1 - 2 * gap) * UNIT)}`);
    if (inside.has(`${x},${y + 1}`)) lines.push(`M${round((x + gap) * UNIT)} ${(y + 1) * UNIT}h${round((1 - 2 * gap) * UNIT)}`);
  }
  return lines.join("");
}

function round(value) {
  return Math.round(value * 100) / 100;
}
