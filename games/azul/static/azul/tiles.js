// The tiles as elements, and the names of their colours. The ornaments are drawn in azul/tiles.svg.

import { svg } from "../js/dom.js";
import { t } from "../js/i18n.js";

/** The letters of the colours in the order of the notation; `*` is the starting marker. */
export const LETTERS = "BYRKW";
export const MARKER = "*";

const KEYS = { B: "blue", Y: "yellow", R: "red", K: "black", W: "white", [MARKER]: "marker" };

/** The name of a colour in the look of the site: `B` is `blue`. */
export const keyOf = (letter) => KEYS[letter];

/** The colour's name in the reader's language. */
export const colourName = (letter) =>
  ({ B: t("blue"), Y: t("yellow"), R: t("red"), K: t("black"), W: t("white"), [MARKER]: t("starting marker") })[letter];

/** A tile; `printed` when it is only the sign on the wall that its colour belongs there. */
export function tile(letter, { printed = false } = {}) {
  const key = keyOf(letter);
  return svg("svg", { viewBox: "0 0 40 42", class: `az-tile az-${key}${printed ? " is-printed" : ""}`, "aria-hidden": "true" },
    svg("use", { href: `#az-${key}` }));
}

/** How many of each letter a text holds, in the order of the notation. */
export function counts(text) {
  return [...LETTERS].map((letter) => [letter, [...text].filter((one) => one === letter).length]).filter(([, n]) => n > 0);
}
