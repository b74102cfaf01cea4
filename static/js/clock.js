// Time as the server counts it, and the clocks of a match drawn from it. The device's own date plays no part.

import { number, t, tn } from "./i18n.js";

/** Round trips that are remembered; the quickest of them tells the time best. */
const SAMPLES = 8;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below this, tenths of a second are shown. */
const TENTHS = 10 * SECOND;
/** A clock this low is shown in another colour; at each of these the owner is told. */
const WARNINGS = [60 * SECOND, 30 * SECOND, 10 * SECOND];
/** Between two requests to look at a clock that shows nothing. */
const FLAG_EVERY = 1_500;
/** Whether a row of a player has room for words beside the time. */
const ROOMY = matchMedia("(min-width: 60.01rem)");

/** The server's time, from what it says and how long the words took; between that by the monotonic clock of the page. */
export class ServerTime {
  #samples = [];
  #stale = false;

  /** The server said `said` (ms) in answer to what was sent at `sent` and heard at `heard`, both by `performance.now()`. */
  heard(said, sent, heard) {
    if (this.#stale) this.#samples = [];
    this.#stale = false;
    this.#samples.push({ trip: heard - sent, offset: said + (heard - sent) / 2 - heard });
    this.#samples = this.#samples.slice(-SAMPLES);
  }

  /** What was measured before does not hold any more once something new is heard: the page may have slept. */
  restart() {
    this.#stale = true;
  }

  /** The time from which to count until something is heard: what the page said when it was made. */
  begin(said) {
    const [arrival] = performance.getEntriesByType("navigation");
    this.#samples = [{ trip: Infinity, offset: said - (arrival?.responseStart ?? performance.now()) }];
  }

  /** Milliseconds since 1970 on the server; `null` before anything was heard. */
  now() {
    if (!this.#samples.length) return null;
    const best = this.#samples.reduce((one, other) => (other.trip < one.trip ? other : one));
    return performance.now() + best.offset;
  }
}

/** `4:05`, or `0:07.3` where tenths are shown, by themselves when it is low. */
export function short(ms, tenths = ms > 0 && ms < TENTHS) {
  // What is left is rounded up, so that a clock shows nothing only when there is nothing.
  const unit = tenths ? SECOND / 10 : SECOND;
  const whole = (Math.ceil(Math.max(0, ms) / unit) * unit) / SECOND;
  const minutes = Math.floor(whole / 60);
  const seconds = (whole - 60 * minutes).toFixed(tenths ? 1 : 0).padStart(tenths ? 4 : 2, "0");
  return minutes < 60 ? `${minutes}:${seconds}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

/** `2 d 4 h`, `4 h 10 min`, `32 min`; in the last quarter of an hour minutes and seconds. */
export function long(ms) {
  const left = Math.max(0, ms);
  const names = { d: Math.floor(left / DAY), h: Math.floor((left % DAY) / HOUR), min: Math.floor((left % HOUR) / MINUTE) };
  if (left >= DAY) return t("{d} d {h} h", names);
  if (left >= HOUR) return t("{h} h {min} min", names);
  return left >= 15 * MINUTE ? t("{min} min", names) : short(left, false);
}

const moment = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
  weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
});

/** A point in time in the reader's language and zone. */
export const at = (iso) => moment.format(new Date(iso));

/**
 * How the clock of a seat stands at `now`, or `null` where none is shown:
 * `{left: ms, running, bonus: ms free yet, first, deadline, low}`, `left` never below nothing.
 */
export function standing(position, seat, now) {
  const { clock } = position;
  // Nobody counts the time of a bot.
  if (!clock || position.seats[seat]?.kind === "bot" || position.seats[seat]?.left) return null;
  const running = position.status === "running" && !clock.paused && clock.since !== null && position.to_move === seat;
  const plain = { left: clock.left?.[seat] ?? null, running, bonus: 0, first: false, deadline: null };
  if (!running || now === null) return plain.left === null ? null : { ...plain, low: false };
  const { deadline } = clock;
  if (!clock.left) return { ...plain, left: Math.max(0, Date.parse(deadline) - now), deadline, low: Date.parse(deadline) - now < 6 * HOUR };
  if (clock.first) return { ...plain, first: true, deadline, window: Math.max(0, Date.parse(deadline) - now), low: false };
  const gone = Math.max(0, now - Date.parse(clock.since));
  const left = Math.max(0, clock.left[seat] - Math.max(0, gone - clock.bonus));
  return { ...plain, left, bonus: Math.max(0, clock.bonus - gone), deadline, low: left < WARNINGS[0] };
}

/**
 * Draws the clocks of a match into the elements with `data-clock`, and keeps them going.
 * `look()` gives `{position, now, stale}`, `flag()` asks the server to look at a clock that shows nothing,
 * `warn(seconds)` tells the viewer that the own clock is low, `tick()` is called about once a second.
 */
export class Clocks {
  #root;
  #hooks;
  #asked = 0;
  #before = null;
  #second = 0;

  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    setInterval(() => this.draw(), 100);
  }

  /** Brings every clock up to date. */
  draw() {
    const { position, now, stale } = this.#hooks.look();
    if (!position.clock) return;
    for (const element of this.#root.querySelectorAll("[data-clock]")) {
      this.#show(element, standing(position, Number(element.dataset.clock), now), position, stale);
    }
    this.#heed(position, now, stale);
    if (Math.floor(performance.now() / SECOND) === this.#second) return;
    this.#second = Math.floor(performance.now() / SECOND);
    this.#hooks.tick();
  }

  #show(element, clock, position, stale) {
    const live = position.clock.left !== null;
    const up = Boolean(clock?.running && !clock.first && clock.left <= 0);
    put(element, clock ? this.#text(clock, live, up) : "");
    element.hidden = clock === null;
    const running = Boolean(clock?.running);
    const states = { "is-running": running, "is-low": Boolean(clock?.low && running), "is-stale": stale && running, "is-up": up };
    for (const [name, on] of Object.entries(states)) element.classList.toggle(name, on);
    const title = clock?.deadline && !live ? t("Until {moment}", { moment: at(clock.deadline) }) : position.clock.control_name;
    if (element.title !== title) element.title = title;
  }

  #text(clock, live, up) {
    if (up) return t("0:00 checking…");
    if (!live) return ROOMY.matches ? t("{time} left", { time: long(clock.left) }) : long(clock.left);
    return clock.bonus > 0 && clock.running && !clock.first
      ? `${short(clock.left)} +${number(Math.ceil(clock.bonus / SECOND))}`
      : short(clock.left);
  }

  /** Asks about a clock that shows nothing, and warns of the viewer's own. */
  #heed(position, now, stale) {
    const turn = standing(position, position.to_move, now);
    if (!turn?.running) return;
    const left = turn.first ? turn.window : turn.left;
    if (left <= 0 && !stale && performance.now() - this.#asked > FLAG_EVERY) {
      this.#asked = performance.now();
      this.#hooks.flag();
    }
    const key = `${position.version}`;
    const before = this.#before?.key === key ? this.#before.left : null;
    this.#before = { key, left };
    if (position.to_move !== position.seat || before === null || turn.first || position.clock.left === null) return;
    const crossed = WARNINGS.filter((limit) => before > limit && left <= limit).at(-1);
    if (crossed) this.#hooks.warn(crossed / SECOND);
  }
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What is said when the own clock is low. */
export const lowTime = (seconds) => tn("{n} second left.", "{n} seconds left.", seconds);
