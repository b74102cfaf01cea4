// The seats and the move list beside a board, for the live page and the replay alike.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { number, t, tn } from "./i18n.js";

export const tile = (colour) =>
  html`<span class="tile tile-${colour}"><svg viewBox="0 0 20 20" aria-hidden="true"><use href="#mark-${colour}"></use></svg></span>`;

const DAY_AND_TIME = new Intl.DateTimeFormat(globalThis.document?.documentElement.lang || "en", { day: "numeric", month: "short" });

function kindOf(seat, over) {
  if (seat.left) return over ? leftBefore(seat) : leftBecause(seat);
  if (seat.away) return t("on holiday until {day}", { day: DAY_AND_TIME.format(new Date(seat.away)) });
  if (seat.you) return t("you");
  if (seat.kind === "bot") return t("bot");
  return { guest: t("guest"), gone: t("gone") }[seat.kind] ?? "";
}

function leftBecause({ you, why }) {
  if (you) return t("you left, a bot plays on");
  return { timeout: t("out of time, a bot plays on"), abandoned: t("went away, a bot plays on") }[why] ?? t("left, a bot plays on");
}

const leftBefore = ({ why }) => ({ timeout: t("out of time"), abandoned: t("went away"), resigned: t("resigned") })[why] ?? t("left");

const ordinal = (rank) => ({ 1: t("1st"), 2: t("2nd"), 3: t("3rd") })[rank] ?? t("{n}th", { n: rank });

/** What a seat is doing: in a live view the one to move thinks, unless its person is away. */
function doing(seat, { turn, live, here, over }) {
  if (!turn) return kindOf(seat, over);
  if (!live || seat.you) return t("to move");
  return seat.kind === "bot" || seat.left || here?.[seat.seat] !== false ? t("thinking…") : t("to move");
}

/** Whether the person of a seat looks at the match: a dot for the eye, a word for the ear; nothing for bots and for oneself. */
function presence(seat, here) {
  if (!here || seat.you || seat.left || !["person", "guest"].includes(seat.kind)) return nothing;
  const word = here[seat.seat] ? t("here") : t("away");
  return html`<span class=${here[seat.seat] ? "dot dot-here" : "dot"} title=${word}><span class="visually-hidden">${word}</span></span>`;
}

/** A deviation above this is provisional, as `ladder.scale` has it. */
const WIDE = 150;

/** A rating as it is written everywhere: `1523 ± 60`, `1523? ± 210` while it is provisional; where there is little room without the end. */
function ratingOf({ rating, deviation }, follows) {
  if (rating === null || rating === undefined) return nothing;
  const sure = deviation === null || deviation === undefined;
  const shown = `${rating}${deviation > WIDE ? "?" : ""}`;
  const rest = sure ? nothing : html`<span class="seat-deviation"> ± ${deviation}</span>`;
  return html`<span class="seat-rating" title=${sure ? nothing : `${shown} ± ${deviation}`}>${follows ? html`<span class="seat-dot"> · </span>` : nothing}${shown}${rest}</span>`;
}

/** A name that leads to the person's page, with a mark where one noted something there. */
function nameOf(seat, noted) {
  if (!seat.page) return seat.name;
  const word = t("you noted something");
  const mark = noted.includes(seat.page) ? html` <span class="seat-noted" role="img" aria-label=${word} title=${word}>✎</span>` : nothing;
  return html`<a href=${seat.page}>${seat.name}</a>${mark}`;
}

function seatRow(seat, { scores, ranks, toMove, live, here, clocks, noted }) {
  const turn = toMove === seat.seat;
  const classes = ["seat", turn && "seat-turn", seat.you && "seat-you", seat.left && "seat-left"].filter(Boolean).join(" ");
  const note = [ranks && ordinal(ranks[seat.seat]), doing(seat, { turn, live, here, over: live && ranks })].filter(Boolean).join(" · ");
  return html`<li class=${classes} aria-current=${turn ? "true" : nothing} data-seat=${seat.seat}>
    <span class="seat-tiles">${seat.colours.map(tile)}</span>
    ${seat.avatar ? html`<img class="avatar" src="/avatar/${seat.avatar}.svg" alt="" width="24" height="24">` : nothing}
    <span class="seat-name" title=${seat.name}>${nameOf(seat, noted)}<small class="seat-kind">${presence(seat, here)}${note}${ratingOf(seat, Boolean(note))}</small></span>
    <span class="seat-figures"><span class="seat-score" aria-label=${t("{n} points", { n: scores[seat.seat] })}>${number(scores[seat.seat])}</span>
      ${clocks ? html`<span class="seat-clock" role="timer" data-clock=${seat.seat}></span>` : nothing}</span>
  </li>`;
}

/**
 * Draws who sits where, with scores, ranks at the end, and whose turn it is; `live` when that turn is now. `here` says per
 * seat whether its person looks on, if that is known; `clocks` leaves room for a clock in each row; `noted` has the pages of
 * the people about whom the viewer noted something.
 */
export function drawSeats(element, { seats, scores, ranks, toMove, live = false, here = null, clocks = false, noted = [] }) {
  render(seats.map((seat) => seatRow(seat, { scores, ranks, toMove, live, here, clocks, noted })), element);
}

/** The sentence of a result: who won, or who share the win. */
export function resultSentence({ seats, ranks, status }) {
  if (status === "aborted") return t("The match was called off.");
  const winners = seats.filter((seat) => ranks[seat.seat] === 1);
  if (winners.length === 1) return winners[0].you ? t("You win.") : t("{name} wins.", { name: winners[0].name });
  return t("{names} share the win.", { names: winners.map((seat) => seat.name).join(", ") });
}

/**
 * Draws the plies as an ordered list of links. `describe(ply)` gives `{label, colour}`; `href(n)` the link of ply n;
 * `pick(n)` is called instead of following it, if given.
 */
export function drawMoves(element, { plies, current, describe, href, pick }) {
  const row = (ply) => {
    const { label, colour } = describe(ply);
    const act = pick ? (event) => plain(event) && (event.preventDefault(), pick(ply.ply)) : nothing;
    return html`<li class=${ply.seat === null ? "move move-chance" : "move"} aria-current=${ply.ply === current ? "step" : nothing}>
      <a href=${href(ply.ply)} title=${ply.text} @click=${act}>
        <span class="move-number">${ply.ply}</span>${colour ? tile(colour) : html`<span class="tile-room"></span>`}<span class="move-label">${label}</span>
      </a></li>`;
  };
  render(plies.length ? plies.map(row) : html`<li class="soft move-none">${t("No moves yet.")}</li>`, element);
  keepInSight(element);
}

/** A click that should not open a tab or window of its own. */
const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button);

/** Scrolls the list, and only the list, so that the current ply or else the newest can be seen. */
function keepInSight(list) {
  const row = list.querySelector("[aria-current]") ?? list.lastElementChild;
  if (!row || list.scrollHeight <= list.clientHeight) return;
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + row.offsetHeight - list.clientHeight;
}

/** How many moves people and bots have made; what chance drew is none. */
export const movesHeading = (plies) => {
  const count = plies.filter((ply) => ply.seat !== null).length;
  return tn("{n} move", "{n} moves", count);
};
