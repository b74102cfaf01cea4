// The bar under the board and the chips above it: whose turn it is, what is chosen, how a move is getting on, who looks on.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { short } from "./clock.js";
import { DELIVERY } from "./delivery.js";
import { t, tn } from "./i18n.js";
import { resultSentence } from "./panels.js";

const LINK = {
  connecting: () => [t("Connecting…"), "chip-warn"],
  live: () => [t("Live"), "chip-good"],
  offline: () => [t("No connection, trying again…"), "chip-warn"],
  "signed-out": () => [t("Signed out: load the page again"), "chip-bad"],
  gone: () => [t("This match is gone"), "chip-bad"],
};

/** The state of the connection, and how many spectators there are. */
export function drawLink(element, state, watching) {
  const [text, kind] = LINK[state ?? "connecting"]();
  render(html`${watching ? html`<span class="chip" data-watching=${watching}>${tn("{n} watching", "{n} watching", watching)}</span>` : nothing}
    <span class="chip ${kind}" data-link=${state}>${text}</span>`, element);
}

/** Whose turn it is, or how it ended; `here` says per seat whether its person looks on, if that is known. */
export function turnSentence(position, { mine, here }) {
  if (position.status !== "running") return resultSentence(position);
  if (mine) return t("Your turn");
  const seat = position.seats[position.to_move];
  if (!seat) return "";
  const thinks = !position.clock?.paused && (seat.kind === "bot" || seat.left || (position.pace !== "correspondence" && here?.[seat.seat]));
  const turn = thinks ? t("{name} is thinking…", { name: seat.name }) : t("Waiting for {name}", { name: seat.name });
  return position.seat === null ? `${t("You are watching.")} ${turn}` : turn;
}

function sentence(model) {
  const { position, choice, delivery, ahead, playback, mine, here } = model;
  if (playback) return html`<p class="bar-text">${playback.sentence}</p>`;
  if (delivery?.state === "refused") return html`<p class="bar-text is-bad" data-delivery="refused">${t("Not accepted: {reason}", { reason: delivery.message })}</p>`;
  if (delivery) return html`<p class="bar-text" data-delivery=${delivery.state}>${DELIVERY[delivery.state]()}</p>`;
  if (ahead.state === "planned") {
    return html`<p class="bar-text" data-planned><b>${t("Planned:")}</b> ${ahead.label} <small>${t("It is played when your turn comes, if it is possible then.")}</small></p>`;
  }
  if (choice) return html`<p class="bar-text">${ahead.on ? html`<b>${t("For later:")}</b> ` : nothing}${choice.summary}</p>`;
  if (ahead.on) return html`<p class="bar-text" data-planning>${t("Choose a move for when your turn comes.")}</p>`;
  return html`<p class=${`bar-text${mine || position.status !== "running" ? " is-turn" : ""}`}>${turnSentence(position, { mine, here })}${aside(model)}</p>`;
}

/** What else is to be known of the turn: how long there is for a first move, and that the clocks may be wrong. */
function aside({ position, first, mine, live }) {
  if (!live && position.clock?.left && position.status === "running") return html`<small>${t("Without a connection the clocks may be wrong.")}</small>`;
  return first === null ? nothing : html`<small>${firstMove(position, first, mine)}</small>`;
}

const firstMove = (position, left, mine) => (mine
  ? t("Your first move within {time}, else the match is called off.", { time: short(left, false) })
  : t("{name} has {time} for the first move, else the match is called off.", { name: position.seats[position.to_move].name, time: short(left, false) }));

function buttons(model, acts) {
  const { position, choice, delivery, ahead, playback, mine, seated, waiting, verb } = model;
  const button = (text, act, look = "button-quiet") => html`<button type="button" class=${look} @click=${act}>${text}</button>`;
  if (playback) return button(t("Skip"), acts.skip);
  if (choice && !model.busy) {
    return html`${button(t("Take back"), acts.takeBack)}
      <button type="button" class="button bar-place" @pointerdown=${acts.touched} @click=${acts.place}>${ahead.on && !mine ? t("Plan") : verb}</button>`;
  }
  if (ahead.on) return button(ahead.state === "planned" ? t("Drop the plan") : t("Never mind"), acts.dropPlan);
  if (!seated || mine || delivery || position.status !== "running") return position.status === "running" ? nothing : next(waiting, acts);
  return html`${waiting ? next(waiting, acts, position.pace === "live") : nothing}
    ${position.pace === "live" && model.live && !position.clock?.paused ? button(t("Move ahead"), acts.ahead) : nothing}
    ${acts.planUrl ? html`<a class="button-quiet" data-plan href=${acts.planUrl}>${t("Plan replies")}</a>` : nothing}`;
}

/** The way to the next match that waits for the viewer; never taken by itself. */
const next = (waiting, { nextUrl }, quiet) =>
  waiting ? html`<a class=${quiet ? "button-quiet" : "button"} data-next href=${nextUrl}>${t("Next match ({n})", { n: waiting })}</a>` : nothing;

/** Draws the bar. `acts` are what its buttons do and where its links lead. */
export function drawBar(element, model, acts) {
  render(html`${sentence(model)}<div class="bar-buttons">${buttons(model, acts)}</div>`, element);
  element.classList.toggle("has-choice", Boolean(model.choice));
}
