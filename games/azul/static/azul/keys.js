// The keyboard of the Azul board: which key does what, and the list of them that `?` opens.

import { html } from "./dom.js";
import { LETTERS } from "./tiles.js";
import { keyLegend } from "./words.js";
import { t } from "../js/i18n.js";

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
function meaning(event, actions) {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (/^[0-9]$/.test(key)) return () => actions.digit(key);
  if (LETTERS.includes(key)) return () => actions.letter(key);
  switch (key) {
    case "C": return () => actions.source("c");
    case "F": return () => actions.digit("0");
    case "S": return () => actions.survey();
    case "ArrowLeft": return () => actions.sideways(-1);
    case "ArrowRight": return () => actions.sideways(1);
    case "ArrowUp": return () => actions.upDown(-1);
    case "ArrowDown": return () => actions.upDown(1);
    case "Enter": return () => actions.enter();
    case "Escape": return () => actions.escape();
    case "?": return () => actions.help();
    default: return null;
  }
}

/** Listens to keys while the focus is within `root`. On a button, Enter and Space stay the button's own. */
export function listen(root, actions, signal) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, input, textarea, select")) return;
    if (event.target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
    const act = meaning(event, actions);
    if (!act) return;
    event.preventDefault();
    // From here on Enter is to play what was chosen, not to press that button again.
    if (event.target.closest("button")) actions.home();
    act();
  }, { signal });
}

/** The dialog with the keys. */
export function legend() {
  const rows = keyLegend().flatMap(([keys, what]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, what)]);
  const dialog = html("dialog", { class: "az-legend", "aria-label": t("Keys") },
    html("h2", {}, t("Keys")), html("dl", {}, ...rows),
    html("form", { method: "dialog" }, html("button", { class: "button" }, t("Close"))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
