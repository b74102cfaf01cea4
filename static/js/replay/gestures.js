// The keys of a replay and their list, and stepping by a swipe over the board.

import { html } from "../dom.js";
import { keysDialog } from "../keys.js";
import { t } from "../i18n.js";

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", "shift+ArrowLeft": "previous", "shift+ArrowRight": "next",
  Home: "first", End: "last", " ": "play", "?": "keys",
};

/** Calls `act(name)` for keys that mean something, wherever the focus is that does not need them itself. */
export function listenToKeys(act) {
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `shift+${event.key}` : event.key];
    const busy = event.target.closest("input:not([type=range]), select, textarea, dialog, [contenteditable], [role=tree], [role=tablist]")
      || (event.target.closest("input") && !event.shiftKey && event.key !== " " && event.key !== "?")
      || (event.key === " " && event.target.closest("button, a, summary, label"));
    if (!name || busy || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(name);
  });
}

/** The dialog that lists them. */
export const makeKeysDialog = () => keysDialog([
  ["← →", t("a ply back, a ply forward")],
  [t("Shift + ← →"), t("to the event before, to the next one")],
  [t("Home, End"), t("to the start, to the end")],
  [t("Space"), t("play by itself, pause")],
  ["Tab", t("to the moves, the graphs and all else")],
  ["?", t("this list")],
]);

/** How far a finger must go along, and may go up or down. Pixels. */
const [FAR, ASIDE] = [45, 40];
/** A finger that rests longer does not swipe. Milliseconds. */
const SLOW = 700;

/** Calls `back()` and `forward()` for swipes over `place`: to the left goes forward, as in a book. */
export function listenToSwipes(place, { back, forward }) {
  let from = null;
  place.addEventListener("touchstart", ({ touches, target, timeStamp }) => {
    from = touches.length === 1 && !scrolls(target, place) ? { x: touches[0].clientX, y: touches[0].clientY, at: timeStamp } : null;
  }, { passive: true });
  place.addEventListener("touchend", ({ changedTouches, timeStamp }) => {
    if (!from) return;
    const [along, aside] = [changedTouches[0].clientX - from.x, changedTouches[0].clientY - from.y];
    const quick = timeStamp - from.at < SLOW;
    from = null;
    if (quick && Math.abs(along) >= FAR && Math.abs(aside) <= ASIDE) (along < 0 ? forward : back)();
  }, { passive: true });
  place.addEventListener("touchcancel", () => { from = null; }, { passive: true });
}

/** Whether something between `element` and `place` scrolls sideways by itself. */
function scrolls(element, place) {
  for (let at = element; at && at !== place; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}

/** Options for a choice of whose eyes to look with; `chosen` is a seat or `null` for all. */
export const pointOptions = (seats, hides, chosen) => [
  html("option", { value: "", selected: chosen === null }, hides ? t("all, everything open") : t("all")),
  ...seats.map(({ seat, name }) => html("option", { value: String(seat), selected: chosen === seat }, name)),
];
