// What the engine thinks of the position on the board: asked for, waited for with its progress, and told with its best moves.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { t, tn } from "../i18n.js";
import { tile } from "../panels.js";
import { post } from "../post.js";
import { bar, short, spoken } from "./values.js";
import { Wire } from "./wire.js";

/** Milliseconds that a position must stand still before the engine is asked about it. */
const REST = 500;
/** How many of its moves are listed. */
const BEST = 6;
const REMEMBERED = "tessera-engine";

/**
 * The panel. `acts`: `play(text)` tries a move, `step(line, n)` shows the first `n` moves of a line without trying them,
 * `labelOf(text, seat)` names a move in the position on the board, `say` speaks.
 */
export class Engine {
  #found = new Map();
  /** By the server's name of a position where it was asked about, so that what comes late is kept all the same. */
  #asked = new Map();
  #waiting = null;
  #timer = null;

  constructor(element, { url, source, token, seats, acts }) {
    Object.assign(this, { element, url, source, token, seats, acts, on: remembered(), place: null, line: null, trouble: null, progress: null });
    this.wire = new Wire({
      progress: (frame) => this.#progressed(frame),
      evaluation: (frame) => this.#came(frame.key, frame.evaluation),
      refused: (frame) => this.#refused(frame),
      again: () => this.#waiting && this.#ask(this.#waiting.place),
    });
  }

  /** Tells what is on the board: `{ply, moves, toMove, due, ended}`; `line` is what is stepped through, `{text, at}`, if anything. */
  show(place, line = null) {
    const moved = JSON.stringify([place.ply, place.moves]) !== this.#key;
    this.place = place;
    this.line = line;
    if (moved) {
      this.trouble = null;
      this.progress = null;
      this.#rest();
    }
    this.draw();
  }

  toggle() {
    this.on = !this.on;
    try {
      localStorage.setItem(REMEMBERED, this.on ? "on" : "");
    } catch { /* Where nothing may be kept it is switched on each time. */ }
    if (this.on) this.#rest(0);
    else clearTimeout(this.#timer);
    this.acts.say(this.on ? t("The bot thinks along.") : t("The bot is silent."));
    this.draw();
  }

  get #key() {
    return this.place && JSON.stringify([this.place.ply, this.place.moves]);
  }

  get found() {
    return this.#found.get(this.#key);
  }

  #rest(time = REST) {
    clearTimeout(this.#timer);
    const { place } = this;
    if (this.on && place && place.toMove !== null && !this.found) this.#timer = setTimeout(() => this.#ask(place), time);
  }

  async #ask(place) {
    const key = JSON.stringify([place.ply, place.moves]);
    this.#waiting = { key, place, told: null };
    const told = await post(this.url, { source: this.source, ply: place.ply, moves: place.moves }, this.token);
    if (this.#waiting?.key !== key) return;
    if (told.refused) {
      this.#waiting = null;
      if (key === this.#key) this.trouble = told.message;
    } else {
      this.#heard(key, told);
    }
    this.draw();
  }

  /** Takes what is known already, and waits for what is still to come. */
  #heard(key, { key: name, evaluation, progress }) {
    if (evaluation) this.#found.set(key, evaluation);
    this.progress = progress ?? null;
    if (!progress) this.#waiting = null;
    else {
      this.#waiting.told = name;
      this.#asked.set(name, key);
      this.wire.follow(name);
    }
  }

  #progressed({ key, done, total }) {
    if (this.#waiting?.told !== key) return;
    this.progress = { done, total };
    this.draw();
  }

  #came(name, evaluation) {
    const key = this.#asked.get(name);
    if (key === undefined) return;
    this.#found.set(key, evaluation);
    if (this.#waiting?.told === name) {
      this.#waiting = null;
      this.progress = null;
    }
    if (key === this.#key && this.on) this.acts.say(this.#sentence());
    this.draw();
  }

  #refused({ key, message }) {
    if (this.#waiting?.told !== key) return;
    this.#waiting = null;
    this.trouble = message;
    this.draw();
  }

  #sentence() {
    const best = this.found?.candidates[0];
    if (!best) return "";
    return t("The bot plays {move}: {value}.", {
      move: this.acts.labelOf(best.text, this.place.toMove).label, value: spoken(best.values[this.place.toMove], this.seats.length),
    });
  }

  // --- Drawing

  draw() {
    render(html`<div class="study-engine-head">
        <h2>${t("What the bot thinks")}</h2>
        <button type="button" class=${this.on ? "button-quiet is-on" : "button-quiet"} aria-pressed=${String(this.on)} data-act="engine" @click=${() => this.toggle()}>
          ${this.on ? t("Switch off") : t("Let it think")}</button>
      </div>
      ${this.on ? this.#body() : html`<p class="soft">${t("Its best moves with their values, what is likely to follow, and how each seat stands.")}</p>`}`, this.element);
    this.element.dataset.state = !this.on ? "off" : this.found ? "found" : this.trouble ? "trouble" : this.#waiting ? "thinking" : "idle";
  }

  #body() {
    const { found, place, trouble } = this;
    if (!place) return nothing;
    if (place.toMove === null) return html`<p class="soft">${place.ended ? t("The match is over here.") : t("Chance is to move. Draw first, then ask.")}</p>`;
    if (trouble) return html`<p class="notice notice-warning" role="status">${trouble}</p>`;
    if (!found) return this.#thinking();
    return html`${this.#standing(found)}
      <ol class="study-best" aria-label=${t("Best moves")}>${best(found, place.toMove).map((one, n) => this.#candidate(one, n))}</ol>
      ${this.progress ? this.#thinking() : html`<p class="soft study-work">${tn("{n} playout", "{n} playouts", found.playouts)}</p>`}`;
  }

  #thinking() {
    const { done = 0, total = 0 } = this.progress ?? {};
    return html`<p class="study-thinking"><label>${t("Thinking…")} <progress max=${total || 1} value=${total ? done : nothing}></progress></label></p>`;
  }

  #standing({ values }) {
    const what = this.seats.length === 2 ? t("Chance to win") : t("Place to be expected");
    return html`<p class="study-what soft">${what}</p><ul class="study-standing" aria-label=${t("How each seat stands")}>${this.seats.map((seat) => html`<li title=${spoken(values[seat.seat], this.seats.length)}>
      <span class="seat-tiles">${seat.colours.slice(0, 1).map(tile)}</span><span class="study-name">${seat.name}</span>
      ${bar(values[seat.seat])}<b>${short(values[seat.seat], this.seats.length)}</b></li>`)}</ul>`;
  }

  #candidate(one, n) {
    const seat = this.place.toMove;
    const { label, colour } = this.acts.labelOf(one.text, seat);
    const line = one.line.slice(1);
    return html`<li class=${n ? "" : "is-best"}>
      <button type="button" class="study-move" title=${t("Try this move")} @click=${() => this.acts.play(one.text)}>
        ${colour ? tile(colour) : html`<span class="tile-room"></span>`}<span class="move-label">${label}</span>
        ${bar(one.values[seat], n ? "" : "is-good")}<b title=${spoken(one.values[seat], this.seats.length)}>${short(one.values[seat], this.seats.length)}</b>
      </button>
      ${line.length ? html`<p class="study-pv" role="group" aria-label=${t("What is likely to follow")}>${line.map((text, i) => this.#chip(one, text, i + 2))}</p>` : nothing}</li>`;
  }

  /** The `n`th move of a line. */
  #chip(one, text, n) {
    const current = this.line && this.line.text === one.text && this.line.at === n;
    const { label } = this.acts.labelOf(text, null);
    return html`<button type="button" class="study-chip" aria-current=${current ? "step" : nothing} @click=${() => this.acts.step(one, n)}>${label}</button>`;
  }
}

/** The moves to list: what the bot would play, then the others that it looked at most by their values. */
function best({ candidates }, seat) {
  const [first, ...others] = candidates.slice(0, BEST);
  return [first, ...others.sort((a, b) => b.values[seat] - a.values[seat])];
}

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) === "on";
  } catch {
    return false;
  }
}
