// Asks the server about positions, and keeps what it answered.

import { post } from "../post.js";

/** The positions of a source that were looked at. */
export class Positions {
  #known = new Map();

  constructor({ url, source, token }) {
    Object.assign(this, { url, source, token });
  }

  /** What is known of a position without asking. */
  known(ply, moves) {
    return this.#known.get(JSON.stringify([ply, ...moves]));
  }

  /** The position after tried moves from a ply: `{moves, position, due}`, or a refusal. A draw that is asked for is never the same twice. */
  async look(ply, moves) {
    const known = this.known(ply, moves);
    if (known) return known;
    const told = await this.ask(ply, moves);
    if (!told.refused) this.put(ply, moves, told);
    return told;
  }

  /** Keeps a position. */
  put(ply, moves, told) {
    this.#known.set(JSON.stringify([ply, ...moves]), told);
  }

  ask(ply, moves) {
    return post(this.url, { source: this.source, ply, moves }, this.token);
  }
}
