// The live page of a match: joins socket, board and panels. The server's newest position is always the truth.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { number, t } from "./i18n.js";
import { mountBoard, pageData, refetch, say } from "./page.js";
import { drawMoves, drawSeats, resultSentence } from "./panels.js";
import { Connection, Outbox } from "./socket.js";

const page = pageData("page");
const root = document.getElementById("match");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const plainTitle = document.title;
/** Milliseconds without a socket before the page falls back on plain requests, and between these. */
const NO_SOCKET = 10_000;
const FALL_BACK = 4_000;

let position = page.position;
let plies = page.plies ?? [];
let choice = null;
/** The delivery of this tab's move: `{text, ply, state: waiting | sent | accepted | refused, message}`. */
let delivery = null;
let touchedAt = position.version;

/** Whether the viewer plays, and has not resigned. */
const seated = () => position.seat !== null && !position.seats[position.seat].left;

const board = await mountBoard({
  data: page.data,
  seat: position.seat,
  interactive: seated(),
  choose,
  commit,
  why: (text) => connection.why(text),
  say,
});

const connection = new Connection({
  path: page.socket,
  version: () => position.version,
  on: { position: take, answer: (frame) => outbox.hear(frame), state: connectionChanged, opened: () => outbox.retry() },
});

const outbox = new Outbox({
  match: page.match,
  postUrl: page.move_url,
  token: root.querySelector("[name=csrfmiddlewaretoken]").value,
  send: (frame) => connection.send(frame),
  onAnswer: answered,
});

// --- Positions

/** Takes a position of the server; an older one than is shown comes too late. */
function take(next) {
  if (next.version <= position.version) return;
  const before = position;
  position = next;
  note(before);
  // Our move stands on the board: from here on it is like any other.
  if (delivery && next.ply > delivery.ply && delivery.state !== "refused") delivery = null;
  announce(before);
  show(true);
}

/** Adds the newest plies to the list, or asks for the whole list: when some were missed, and at the end, which opens hidden draws. */
function note(before) {
  const fresh = position.tail.filter((ply) => ply.ply > plies.length);
  if (plies.length + fresh.length === position.ply) plies.push(...fresh);
  if (plies.length === position.ply && position.status === before.status) return;
  refetch(location.pathname, "page").then((page) => page && page.plies.length >= plies.length && ((plies = page.plies), drawPlies()));
}

/** Where no socket gets through, the page itself is asked again and again: slow, but the match goes on. */
async function fallBack() {
  if (connection.state !== "offline" || Date.now() - connection.liveAt < NO_SOCKET || document.hidden) return;
  const fresh = await refetch(location.pathname, "page");
  if (!fresh || fresh.position.version <= position.version) return;
  plies = fresh.plies;
  take(fresh.position);
}

function announce(before) {
  if (position.ply === before.ply && position.status === before.status) return;
  const parts = [];
  const made = position.tail.find((ply) => ply.seat !== null);
  if (made && made.ply > before.ply && made.seat !== position.seat) {
    parts.push(t("{name} played {move}.", { name: position.seats[made.seat].name, move: describe(made).label }));
  }
  if (position.status !== "running") parts.push(resultSentence(position));
  else if (myTurn()) parts.push(t("Your turn."));
  if (parts.length) say(parts.join(" "));
}

const myTurn = () => position.status === "running" && seated() && position.to_move === position.seat;

function describe(ply) {
  // A board names the colour where the text tells it; else it is the seat's, and chance has none.
  return { label: ply.text, colour: position.seats[ply.seat]?.colours[0], ...board.describe?.(ply.text, position.view, ply.seat) };
}

// --- Choosing and sending

function choose(text, summary) {
  choice = text && { text, summary };
  if (text && delivery?.state === "refused" && delivery.text !== text) delivery = null;
  drawBar();
}

function commit() {
  if (!choice || !myTurn() || outbox.move) return;
  const { text } = choice;
  delivery = { text, ply: position.ply, state: connection.state === "live" ? "sent" : "waiting" };
  choice = null;
  outbox.put(position.ply, text);
  show(false);
}

function answered(answer, move) {
  if (answer.type === "ack") {
    if (delivery) delivery.state = "accepted";
    if (position.ply > move.ply) delivery = null;
    show(false);
    return;
  }
  delivery = { ...move, state: "refused", message: answer.message };
  say(t("Not accepted: {reason}", { reason: answer.message }));
  show(false);
}

function connectionChanged(state) {
  if (delivery?.state === "waiting" || delivery?.state === "sent") delivery.state = state === "live" ? "sent" : "waiting";
  if (state === "signed-out") say(t("You were signed out."));
  drawLink();
  drawBar();
}

// --- Drawing

function show(animate) {
  const waiting = delivery && delivery.state !== "refused" && delivery.ply === position.ply;
  board.show(position, { animate, pending: waiting ? delivery.text : null });
  drawSeats(part("seats"), {
    seats: position.seats, scores: position.scores, ranks: position.ranks,
    toMove: position.status === "running" ? position.to_move : null, live: true,
  });
  drawBar();
  drawResult();
  drawPlies();
  root.dataset.ply = position.ply;
  root.querySelectorAll("[data-may]").forEach((element) => { element.hidden = !position.may[element.dataset.may]; });
  document.title = myTurn() ? `\u25cf ${t("Your turn")} · ${plainTitle}` : plainTitle;
}

function drawPlies() {
  drawMoves(part("moves"), { plies, current: position.ply, describe, href: (ply) => `${page.replay_url ?? "replay/"}?ply=${ply}` });
}

function turnSentence() {
  if (position.status !== "running") return resultSentence(position);
  if (myTurn()) return t("Your turn");
  const seat = position.seats[position.to_move];
  if (!seat) return "";
  return seat.kind === "bot" || seat.left ? t("{name} is thinking…", { name: seat.name }) : t("Waiting for {name}", { name: seat.name });
}

const DELIVERY = {
  waiting: () => t("Not sent yet: no connection. It goes out by itself."),
  sent: () => t("Sent, not yet confirmed…"),
  accepted: () => t("Accepted"),
};

function drawBar() {
  const sentence = () => {
    if (delivery?.state === "refused") return html`<p class="bar-text is-bad">${t("Not accepted: {reason}", { reason: delivery.message })}</p>`;
    if (delivery) return html`<p class="bar-text" data-delivery=${delivery.state}>${DELIVERY[delivery.state]()}</p>`;
    if (choice) return html`<p class="bar-text">${choice.summary}</p>`;
    return html`<p class=${`bar-text${myTurn() || position.status !== "running" ? " is-turn" : ""}`}>${turnSentence()}</p>`;
  };
  const buttons = choice && !outbox.move
    ? html`<button type="button" class="button-quiet" @click=${takeBack}>${t("Take back")}</button>
      <button type="button" class="button bar-place" @pointerdown=${touched} @click=${place}>${board.verb ?? t("Place")}</button>`
    : nothing;
  render(html`${sentence()}<div class="bar-buttons">${buttons}</div>`, part("bar"));
  part("bar").classList.toggle("has-choice", Boolean(choice));
}

function touched() {
  touchedAt = position.version;
}

/** A press begun before the position changed was meant for another position. */
function place(event) {
  if (event.detail > 0 && touchedAt !== position.version) return say(t("The position changed. Look again before you place."));
  commit();
  return board.focus?.();
}

function takeBack() {
  board.clear();
  board.focus?.();
}

const LINK = {
  connecting: () => [t("Connecting…"), "chip-warn"],
  live: () => [t("Live"), "chip-good"],
  offline: () => [t("No connection, trying again…"), "chip-warn"],
  "signed-out": () => [t("Signed out: load the page again"), "chip-bad"],
  gone: () => [t("This match is gone"), "chip-bad"],
};

function drawLink() {
  const [text, kind] = LINK[connection.state ?? "connecting"]();
  render(html`<span class="chip ${kind}" data-link=${connection.state}>${text}</span>`, part("link"));
}

function drawResult() {
  const panel = part("result");
  panel.hidden = position.status === "running";
  if (panel.hidden) return;
  const order = position.ranks ? [...position.seats].sort((a, b) => position.ranks[a.seat] - position.ranks[b.seat]) : [];
  render(html`<h2>${resultSentence(position)}</h2>
    <ol class="ranking">${order.map((seat) => html`<li value=${position.ranks[seat.seat]}>${seat.name}<b>${number(position.scores[seat.seat])}</b></li>`)}</ol>`, part("result-text"));
}

// --- Leaving the match

for (const opener of root.querySelectorAll("[data-opens]")) {
  opener.addEventListener("click", () => document.getElementById(opener.dataset.opens).showModal());
}
// A rematch is asked for as this match was.
const again = part("result").querySelector("form").elements;
again.level.value = position.seats.find((seat) => seat.level)?.level ?? again.level.value;
again.seat.value = position.seat ? "random" : "first";
part("rematch").hidden = position.seat === null;

if (outbox.move) delivery = { ...outbox.move, state: "waiting" };
drawLink();
show(false);
connection.open();
outbox.retry();
setInterval(fallBack, FALL_BACK);
// The keys work from the start; where there is no keyboard, a frame of focus would only stand in the way.
if (seated() && document.activeElement === document.body && !matchMedia("(hover: none)").matches) board.focus?.();
