// The pieces beside the Blokus board: the person's own to pick from, the other colours' small.

import { figure } from "./draw.js";
import { html, smallTile } from "../js/dom.js";
import { t, tn } from "../js/i18n.js";
import { colourName, noPlace, pieceName, pieceTitle, placesOf } from "./words.js";

/** The pieces of the colour at hand, as buttons that stay the same elements while the position changes. */
export class Tray {
  constructor(shapes, { interactive, onPick }) {
    this.shapes = shapes;
    this.interactive = interactive;
    this.heading = html("h2", { class: "bk-tray-name" });
    this.buttons = shapes.pieces.map((piece, index) => html(interactive ? "button" : "span", {
      class: "bk-pick", type: interactive ? "button" : null, "data-piece": index,
      onclick: interactive ? (event) => onPick(index, event) : null,
    }));
    this.strip = html("div", { class: "bk-strip", role: interactive ? "group" : null }, ...[...this.buttons].reverse());
    this.element = html("section", { class: "bk-tray" }, this.heading, this.strip);
    this.colour = null;
  }

  /** Shows the pieces left of a colour (as the view lists it); `hand` says which is held and what fits. */
  show(colour, hand, mine) {
    if (this.colour !== colour.key) this.#recolour(colour.key);
    this.heading.replaceChildren(smallTile(colour.key),
      html("span", {}, mine ? t("Your {colour} pieces", { colour: colourName(colour.key) }) : t("{colour} pieces", { colour: colourName(colour.key) })),
      html("span", { class: "bk-left" }, tn("{n} square left", "{n} squares left", colour.squares_left)));
    const left = new Set(colour.pieces);
    this.buttons.forEach((button, index) => this.#update(button, index, left.has(index), hand));
  }

  #recolour(colour) {
    this.colour = colour;
    this.strip.setAttribute("aria-label", colourName(colour));
  }

  #draw(button, orientation) {
    if (button.dataset.orientation === String(orientation) && button.dataset.colour === this.colour) return;
    button.dataset.orientation = orientation;
    button.dataset.colour = this.colour;
    button.replaceChildren(figure(this.shapes, orientation, this.colour));
  }

  #update(button, index, there, hand) {
    button.hidden = !there;
    if (!there) return void button.classList.remove("is-held");
    const count = hand.count(index);
    const held = hand.piece === index;
    if (held && !button.classList.contains("is-held")) this.#bringIntoSight(button);
    const note = count === 0 ? noPlace() : placesOf(count);
    const label = [pieceTitle(this.shapes.pieces[index]), note].filter(Boolean).join(", ");
    this.#draw(button, hand.turned[index]);
    button.classList.toggle("is-stuck", count === 0);
    button.classList.toggle("is-held", held);
    button.title = label;
    if (this.interactive) {
      button.setAttribute("aria-label", label);
      button.setAttribute("aria-pressed", String(held));
    }
  }

  /** Scrolls the strip alone; `scrollIntoView` would move the page under the finger too. */
  #bringIntoSight(button) {
    const strip = this.strip.getBoundingClientRect();
    const box = button.getBoundingClientRect();
    if (box.left < strip.left) this.strip.scrollLeft += box.left - strip.left;
    else if (box.right > strip.right) this.strip.scrollLeft += box.right - strip.right;
  }
}

/** The remaining pieces of the colours that are not in the tray, one small row each. */
export class OtherTrays {
  constructor(shapes) {
    this.shapes = shapes;
    this.element = html("div", { class: "bk-others" });
  }

  show(colours) {
    this.element.replaceChildren(...colours.map((colour) => this.#row(colour)));
  }

  #row(colour) {
    const names = colour.pieces.map((index) => pieceName(this.shapes.pieces[index])).join(" ");
    const pieces = [...colour.pieces].reverse().map((index) => figure(this.shapes, this.shapes.flat(index), colour.key, { marks: false }));
    return html("section", { class: `bk-other bk-${colour.key}`, title: names },
      html("h2", { class: "bk-tray-name" }, smallTile(colour.key), html("span", {}, colourName(colour.key)),
        html("span", { class: "bk-left" }, colour.pieces.length ? tn("{n} left", "{n} left", colour.squares_left) : t("all placed"))),
      html("div", { class: "bk-mini", role: "img", "aria-label": t("Pieces left: {names}", { names: names || t("none") }) }, ...pieces));
  }
}
