// The list of plies beside a live board, kept in step with the positions that come in.

import { refetch } from "./page.js";
import { drawMoves } from "./panels.js";

/** The plies of a match as far as the page knows them. */
export class Plies {
  /** `list` is that of the page; `describe(ply)` as for `drawMoves`; `address` is the match's page, `replay` that of its replay. */
  constructor(element, { list, describe, address, replay }) {
    Object.assign(this, { element, list, describe, address, replay });
  }

  /**
   * Adds what a position brings: its newest plies, or after a takeback fewer than before. The whole list is asked for
   * when some were missed, and at the end, which opens hidden draws.
   */
  follow(position, before) {
    if (this.#add(position) && position.status === before.status) return;
    refetch(this.address, "page").then((page) => page && page.plies.length >= position.ply && this.replace(page.plies));
  }

  /** Takes the whole list. */
  replace(list) {
    this.list = list;
    this.draw();
  }

  /** Whether the list is whole afterwards. */
  #add({ ply, tail }) {
    this.list.length = Math.min(this.list.length, ply);
    const other = tail.find((one) => one.ply <= this.list.length && this.list[one.ply - 1].text !== one.text);
    if (other) this.list.length = other.ply - 1;
    const fresh = tail.filter((one) => one.ply > this.list.length);
    if (this.list.length + fresh.length === ply) this.list.push(...fresh);
    return this.list.length === ply;
  }

  draw() {
    drawMoves(this.element, { plies: this.list, current: this.list.length, describe: this.describe, href: (ply) => `${this.replay}?ply=${ply}` });
  }
}
