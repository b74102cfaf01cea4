// The line below the Blockers! board: a sentence, or what the move aimed at would change, in signs and figures.

import { arrow, capital } from "./words.js";
import { Status } from "../js/board.js";
import { html, smallTile } from "../js/dom.js";

export class Line extends Status {
  constructor() {
    super("bl-status");
  }

  /** Shows a sentence; `mood` good, bad or none. */
  text(sentence, mood = "") {
    this.show(capital(sentence), mood);
  }

  /** Shows a heading and the list of `effects` (see words.js). */
  effects(heading, list) {
    this.show([html("b", {}, heading), ...list.map(effect)]);
  }
}

/** Fewer groups and a lower score are good for whom they are; only the score is judged. */
function effect({ colour, label, change }) {
  const [before, after] = change;
  const kind = colour === null ? ` is-score${after < before ? " is-good" : ""}${after > before ? " is-bad" : ""}` : "";
  return html("span", { class: `bl-effect${kind}${before === after ? " is-same" : ""}` },
    colour && smallTile(colour), `${label} `, html("b", {}, arrow(change)));
}
