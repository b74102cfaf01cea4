// The Azul board: shows positions and, for a person with a seat, lets them take and place tiles. The module that the pages mount.

import { Market } from "./market.js";
import { Mat } from "./mat.js";
import { Play } from "./play.js";
import { Supply } from "./supply.js";
import { Tiling, newSteps, stages } from "./tiling.js";
import { departure } from "./flight.js";
import { colourName, keyOf } from "./tiles.js";
import { keyLegend, nameOf, roundResult } from "./words.js";
import { Board, Status } from "../js/board.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { keysDialog, legendButton } from "../js/keys.js";
import { still } from "../js/motion.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export const mount = (el, ctx) => new AzulBoard(el, ctx);

class AzulBoard extends Board {
  /** The steps of the tiling that have been shown already. */
  #tiled = [];
  /** Stands for the tiling that is being played out; another or `null` once something else is shown. */
  #run = null;
  #leaving = new AbortController();

  constructor(el, ctx) {
    super(el, ctx);
    this.tiling = new Tiling();
    this.supply = new Supply(() => this.tiling.stop());
    const label = ctx.interactive ? t("Azul board. Press question mark for the keys.") : t("Azul board");
    this.market = new Market(ctx.data, { interactive: ctx.interactive, label });
    this.own = html("div", { class: "az-own" });
    this.others = html("div", { class: "az-others" });
    this.status = new Status();
    this.legend = keysDialog(keyLegend());
    this.table = html("div", { class: "board-table" }, this.market.element, this.own);
    el.dataset.seats = ctx.data.seats;
    el.replaceChildren(this.table, html("div", { class: "board-side" }, this.others, this.supply.element));
    if (ctx.interactive) this.#addFoot();
    this.#seat(ctx.seat ?? 0);
    this.play = ctx.interactive ? new Play(this) : null;
    this.#listenForSkipping();
  }

  #addFoot() {
    this.table.append(html("div", { class: "board-foot az-foot" }, this.status.element, legendButton(this.legend)));
    this.el.append(this.legend);
  }

  /** Makes the board of a seat the large one. */
  #seat(main) {
    const { data, interactive } = this.ctx;
    const order = Array.from({ length: data.seats }, (_, i) => (main + i) % data.seats);
    const enlarge = interactive ? null : (seat) => this.#enlarge(seat);
    this.mats = order.map((seat) => new Mat(data, seat, {
      large: seat === main, interactive: interactive && seat === main, onPick: seat === main ? null : enlarge,
    }));
    [this.main] = this.mats;
    this.own.replaceChildren(this.main.element);
    this.others.replaceChildren(...this.mats.slice(1).map((mat) => mat.element));
  }

  #enlarge(seat) {
    this.#run = null;
    this.tiling.stop();
    this.#seat(seat);
    this.#draw();
    this.main.element.scrollIntoView({ block: "nearest" });
  }

  destroy() {
    this.#run = null;
    this.tiling.stop();
    this.#leaving.abort();
    this.market.destroy();
    super.destroy();
  }

  focus() {
    this.market.element.focus({ preventScroll: true });
  }

  /** Whether the person may take tiles now: in a running match, not while a move is under way or scoring is played out. */
  get active() {
    return super.active && !this.tiling.playing;
  }

  /** The offer's entry of the move that is under way. */
  get pendingEntry() {
    return this.pending === null ? null : this.position.offer?.find((entry) => entry.move === this.pending) ?? null;
  }

  get pendingTake() {
    return this.pendingEntry?.source ? this.pendingEntry : null;
  }

  /** The column that a placement's tile will go to, from 0; `null` where that is chosen later. */
  columnOf({ line, colour, column }) {
    const row = this.ctx.data.wall?.[line - 1];
    return row && !column ? row.indexOf(colour) : null;
  }

  /** A ply in short, `Yellow: 3 → line 2`, and the colour of its tiles. */
  describe(text, view, seat) {
    if (text.startsWith("=")) return { label: t("New tiles") };
    if (text.startsWith("w")) {
      // A tile stays where it was laid on the wall, so any later view knows its colour.
      const laid = view.boards[seat]?.wall[text[1] - 1][text[2] - 1];
      return { label: t("Line {line} → column {column}", { line: text[1], column: text[2] }), colour: keyOf(laid) };
    }
    const [source, colour, line] = text;
    const from = source === "c" ? t("centre") : source;
    const names = { colour: colourName(colour), from, line };
    const label = line === "f" ? t("{colour}: {from} → floor", names) : t("{colour}: {from} → line {line}", names);
    return { label: label[0].toLocaleUpperCase() + label.slice(1), colour: keyOf(colour) };
  }

  /** Shows a position; `pending` is the text of a move that was sent and is not yet answered. */
  show(position, { animate = false, pending = null } = {}) {
    const before = this.position?.view;
    this.position = position;
    this.pending = pending;
    if (this.tiling.playing) {
      if (this.#goesOn(position)) return;
      this.#run = null;
      this.tiling.stop();
    }
    const { view } = position;
    const steps = newSteps(this.#tiled, view.tiling);
    this.#tiled = view.tiling;
    const moving = animate && before && !still();
    const glide = moving && view.last?.source && JSON.stringify(view.last) !== JSON.stringify(before.last) ? departure(this.market, view.last) : null;
    if (moving && steps.length && this.supply.animates) this.#playTiling(steps, glide);
    else this.#draw({ moving, glide, spoken: animate && steps.length ? this.#result(steps) : "" });
  }

  /** While a tiling is played out, later positions of a running match wait; a replay goes where it is told to. */
  #goesOn({ status, view }) {
    return status !== "replay" || (view.tiling.length > 0 && newSteps(this.#tiled, view.tiling).length === 0);
  }

  async #playTiling(steps, glide) {
    const { boards } = this.position.view;
    const spoken = this.#result(steps);
    const run = (this.#run = {});
    this.status.show(t("The round is scored. Click, Esc or Space to skip."));
    if (!this.play) this.ctx.say(spoken);
    let gliding = glide;
    await this.tiling.play(stages(boards, steps, this.ctx.data.floor), steps, {
      draw: (stage) => {
        this.#draw({ boards: stage, glide: gliding });
        gliding = null;
      },
      flash: (step) => this.mats.forEach((mat) => mat.flash(step)),
      seen: ({ seat }) => this.mats.find((mat) => mat.seat === seat).inSight,
      pace: this.position.status === "replay" ? "replay" : "live",
    });
    if (this.#run !== run) return;
    this.#run = null;
    if (newSteps(this.#tiled, this.position.view.tiling).length) this.show(this.position, { animate: true, pending: this.pending });
    else this.#draw({ spoken });
  }

  #result(steps) {
    return t("Scored: {result}.", { result: roundResult(this.position, steps) });
  }

  /** Draws the position that was shown last; with `boards`, a moment of its tiling. */
  #draw({ boards = null, moving = boards !== null, glide = null, spoken = "" } = {}) {
    const { position } = this;
    this.el.classList.toggle("is-tiling", boards !== null);
    if (!boards) this.mats.forEach((mat) => mat.flash(null));
    const { view } = position;
    this.market.show(view, { moving });
    const fresh = new Map(this.mats.map((mat) => [mat.seat, mat.show((boards ?? view.boards)[mat.seat], {
      name: nameOf(position, mat.seat),
      turn: !boards && position.to_move === mat.seat,
      starts: view.phase !== "over" && view.marker === mat.seat,
      settled: !boards && view.phase !== "over",
    })]));
    for (const mat of this.mats) {
      mat.last(boards && !glide ? null : view.last);
      mat.notes(boards ? [] : view.tiling);
    }
    this.supply.show(view);
    this.el.classList.toggle("is-my-turn", !boards && this.myTurn);
    if (glide && view.last) glide(view.last.seat === this.ctx.seat ? [] : fresh.get(view.last.seat));
    if (boards) this.play?.paint();
    else this.play?.review(spoken);
  }

  /** A tiling that is played out ends at once with a click on the board, Escape or Space. */
  #listenForSkipping() {
    const { signal } = this.#leaving;
    this.el.addEventListener("click", (event) => {
      if (!this.tiling.playing || event.target.closest(".az-supply")) return;
      event.stopPropagation();
      this.tiling.stop();
    }, { signal, capture: true });
    document.addEventListener("keydown", (event) => {
      const skips = event.key === "Escape" || (event.key === " " && this.ctx.interactive);
      if (!this.tiling.playing || !skips) return;
      event.preventDefault();
      event.stopPropagation();
      this.tiling.stop();
    }, { signal, capture: true });
  }
}
