// The keyboard of the Nibble board: which key does what, and the dialog with the keys and the table's marks that `?` opens.

import { keyLegend } from "./words.js";
import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { keyList, legend } from "../js/keys.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
export function meaning(event, actions) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key in ARROWS) {
    const slant = event.shiftKey && (key === "ArrowUp" || key === "ArrowDown") ? "2" : "";
    return () => actions.move(ARROWS[key] + slant);
  }
  switch (key) {
    case "n": return () => actions.next(event.shiftKey ? -1 : 1);
    case " ": return () => actions.toggle();
    case "a": return () => actions.most();
    case "Enter": return () => actions.enter();
    case "Escape": return () => actions.escape();
    case "b": return () => actions.survey();
    case "w": return () => actions.warnings();
    case "?": return () => actions.help();
    default: return null;
  }
}

/** The dialog with the keys, for those who play, and with how the table is read. */
export function keysAndMarks(data, interactive) {
  const reading = t("A strip has one place for each block of the colour. The first player fills it from the left, the second from the right, and what is free lies on the board. The middle place is the majority, {majority}; the small marks stand at {triple}, which counts in three colours in a row; the whole strip wins at once.", data);
  const keys = interactive ? [html("h2", {}, t("Keys")), keyList(keyLegend(data.shape === "hex"))] : [];
  return legend(t("Keys and marks"), ...keys, html("h2", {}, t("The table of colours")), html("p", {}, reading));
}
