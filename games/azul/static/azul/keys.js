// The keyboard of the Azul board: which key does what.

import { LETTERS } from "./tiles.js";

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
export function meaning(event, actions) {
  const act = pressed(event, actions);
  if (!act || !event.target.closest("button")) return act;
  // From here on Enter is to play what was chosen, not to press that button again.
  return () => {
    actions.home();
    act();
  };
}

function pressed(event, actions) {
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
