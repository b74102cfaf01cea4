// What the keyboards of all boards share: listening to keys, and the dialog that tells what they do.

import { html } from "./dom.js";
import { t } from "./i18n.js";

/** Listens to keys while the focus is within `root`. `meaning(event)` is what to do on a key press, or `null`. On a button, Enter and Space stay the button's own. */
export function listenToKeys(root, meaning, signal) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, input, textarea, select")) return;
    if (event.target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
    const act = meaning(event);
    if (!act) return;
    event.preventDefault();
    act();
  }, { signal });
}

/** A list of keys from pairs of the keys and what they do. */
export const keyList = (rows) =>
  html("dl", {}, ...rows.flatMap(([keys, what]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, what)]));

/** A dialog that `?` opens and a click beside it closes. */
export function legend(label, ...content) {
  const dialog = html("dialog", { class: "dialog board-legend", "aria-label": label },
    ...content, html("form", { method: "dialog" }, html("button", { class: "button" }, t("Close"))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}

/** The dialog with the keys, `rows` as for `keyList`. */
export const keysDialog = (rows) => legend(t("Keys"), html("h2", {}, t("Keys")), keyList(rows));

/** The button that opens such a dialog. */
export function legendButton(dialog, style = "board-keys") {
  const label = dialog.getAttribute("aria-label");
  return html("button", { type: "button", class: style, title: label, "aria-label": label, onclick: () => dialog.showModal() }, "?");
}
