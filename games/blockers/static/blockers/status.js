// The line below the Blockers! board: a sentence, or what the move aimed at would change, in signs and figures.

import { html, sign } from "./symbols.js";
import { arrow, capital } from "./words.js";

export class Status {
  constructor() {
    this.element = html("p", { class: "bl-status" });
  }

  /** Shows a sentence; `mood` good, bad or none. */
  text(sentence, mood = "") {
    this.#show(mood, capital(sentence));
  }

  /** Shows a heading and the list of `effects` (see words.js). */
  effects(heading, list) {
    this.#show("", html("b", {}, heading), ...list.map(effect));
  }

  #show(mood, ...content) {
    this.element.className = `bl-status${mood ? ` is-${mood}` : ""}`;
    this.element.replaceChildren(...content);
  }
}

/** Fewer groups and a lower score are good for whom they are; only the score is judged. */
function effect({ colour, label, change }) {
  const [before, after] = change;
  const kind = colour === null ? ` is-score${after < before ? " is-good" : ""}${after > before ? " is-bad" : ""}` : "";
  return html("span", { class: `bl-effect${kind}${before === after ? " is-same" : ""}` }, ...(colour ? [sign(colour)] : []), `${label} `, html("b", {}, arrow(change)));
}
