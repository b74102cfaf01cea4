// What lies beside the boards: bag and lid with their counts on demand, and whether scoring is played out.

import { html } from "../js/dom.js";
import { LETTERS, colourName, tile } from "./tiles.js";
import { tn, t } from "../js/i18n.js";

const KEY = "azul-animate-scoring";
const sum = (heap) => Object.values(heap).reduce((all, n) => all + n, 0);

/** Whether the end of a round is played out step by step; kept in this browser. */
export function animatesScoring() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

function keep(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export class Supply {
  /** `onOff` is called when scoring is no longer to be played out. */
  constructor(onOff) {
    this.onOff = onOff;
    this.animates = animatesScoring();
    this.heading = html("summary", {});
    this.rows = html("tbody", {});
    const box = html("input", { type: "checkbox", checked: this.animates, onchange: () => this.#set(box.checked) });
    this.element = html("div", { class: "az-supply" },
      html("details", { class: "az-bag" }, this.heading, html("div", { class: "az-counts" },
        html("table", {},
          html("thead", {}, html("tr", {}, html("td", {}), html("th", { scope: "col" }, t("Bag")), html("th", { scope: "col" }, t("Lid")))), this.rows),
        html("p", { class: "soft" }, t("The lid’s tiles go back into the bag when it runs out.")))),
      html("label", { class: "az-animate" }, box, html("span", {}, t("Animate scoring"))));
  }

  #set(on) {
    this.animates = on;
    keep(on);
    if (!on) this.onOff();
  }

  show({ bag, lid }) {
    this.heading.replaceChildren(
      html("span", {}, tn("Bag: {n} tile", "Bag: {n} tiles", sum(bag))),
      html("span", {}, tn("Lid: {n} tile", "Lid: {n} tiles", sum(lid))));
    this.rows.replaceChildren(...[...LETTERS].map((letter) => html("tr", {},
      html("th", { scope: "row" }, html("span", { class: "az-small-tile" }, tile(letter)), html("span", {}, colourName(letter))),
      html("td", {}, String(bag[letter] ?? 0)), html("td", {}, String(lid[letter] ?? 0)))));
  }
}
