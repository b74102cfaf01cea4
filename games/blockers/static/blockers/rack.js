// The person's own racks below the Blockers! board: a holder per colour with its tiles as buttons, and how many tiles its pile still has.

import { figure } from "./symbols.js";
import { html } from "../js/dom.js";
import { colourName, leftInPile, tileTitle } from "./words.js";
import { t } from "../js/i18n.js";

export class Racks {
  constructor(grid, seat, { onPick }) {
    this.holders = grid.colours.flatMap((key, colour) => (grid.seats[colour] === seat ? [new Holder(key, colour, onPick)] : []));
    this.element = html("div", { class: "bl-rack" }, ...this.holders.map((holder) => holder.element));
  }

  /** The tiles as the view has them; `hand` says which is held and where each may go. */
  show(view, hand, active) {
    for (const holder of this.holders) holder.show(view.colours[holder.colour], hand, active);
  }

  /** Raises the tiles that may be played on a cell someone looks at. */
  raise(moves) {
    for (const holder of this.holders) holder.raise(moves.filter((move) => move.colour === holder.colour).map((move) => move.tile));
  }
}

class Holder {
  /** The tiles of the position before, so that one just drawn can slide in. */
  #before = null;

  constructor(key, colour, onPick) {
    this.key = key;
    this.colour = colour;
    this.onPick = onPick;
    this.count = html("b", {});
    this.pile = html("span", { class: "bl-stack", role: "img" }, figure(key, null), this.count);
    this.slots = html("div", { class: "bl-slots", role: "group", "aria-label": t("Your {colour} rack", { colour: colourName(key) }) });
    this.element = html("section", { class: `bl-holder bl-${key}` }, this.slots, this.pile);
  }

  show({ rack, pile, stopped }, hand, active) {
    const tiles = [...(rack ?? "")];
    const left = stopped ? t("stopped") : leftInPile(pile);
    this.pile.title = left;
    this.pile.setAttribute("aria-label", left);
    this.pile.classList.toggle("is-empty", pile === 0);
    this.count.textContent = String(pile);
    this.element.classList.toggle("is-stopped", stopped);
    this.#deal(tiles);
    for (const button of this.slots.children) this.#update(button, hand, active && !stopped);
  }

  /** Changes only what changed, so that a button keeps its focus. */
  #deal(tiles) {
    if (this.#before?.join() === tiles.join()) return;
    const known = new Map([...this.slots.children].map((button) => [button.dataset.tile, button]));
    const fresh = this.#before !== null;
    this.slots.replaceChildren(...tiles.map((tile) => known.get(tile) ?? this.#button(tile, fresh)));
    this.#before = tiles;
  }

  #button(tile, fresh) {
    const onclick = (event) => this.onPick(this.colour, tile, event);
    return html("button", { type: "button", class: `bl-pick${fresh ? " is-drawn" : ""}`, "data-tile": tile, "data-colour": this.colour, onclick }, figure(this.key, tile));
  }

  #update(button, hand, active) {
    const { tile } = button.dataset;
    const held = hand.colour === this.colour && hand.tile === tile;
    const places = hand.offered ? hand.moves(this.colour, tile).length : null;
    const title = tileTitle(this.key, tile, places);
    button.classList.toggle("is-held", held);
    button.classList.toggle("is-stuck", places === 0);
    button.disabled = !active;
    button.title = title;
    button.setAttribute("aria-label", title);
    button.setAttribute("aria-pressed", String(held));
  }

  raise(tiles) {
    for (const button of this.slots.children) button.classList.toggle("is-fitting", tiles.includes(button.dataset.tile));
  }
}
