// The list of plies beside a live board, kept in step with the positions that come in.

/** The plies of a match as far as the page knows them. */
export class Plies {
  constructor(list) {
    this.list = list;
  }

  /**
   * Adds what a position brings: its newest plies, or after a takeback fewer than before. Whether the list is whole;
   * it is not when some were missed, and then it must be replaced.
   */
  follow({ ply, tail }) {
    this.list.length = Math.min(this.list.length, ply);
    const other = tail.find((one) => one.ply <= this.list.length && this.list[one.ply - 1].text !== one.text);
    if (other) this.list.length = other.ply - 1;
    const fresh = tail.filter((one) => one.ply > this.list.length);
    if (this.list.length + fresh.length === ply) this.list.push(...fresh);
    return this.list.length === ply;
  }
}
