// What happened since the viewer was here last: the missed plies played back one by one, or told as a list.

import { t, tn } from "./i18n.js";
import { still } from "./motion.js";

const FIRST = 700;
const STEP = 1_100;
/** More than this and the earliest are skipped: nobody waits for a hundred moves. */
const MOST = 24;
/** Milliseconds that the page waits for the missed plies before it shows the present position without them. */
const PATIENCE = 2_000;

/**
 * Whether there is something to catch up with: not on a first visit, and a page that is loaded again in the middle of a
 * live match has nearly everything before its eyes.
 */
const worthwhile = ({ seen_ply: seen, position }) => seen > 0 && position.ply - seen >= (position.pace === "live" ? 2 : 1);

/**
 * The way to what was missed since the last visit: a `Playback` that is yet to be started, a list in words where nothing
 * should move, or `null` when nothing was missed. `describe(ply)` gives `{label}`.
 */
export async function missed(page, { describe, show, ended }) {
  const steps = worthwhile(page) ? await missedSteps(page.since_url, page.seen_ply) : null;
  if (!steps) return null;
  return still() ? asList(steps, { describe, name: (seat) => page.position.seats[seat].name }) : new Playback(steps, { show, ended });
}

/** The missed steps of a match, the position seen last first; `null` where they cannot be had. */
async function missedSteps(url, ply) {
  try {
    const response = await fetch(`${url}?ply=${ply}`, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
    const { steps } = response.ok ? await response.json() : { steps: [] };
    return steps.length > 1 ? steps.slice(-MOST - 1) : null;
  } catch {
    return null;
  }
}

/** Plays steps back. `show(step, animate)` shows one; `ended()` is called at the end, or when it is skipped. */
class Playback {
  #timer = null;
  #leaving = new AbortController();

  constructor(steps, { show, ended }) {
    Object.assign(this, { steps, show, ended, at: 0 });
  }

  get count() {
    return this.steps.length - 1;
  }

  /** What it is about, in a sentence. */
  get sentence() {
    return tn("Since your last visit: {n} move.", "Since your last visit: {n} moves.", this.count);
  }

  start() {
    const { signal } = this.#leaving;
    // Any key ends it, and does nothing else: it was not meant for a position that one has not seen yet.
    document.addEventListener("keydown", (event) => {
      if (["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.stop();
    }, { signal, capture: true });
    this.show(this.steps[0], false);
    this.#timer = setTimeout(() => this.#next(), FIRST);
  }

  #next() {
    this.at += 1;
    if (this.at >= this.steps.length) return this.stop();
    this.show(this.steps[this.at], true);
    this.#timer = setTimeout(() => this.#next(), STEP);
    return undefined;
  }

  /** Goes to the present position. */
  stop() {
    clearTimeout(this.#timer);
    this.#leaving.abort();
    this.ended();
  }
}

/** The steps in words. */
function asList(steps, { describe, name }) {
  const plies = steps.slice(1).map(({ last }) => last).filter((ply) => ply && ply.seat !== null);
  return t("Since your last visit: {list}.", { list: plies.map((ply) => `${name(ply.seat)} ${describe(ply).label}`).join("; ") });
}
