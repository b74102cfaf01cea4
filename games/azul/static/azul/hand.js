// What a person has in hand: a colour at one place, and the line chosen for it. Knows only the moves the server offers.

const key = (source, colour) => `${source}${colour}`;

export class Hand {
  /** Offered takes by source and colour, each a map from line to the offer's entry. */
  #takes = new Map();

  /** `{source, colour}`, `null` when the hand is empty. */
  held = null;
  /** The entry of the offer that was chosen. */
  chosen = null;

  /** What may be done from now on by the seat of `board`. What is held stays held as long as it lies there. */
  deal(offer, view, board) {
    const moves = (offer ?? []).map((entry) => ({ ...entry, full: board.lines[entry.line - 1]?.count + entry.fills === entry.line }));
    this.columns = moves.filter((entry) => entry.column);
    this.#takes = new Map();
    for (const entry of moves.filter((one) => one.source)) {
      const at = key(entry.source, entry.colour);
      if (!this.#takes.has(at)) this.#takes.set(at, new Map());
      this.#takes.get(at).set(entry.line, entry);
    }
    if (this.held && !this.#lies(view)) this.held = null;
    this.chosen = moves.find((entry) => entry.move === this.chosen?.move) ?? null;
  }

  #lies(view) {
    const { source, colour } = this.held;
    return (source === "c" ? view.centre : view.factories[Number(source) - 1] ?? "").includes(colour);
  }

  /** The lines for what is held, or for another colour; `null` when it is not offered. */
  lines(take = this.held) {
    return take ? this.#takes.get(key(take.source, take.colour)) ?? null : null;
  }

  /** All takes, source by source. */
  get takes() {
    return [...this.#takes.values()].map((lines) => lines.values().next().value).map(({ source, colour }) => ({ source, colour }));
  }

  get choosingColumn() {
    return this.columns.length > 0;
  }

  hold(take) {
    this.held = take;
    this.chosen = null;
  }

  holds(take) {
    return this.held !== null && take !== null && this.held.source === take.source && this.held.colour === take.colour;
  }

  choose(entry) {
    this.chosen = entry;
  }

  drop() {
    this.held = null;
    this.chosen = null;
  }
}
