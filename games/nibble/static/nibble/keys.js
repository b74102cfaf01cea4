// The keyboard of the Nibble board: which key does what, and the dialog with the keys and the table's marks that `?` opens.

import { html } from "./draw.js";
import { t } from "../js/i18n.js";
import { keyLegend } from "./words.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
function meaning(event, actions) {
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

/** Listens to keys while the focus is within `root`. On a button, Enter and Space stay the button's own. */
export function listen(root, actions, signal) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, input, textarea, select")) return;
    if (event.target.closest("button, a") && (event.key === "Enter" || event.key === " ")) return;
    const act = meaning(event, actions);
    if (!act) return;
    event.preventDefault();
    act();
  }, { signal });
}

/** The dialog with the keys, for those who play, and with how the table is read. */
export function legend(data, interactive) {
  const row = ([keys, what]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, what)];
  const reading = t("A strip has one place for each block of the colour. The first player fills it from the left, the second from the right, and what is free lies on the board. The middle place is the majority, {majority}; the small marks stand at {triple}, which counts in three colours in a row; the whole strip wins at once.", data);
  const keys = interactive ? [html("h2", {}, t("Keys")), html("dl", {}, ...keyLegend(data.shape === "hex").flatMap(row))] : [];
  const dialog = html("dialog", { class: "nb-legend", "aria-label": t("Keys and marks") },
    ...keys, html("h2", {}, t("The table of colours")), html("p", {}, reading),
    html("form", { method: "dialog" }, html("button", { class: "button" }, t("Close"))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
