// The keyboard of the Blockers! board: which key does what, and the list of them that `?` opens.

import { html } from "./symbols.js";
import { keyLegend } from "./words.js";
import { t } from "../js/i18n.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TILES = new Set("abcdefghi123456789*");
/** With Shift the cursor goes on to the same place in the next area. */
const LEAP = 3;

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
function meaning(event, actions) {
  const step = event.shiftKey ? -1 : 1;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key in ARROWS) {
    const far = event.shiftKey ? LEAP : 1;
    return () => actions.move(ARROWS[key][0] * far, ARROWS[key][1] * far);
  }
  if (TILES.has(key)) return () => actions.character(key);
  switch (key) {
    case "n": return () => actions.cycle(step);
    case "r": return () => actions.read();
    case "s": return () => actions.standings();
    case "l": return () => actions.last();
    case " ": return () => actions.next(step);
    case "+": case "=": return () => actions.next(1);
    case "-": case "_": return () => actions.next(-1);
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
    act();
  }, { signal });
}

/** The dialog with the keys. */
export function legend() {
  const rows = keyLegend().flatMap(([keys, what]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, what)]);
  const dialog = html("dialog", { class: "bl-legend", "aria-label": t("Keys") },
    html("h2", {}, t("Keys")), html("dl", {}, ...rows),
    html("form", { method: "dialog" }, html("button", { class: "button" }, t("Close"))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
