// The bar under an analysis board: what is to be done there, stepping, and the buttons for what is chosen.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { t } from "../i18n.js";

const ICONS = {
  first: ["M3 4h2.2v12H3zM16.5 4v12L7 10z", () => t("First"), "Home"],
  back: ["M14 4v12L5 10z", () => t("Back"), "←"],
  forward: ["M6 4v12l9-6z", () => t("Forward"), "→"],
  last: ["M14.8 4H17v12h-2.2zM3.5 4v12l9.5-6z", () => t("Last"), "End"],
};

function stepButton(name, acts, disabled) {
  const [path, word, key] = ICONS[name];
  return html`<button type="button" class="button-quiet button-icon" data-act=${name} aria-label=${word()} title=${`${word()} (${key})`} ?disabled=${disabled} @click=${acts[name]}>
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d=${path}></path></svg></button>`;
}

/** What the bar says when nothing is chosen. */
function prompt({ position, due, line, where, name }) {
  if (line) return where;
  if (due !== null) return t("A draw is due.");
  if (position.to_move === null) return t("The match is over here.");
  return t("{name} to move", { name: name(position.to_move) });
}

/** Draws the bar. `steps` are what its buttons do. */
export function drawBar(element, model) {
  const { choice, due, line, steps, mayBack, mayForward, verb } = model;
  const button = (text, act, look = "button-quiet") => html`<button type="button" class=${look} @click=${act}>${text}</button>`;
  const buttons = choice
    ? html`${button(t("Take back"), steps.clear)}${button(verb, steps.play, "button bar-place")}`
    : line ? html`${button(t("Keep these moves"), steps.keep)}${button(t("Leave the line"), steps.leave)}`
      : due === null ? nothing
        : mayForward ? button(t("Draw something else"), steps.draw) : button(t("Draw"), steps.draw, "button");
  render(html`<div class="study-steps" role="group" aria-label=${t("Stepping")}>
      ${stepButton("first", steps, !mayBack)}${stepButton("back", steps, !mayBack)}${stepButton("forward", steps, !mayForward)}${stepButton("last", steps, !mayForward)}
    </div>
    <p class="bar-text">${choice ? choice.summary : prompt(model)}</p>
    <div class="bar-buttons">${buttons}</div>`, element);
  element.classList.toggle("has-choice", Boolean(choice));
}
