// What the person holds on the Blockers! board: a tile, the cell it is aimed at, and whether the server offers that move.

/** Free of the page, so that mouse, touch and keys can share it. */
export class Hand {
  constructor(grid) {
    this.grid = grid;
    this.racks = [];
    this.deal(null, []);
    this.drop();
  }

  /** Takes over a new offer (`null` while it is not the person's turn) and the own racks, `[{colour, tiles}]`; drops a tile that is gone. */
  deal(offer, racks) {
    this.racks = racks;
    this.offered = offer !== null;
    this.entries = new Map((offer ?? []).map((entry) => [this.grid.text(entry.colour, entry.tile, entry.cell), entry]));
    if (this.holding && !this.all.some(([colour, tile]) => colour === this.colour && tile === this.tile)) this.drop();
  }

  /** All tiles of the own racks as pairs of colour and tile, in the order they lie. */
  get all() {
    return this.racks.flatMap(({ colour, tiles }) => [...tiles].map((tile) => [colour, tile]));
  }

  get holding() {
    return this.tile !== null && this.tile !== undefined;
  }

  get aimed() {
    return this.holding && this.cell !== null;
  }

  get text() {
    return this.aimed ? this.grid.text(this.colour, this.tile, this.cell) : null;
  }

  /** The offered move that is aimed at, with what it changes; `null` when it is none. */
  get entry() {
    return this.entries.get(this.text) ?? null;
  }

  /** `legal`, `illegal`, or `planned` where the tile points while nothing is offered; `null` without a cell. */
  get standing() {
    if (!this.aimed) return null;
    if (!this.offered) return this.grid.points(this.tile, this.cell) ? "planned" : "illegal";
    return this.entry ? "legal" : "illegal";
  }

  take(colour, tile) {
    Object.assign(this, { colour, tile });
    this.lift();
  }

  drop() {
    this.take(null, null);
  }

  aim(cell) {
    this.cell = cell;
    this.resting = false;
  }

  /** Takes the tile off its cell, still held. */
  lift() {
    this.aim(null);
  }

  /** The offered moves of one tile, in the order of their cells. */
  moves(colour = this.colour, tile = this.tile) {
    return [...this.entries.values()].filter((entry) => entry.colour === colour && entry.tile === tile).sort((a, b) => a.cell - b.cell);
  }

  /** The offered moves onto one cell. */
  onto(cell) {
    return [...this.entries.values()].filter((entry) => entry.cell === cell);
  }

  /** The offered cell after (or before) the one given, going round; `null` when there is none. */
  next(from, step) {
    const cells = this.moves().map((entry) => entry.cell);
    if (!cells.length) return null;
    if (step > 0) return cells.find((cell) => cell > from) ?? cells[0];
    return cells.findLast((cell) => cell < from) ?? cells.at(-1);
  }
}
