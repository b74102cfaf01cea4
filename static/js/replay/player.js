// Plays a replay by itself: at a steady pace, or at that of the players.

/** Milliseconds between two plies at speed 1. */
const PACE = 1_000;
/** Nobody waits longer than this for a ply, however long the player did. Milliseconds. */
const LONGEST = 20_000;
/** A draw and the move before it came at the same moment; this apart both can be seen. */
const SHORTEST = 250;

/** How long before the ply after `ply` at a speed such as `2` or `real-4`. Milliseconds. */
export function waitAfter({ began, plies }, ply, speed) {
  const [how, factor] = speed.startsWith("real-") ? ["real", Number(speed.slice(5))] : ["steady", Number(speed)];
  if (how === "steady") return PACE / factor;
  const [since, until] = [ply ? plies[ply - 1].at : began, plies[ply].at].map((at) => Date.parse(at));
  return Math.min(Math.max((until - since) / factor, SHORTEST), LONGEST);
}

/** Whether it is known when each ply was played. */
export const timed = ({ began, plies }) => Boolean(began) && plies.length > 0 && plies.every(({ at }) => at);

export class Player {
  #timer = null;

  /** `wait()` is how long until the next step, or `null` at the end; `step(wait)` makes it; `changed()` hears of start and stop. */
  constructor({ wait, step, changed }) {
    Object.assign(this, { wait, step, changed });
  }

  get playing() {
    return this.#timer !== null;
  }

  start() {
    this.#next();
    this.changed();
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.changed();
  }

  /** Begins the wait anew, for another speed. */
  again() {
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#next();
  }

  #next() {
    const wait = this.wait();
    if (wait === null) return this.stop();
    this.#timer = setTimeout(() => { this.step(); if (this.playing) this.#next(); }, wait);
    return undefined;
  }
}
