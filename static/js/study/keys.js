// The keys of the analysis board, where the focus is neither on the board, which has its own, nor in a field.

import { t } from "../i18n.js";
import { keysDialog, legendButton } from "../keys.js";

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last",
  Escape: "leave", Delete: "cut", p: "rise", d: "again", n: "note", e: "engine",
};

const rows = () => [
  ["← →", t("a move back or forward")],
  ["↑ ↓", t("another move that was tried here")],
  [t("Home End"), t("to the start, to the end")],
  ["D", t("draw again, or draw what is due")],
  ["N", t("a note to this move")],
  ["P", t("move the branch up")],
  [t("Del"), t("delete from here")],
  ["E", t("let the bot think, or not")],
  [t("Esc"), t("leave the line of the bot")],
];

/** Listens on the whole page, and puts the button with the list of keys into `root`. */
export function listen(root, board, acts) {
  const dialog = keysDialog(rows());
  root.querySelector("[data-part=keys]").append(legendButton(dialog));
  root.append(dialog);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog") || board.contains(event.target)) return;
    const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const before = root.querySelector("[data-part=tree]").contains(document.activeElement);
    // Where there is nothing to choose from, these keys scroll the page as ever.
    if (!name || (["up", "down"].includes(name) && !acts.forked() && !before)) return;
    event.preventDefault();
    acts[name]();
    if (name === "again") acts.draw();
    // The current row is the one that the Tab key comes to.
    if (before) root.querySelector("[data-part=tree] [aria-current]")?.focus();
  });
}
