// The end of a match: who won and why, the row of rematches, and on TV the way to the next match.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { number, t, tn } from "./i18n.js";
import { resultSentence } from "./panels.js";

/** Seconds before TV moves on. */
const TV_AFTER = 8;

const matchUrl = (id) => `/match/${id}/`;

/** Whether the viewer has agreed to a rematch of the match at this position. */
export const wantsRematch = ({ offers, seat }) => seat !== null && Boolean(offers.rematch?.agreed.includes(seat));

/** Follows the table to its rematch, when the viewer agreed to it and it has begun since an earlier position. */
export function followRematch(before, position, agreed) {
  if (!before.next && position.next && agreed) location.assign(matchUrl(position.next));
}

const LEFT = {
  resigned: (names) => t("{name} resigned.", names),
  timeout: (names) => t("{name} ran out of time.", names),
  abandoned: (names) => t("{name} went away and did not come back.", names),
};

/** Why it ended, where the sentence of the result does not say: who left, or who let it be called off. */
function reason({ seats, status, note }) {
  if (status === "aborted") return note?.kind === "called_off" ? html`<p class="result-why">${note.text}</p>` : nothing;
  const left = seats.filter(({ why }) => LEFT[why]).map(({ name, why }) => LEFT[why]({ name }));
  return left.length ? html`<p class="result-why">${left.join(" ")}</p>` : nothing;
}

function ranking({ ranks, seats, scores, rating }) {
  if (!ranks) return nothing;
  const order = [...seats].sort((one, other) => ranks[one.seat] - ranks[other.seat]);
  const changed = (seat) => {
    const change = rating?.changes[seat];
    return change ? html` <small class="rating-change">${change.rating} <span>(${change.change})</span></small>` : nothing;
  };
  return html`<ol class="ranking">${order.map(({ seat, name }) => html`<li value=${ranks[seat]}><span>${name}${changed(seat)}</span><b>${number(scores[seat])}</b></li>`)}</ol>`;
}

/** What a rated match changed for the viewer and why, or why it does not count. */
function rated({ rating }) {
  if (!rating) return nothing;
  const waits = rating.counted && rating.changes.length === 0;
  const words = waits ? t("The new ratings come in a moment.") : rating.sentence || rating.reason;
  return words ? html`<p class="result-rating" data-rating>${words}</p>` : nothing;
}

function series({ series: points }) {
  if (!points) return nothing;
  const each = points.map(({ name, points: won }) => `${name} ${number(Math.round(won * 10) / 10)}`);
  return html`<p class="result-series" data-series>${t("This table so far: {points}", { points: each.join(" · ") })}</p>`;
}

function rematch({ next, offers, seats, seat }) {
  if (next) return html`<p><a class="button" data-next-match href=${matchUrl(next)}>${seat === null ? t("Watch the rematch") : t("Go to the rematch")}</a></p>`;
  if (!offers.rematch) return nothing;
  const names = offers.rematch.agreed.map((one) => seats[one].name).join(", ");
  const waiting = wantsRematch({ offers, seat }) ? t("You are in. The rematch begins when all agree.") : t("Wants a rematch: {names}", { names });
  return html`<p class="result-rematch" data-rematch>${waiting}</p>`;
}

/** Draws the panel of the result; it is hidden while the match runs. `form` holds the plain button for a rematch. */
export function drawResult(panel, { text, button, decline }, position) {
  panel.hidden = position.status === "running";
  if (panel.hidden) return;
  render(html`<h2>${resultSentence(position)}</h2>${reason(position)}${ranking(position)}${rated(position)}${series(position)}${rematch(position)}`, text);
  const agreed = wantsRematch(position);
  const open = Boolean(position.offers.rematch);
  button.hidden = !position.may.rematch || agreed || Boolean(position.next);
  button.textContent = open ? t("Agree to a rematch") : t("Rematch");
  decline.hidden = !open || position.seat === null;
  decline.textContent = agreed ? t("Withdraw") : t("No, thank you");
}

/** Moves on to the next match of TV, after a while that is shown and can be stopped. */
export class Television {
  #left = TV_AFTER;
  #timer = null;

  constructor(element, url) {
    Object.assign(this, { element, url });
  }

  /** The match is over: begin to count, once. */
  begin() {
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => this.#tick(), 1_000);
    this.#draw();
  }

  #tick() {
    this.#left -= 1;
    if (this.#left > 0) return this.#draw();
    clearInterval(this.#timer);
    return location.assign(this.url);
  }

  #draw() {
    this.element.hidden = false;
    render(html`<p>${tn("The next match comes in {n} second.", "The next match comes in {n} seconds.", this.#left)}</p>
      <div class="offer-buttons"><a class="button-quiet" href=${this.url}>${t("Go on")}</a>
        <button type="button" class="button-quiet" @click=${() => this.#stop()}>${t("Stay here")}</button></div>`, this.element);
  }

  #stop() {
    clearInterval(this.#timer);
    this.element.hidden = true;
  }
}
