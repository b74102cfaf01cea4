// Which blocks are chosen for a move, and what the server's offer says about them. It decides nothing itself.

/** Up to 13 blocks of a colour, so a set of them is one small number: bit i stands for the colour's i-th offered cell. */
class Offered {
  constructor(sets) {
    this.cells = [...new Set(sets.flat())].sort((a, b) => a - b);
    this.sets = sets.map((set) => this.mask(set));
    this.known = new Set(this.sets);
  }

  mask(cells) {
    return cells.reduce((mask, cell) => mask | (1 << this.cells.indexOf(cell)), 0);
  }

  has(cells) {
    return cells.every((cell) => this.cells.includes(cell));
  }

  /** Whether some offered set holds all these cells. */
  within(cells) {
    if (!this.has(cells)) return false;
    const mask = this.mask(cells);
    return this.sets.some((set) => (set & mask) === mask);
  }

  legal(cells) {
    return this.has(cells) && this.known.has(this.mask(cells));
  }

  /** The largest offered set that holds all these cells, as cells. */
  largest(cells) {
    const mask = this.mask(cells);
    const size = (set) => set.toString(2).replaceAll("0", "").length;
    const fitting = this.sets.filter((set) => (set & mask) === mask);
    const best = fitting.reduce((a, b) => (size(b) > size(a) ? b : a), 0);
    return this.cells.filter((_, i) => best & (1 << i));
  }
}

export class Choice {
  /** The chosen cells, ascending, all of `colour`. */
  cells = [];
  colour = null;
  #offered = new Map();

  /** Takes a new offer, or `null`; what is chosen stays as far as it is still part of something legal. */
  deal(offer) {
    this.#offered = new Map(Object.entries(offer ?? {}).map(([colour, sets]) => [colour, new Offered(sets)]));
    this.pickable = new Set([...this.#offered.values()].flatMap((one) => one.cells));
    if (this.colour && !this.#of(this.colour)?.within(this.cells)) this.clear();
  }

  #of(colour) {
    return this.#offered.get(colour);
  }

  clear() {
    this.cells = [];
    this.colour = null;
  }

  /** Whether the cell, of `colour`, may join what is chosen. */
  joins(cell, colour) {
    return this.colour !== null && colour === this.colour && !this.cells.includes(cell) && this.#of(colour).within([...this.cells, cell]);
  }

  /** All cells that may join. */
  get joining() {
    return this.colour === null ? [] : this.#of(this.colour).cells.filter((cell) => this.joins(cell, this.colour));
  }

  /** Begins anew with one cell. */
  start(cell, colour) {
    this.cells = [cell];
    this.colour = colour;
  }

  add(cell) {
    this.cells = [...this.cells, cell].sort((a, b) => a - b);
  }

  /** Lays one cell back. */
  remove(cell) {
    this.cells = this.cells.filter((one) => one !== cell);
    if (this.cells.length === 0) this.clear();
  }

  get legal() {
    return this.cells.length > 0 && this.#of(this.colour).legal(this.cells);
  }

  /** As many as can be taken together with what is chosen. */
  get most() {
    return this.cells.length ? this.#of(this.colour).largest(this.cells) : [];
  }

  takeMost() {
    this.cells = this.most;
  }

  /** The size of the largest legal set of a colour. */
  limit(colour) {
    return this.#of(colour)?.largest([]).length ?? 0;
  }
}
