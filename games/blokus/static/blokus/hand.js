// What the person holds on the Blokus board: a piece, its orientation, its place, and whether the server offers that move.

/** Free of the page, so that mouse, touch and keys can share it. */
export class Hand {
  constructor(shapes) {
    this.shapes = shapes;
    this.offer = null;
    this.left = [];
    /** Per piece the orientation it was last held in; at first the one that lies flat. */
    this.turned = shapes.pieces.map((_, piece) => shapes.flat(piece));
    this.drop();
  }

  /** Takes over a new offer (`null` while it is not the person's turn) and the pieces left; drops a piece that is gone. */
  deal(offer, left) {
    this.offer = offer && new Map(Object.entries(offer).map(([index, cells]) => [Number(index), new Set(cells)]));
    this.left = left;
    if (this.piece !== null && !left.includes(this.piece)) this.drop();
  }

  get orientation() {
    return this.piece === null ? null : this.turned[this.piece];
  }

  get cells() {
    return this.anchor && this.shapes.cover(this.orientation, this.anchor);
  }

  get text() {
    return this.cells && this.shapes.text(this.cells);
  }

  /** `legal`, `illegal`, or `planned` when nothing is offered yet; `null` without a place. */
  get standing() {
    if (!this.anchor) return null;
    if (!this.offer) return "planned";
    return this.#offered(this.orientation, this.anchor) ? "legal" : "illegal";
  }

  #offered(orientation, [column, row]) {
    return this.offer.get(orientation)?.has(row * this.shapes.size + column) ?? false;
  }

  /** The number of offered places of a piece over all orientations; `null` while nothing is offered. */
  count(piece) {
    if (!this.offer) return null;
    return this.shapes.ofPiece[piece].reduce((sum, index) => sum + (this.offer.get(index)?.size ?? 0), 0);
  }

  take(piece) {
    this.piece = piece;
    this.lift();
  }

  drop() {
    this.take(null);
  }

  /** Takes the piece off its place, still held. `free` is where its middle floats while it is dragged beside the board. */
  lift() {
    this.anchor = null;
    this.free = null;
    this.resting = false;
  }

  /** Changes the orientation about the piece's middle; slides to an offered place within a cell. */
  turnTo(orientation) {
    const before = this.orientation;
    this.turned[this.piece] = orientation;
    if (this.anchor) this.aim(this.shapes.recentred(before, orientation, this.anchor));
  }

  /** Puts the piece's lower left corner near [column, row], which need not be whole: on an offered place within reach if there is one. */
  aim(wanted, reach = 1) {
    this.anchor = this.#nearest(this.orientation, wanted, reach) ?? this.shapes.clamp(this.orientation, wanted.map(Math.round));
  }

  /** Moves by whole cells, without sliding. */
  nudge(dx, dy) {
    this.anchor = this.shapes.clamp(this.orientation, [this.anchor[0] + dx, this.anchor[1] + dy]);
  }

  #nearest(orientation, [column, row], reach) {
    let best = null;
    let least = reach * reach * 1.3;
    for (const cell of this.offer?.get(orientation) ?? []) {
      const place = this.shapes.place(cell);
      const distance = (place[0] - column) ** 2 + (place[1] - row) ** 2;
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  }

  /** Rests the piece on the offered place nearest to the old one or the middle, in another orientation if it must be. */
  settle(near) {
    const middle = (this.shapes.size - 3) / 2;
    const wanted = near ?? [middle, middle];
    const list = this.shapes.ofPiece[this.piece];
    const first = list.indexOf(this.orientation);
    this.anchor = null;
    for (let i = 0; i < list.length && !this.anchor; i += 1) {
      const orientation = list[(first + i) % list.length];
      this.anchor = this.#nearest(orientation, wanted, 99);
      if (this.anchor) this.turned[this.piece] = orientation;
    }
    this.anchor ??= this.shapes.clamp(this.orientation, wanted.map(Math.round));
    this.resting = true;
  }

  /** Rests the piece on the next offered place, over all its orientations; returns [number, of how many]. */
  cycle(step) {
    const places = this.shapes.ofPiece[this.piece].flatMap((orientation) =>
      [...(this.offer?.get(orientation) ?? [])].sort((a, b) => a - b).map((cell) => ({ orientation, cell })));
    if (!places.length) return [0, 0];
    const here = this.anchor && this.anchor[1] * this.shapes.size + this.anchor[0];
    const now = places.findIndex(({ orientation, cell }) => orientation === this.orientation && cell === here);
    const next = now < 0 ? (step > 0 ? 0 : places.length - 1) : (now + step + places.length) % places.length;
    this.turned[this.piece] = places[next].orientation;
    this.anchor = this.shapes.place(places[next].cell);
    this.resting = true;
    return [next + 1, places.length];
  }
}
