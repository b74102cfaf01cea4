// The Blockers! board: shows positions and, for a person with a seat, lets them play tiles. The module that the pages mount.

import { Grid } from "./geometry.js";
import { Hand } from "./hand.js";
import { Panel, Tally } from "./panel.js";
import { Play } from "./play.js";
import { Racks } from "./rack.js";
import { Scene } from "./draw.js";
import { colouredTile, drawnLabel, onCell, tileName } from "./words.js";
import { Board } from "../js/board.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export const mount = (el, ctx) => new BlockersBoard(el, ctx);

class BlockersBoard extends Board {
  /** The cell under the pointer. */
  hovered = null;
  /** The cell that the panel tells of. */
  pointed = null;

  constructor(el, ctx) {
    super(el, ctx);
    this.grid = new Grid(ctx.data);
    this.hand = new Hand(this.grid);
    this.scene = new Scene(this.grid, ctx.interactive ? t("Blockers! board. Press question mark for the keys.") : t("Blockers! board"));
    this.tally = new Tally(this.grid, (colour) => this.#shine(colour));
    this.panel = new Panel(this.grid, ctx.seat, { own: !ctx.interactive });
    this.stage = html("div", { class: "bl-stage" }, this.scene.element);
    this.foot = html("div", { class: "board-foot bl-foot" }, this.tally.element);
    this.table = html("div", { class: "board-table" }, this.stage, this.foot);
    el.replaceChildren(this.table, this.panel.element);
    if (!ctx.interactive) {
      this.scene.element.addEventListener("click", (event) => this.point(this.scene.cellAt(event.clientX, event.clientY)));
      return;
    }
    this.racks = new Racks(this.grid, ctx.seat, { onPick: (colour, tile) => this.play.pick(colour, tile) });
    this.table.append(this.racks.element);
    this.play = new Play(this);
  }

  racksOf(seat) {
    return this.position.view.colours.flatMap((one, colour) => (one.seat === seat && !one.stopped ? [{ colour, tiles: one.rack ?? "" }] : []));
  }

  /** Shows a position; `pending` is the text of a move that was sent and is not yet answered. */
  show(position, { animate = false, pending = null } = {}) {
    const { view } = position;
    const before = this.position?.view;
    this.position = position;
    this.pending = pending;
    const { last } = view;
    const came = animate && last && before && before.cells[last.cell]?.colour !== last.colour;
    this.scene.tiles(view, came ? last.cell : null);
    this.scene.lift(came ? last.captured : null, last?.cell);
    this.scene.last(last);
    this.tally.show(view);
    this.panel.show(view);
    this.point(this.pointed);
    this.#shine(this.tally.pressed);
    this.#showPending();
    this.play?.review();
    this.paint();
    if (came) this.#announce(last);
  }

  #showPending() {
    const move = this.pending === null ? null : this.grid.parse(this.pending);
    if (!move) return this.scene.pending(null, null);
    return this.scene.pending(this.grid.colours[move.colour ?? this.grid.seats.indexOf(this.ctx.seat)], move);
  }

  /** The page speaks of another's move; what it captured only the board knows. */
  #announce({ colour, captured }) {
    if (!captured || this.position.status === "replay" || this.grid.seats[colour] === this.ctx.seat) return;
    this.ctx.say(t("{tile} was captured.", { tile: colouredTile(this.grid.colours[captured.colour], captured.tile) }));
  }

  /** A ply in short, `C → C4`, and the colour that played it; a draw that may not be seen has none. */
  describe(text, _view, seat = null) {
    const move = this.grid.parse(text);
    if (!move) return { label: drawnLabel(text), colour: /^=[a-z]:.$/.test(text) ? this.grid.colours.find((key) => key[0] === text[1]) : undefined };
    return { label: `${tileName(move.tile)}\u00a0\u2192\u00a0${this.grid.name(move.cell)}`, colour: this.grid.colours[move.colour ?? this.grid.seats.indexOf(seat)] };
  }

  /** Draws what follows from the hand: racks, lane, marks and the tile over the board. */
  paint() {
    const { hand } = this;
    this.el.classList.toggle("is-my-turn", this.myTurn);
    this.el.classList.toggle("has-hand", this.active && hand.holding);
    this.racks?.show(this.position.view, hand, this.active);
    this.#paintLane();
    this.paintHand();
  }

  #paintLane() {
    const { hand } = this;
    if (!this.active || !hand.holding) {
      this.scene.lane(null);
      this.scene.marks({});
      return;
    }
    const lane = this.grid.lane(hand.tile);
    const offered = hand.moves();
    const open = new Set(offered.map((entry) => entry.cell));
    this.scene.lane(lane, hand.tile);
    this.scene.marks({
      colour: this.grid.colours[hand.colour],
      free: offered.filter((entry) => !entry.captures).map((entry) => entry.cell),
      captures: offered.filter((entry) => entry.captures).map((entry) => entry.cell),
      barred: hand.offered ? lane.filter((cell) => !open.has(cell) && this.#othersOn(cell)) : [],
    });
  }

  #othersOn(cell) {
    const there = this.position.view.cells[cell];
    return there !== null && there.colour !== this.hand.colour;
  }

  /** Draws the held tile alone; what a moving pointer asks for many times a second. */
  paintHand() {
    const { hand } = this;
    const shown = this.active && hand.aimed && (hand.standing !== "illegal" || this.play.cursor !== null || this.grid.points(hand.tile, hand.cell));
    this.scene.ghost(shown ? { colour: this.grid.colours[hand.colour], tile: hand.tile, cell: hand.cell, standing: hand.standing, resting: hand.resting } : null);
    this.scene.cursor(this.play?.cursor ?? null);
    this.shineHand();
  }

  /** Points out the group that a capture would shorten or, where it is not allowed, split. */
  shineHand() {
    const { hand } = this;
    const there = this.active && hand.aimed && hand.standing !== "planned" ? this.position.view.cells[hand.cell] : null;
    const points = there && this.grid.points(hand.tile, hand.cell);
    if (!points) return this.#shine(this.tally.pressed);
    const group = this.position.view.colours[there.colour].groups.find((cells) => cells.includes(hand.cell));
    return this.scene.shine([group], { bad: hand.standing === "illegal" });
  }

  /** Tells of a cell beside the board; `null` of none. */
  point(cell) {
    this.pointed = cell;
    this.panel.point(cell, cell === null ? "" : this.whatLies(cell));
  }

  whatLies(cell) {
    return `${onCell(this.position.view, cell)}, ${t("{symbol} area", { symbol: tileName(this.grid.areas[cell]) })}`;
  }

  /** Numbers the groups of a colour on the board; `null` ends that. */
  #shine(colour) {
    this.scene.shine(colour === null ? [] : this.position.view.colours[colour].groups, { numbers: true });
  }
}
