// The Blokus board: shows positions and, for a person with a seat, lets them place pieces. The module that the pages mount.

import { Ghost } from "./ghost.js";
import { Hand } from "./hand.js";
import { Play } from "./play.js";
import { Scene } from "./draw.js";
import { Shapes } from "./geometry.js";
import { OtherTrays, Tray } from "./tray.js";
import { pieceName } from "./words.js";
import { Board } from "../js/board.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export const mount = (el, ctx) => new BlokusBoard(el, ctx);

class BlokusBoard extends Board {
  constructor(el, ctx) {
    super(el, ctx);
    this.shapes = new Shapes(ctx.data);
    this.hand = new Hand(this.shapes);
    this.scene = new Scene(ctx.data, this.shapes, ctx.interactive ? t("Blokus board. Press question mark for the keys.") : t("Blokus board"));
    this.ghost = new Ghost(this.scene.layers.ghost, this.shapes);
    this.tray = new Tray(this.shapes, { interactive: ctx.interactive, onPick: (piece, event) => this.play.pick(piece, event) });
    this.others = new OtherTrays(this.shapes);
    this.stage = html("div", { class: "bk-stage" }, this.scene.element);
    this.table = html("div", { class: "board-table" }, this.stage);
    el.replaceChildren(this.table, html("div", { class: "board-side" }, this.tray.element, this.others.element));
    this.play = ctx.interactive ? new Play(this) : null;
  }

  /** Shows a position; `pending` is the text of a move that was sent and is not yet answered. */
  show(position, { animate = false, pending = null } = {}) {
    const { view } = position;
    const before = this.position?.view;
    const fresh = animate && view.last && before && view.cells !== before.cells ? view.last.cells : null;
    this.position = position;
    this.pending = pending;
    this.scene.pieces(view, fresh);
    this.scene.last(view.last);
    const changedColour = this.#choseColour(view);
    this.scene.pending(this.colour.key, pending && this.shapes.cellsOf(pending));
    this.scene.dots(this.colour.key, this.myTurn && this.active ? this.colour.corners : []);
    this.others.show(view.colours.filter((other) => other.key !== this.colour.key));
    this.play?.review(changedColour);
    this.paint();
  }

  /** Chooses the colour whose pieces lie in the tray; whether it is another than before. */
  #choseColour(view) {
    const before = this.colour?.key;
    this.colour = view.colours[this.#trayColour(view)];
    return this.colour.key !== before;
  }

  /** The colour to move; for a person who waits, the next colour of their own. */
  #trayColour({ colours, colour }) {
    const { seat, interactive } = this.ctx;
    // Choosing ahead of the turn, the colour to move is somebody else's.
    if (!interactive || (this.myTurn && !this.position.ahead)) return colour ?? Math.max(0, colours.findIndex((one) => one.seat === seat));
    const order = colours.map((_, i) => ((colour ?? -1) + 1 + i) % colours.length);
    const own = order.filter((i) => colours[i].seat === seat);
    return own.find((i) => !colours[i].out) ?? own[0] ?? 0;
  }

  /** A ply in short, `F5 c16`, and the colour that played it according to a view of the position after it or later. */
  describe(text, view) {
    const cells = this.shapes.cellsOf(text);
    const letter = view.cells[cells[0]];
    return {
      label: `${pieceName(this.shapes.pieces[this.shapes.pieceOn(cells)])} ${this.shapes.name(Math.min(...cells))}`,
      colour: this.ctx.data.colours.find((key) => key[0] === letter),
    };
  }

  /** Draws what follows from the hand: tray, held piece, and the buttons round it. */
  paint() {
    const { hand, colour } = this;
    this.tray.show(colour, hand, this.ctx.interactive && (colour.seat === this.ctx.seat || this.myTurn));
    this.stage.classList.toggle("is-holding", this.active && hand.piece !== null);
    this.el.classList.toggle("is-my-turn", this.myTurn);
    this.paintHand();
  }

  /** Draws the held piece alone; what a moving pointer asks for many times a second. */
  paintHand() {
    const { hand, colour } = this;
    if (this.active && hand.piece !== null && (hand.anchor || hand.free)) this.ghost.show(hand, colour.key);
    else this.ghost.hide();
    this.play?.paintRing();
  }
}
