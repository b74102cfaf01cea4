// The live page of a match: joins socket, board and panels. The server's newest position is always the truth.

import { Ahead } from "./ahead.js";
import { Around } from "./around.js";
import { missed } from "./catchup.js";
import { Chat } from "./chat.js";
import { Outbox } from "./delivery.js";
import { t } from "./i18n.js";
import { chime } from "./notice-marks.js";
import { freshOffers, offerSentence } from "./offers.js";
import { mountBoard, pageData, refetch, say } from "./page.js";
import { resultSentence, tile } from "./panels.js";
import { Plies } from "./plies.js";
import { followRematch, wantsRematch } from "./result.js";
import { Connection } from "./socket.js";

const page = pageData("page");
const root = document.getElementById("match");
const part = (name) => root.querySelector(`[data-part=${name}]`);
/** Where the page of this match is, also on TV. */
const address = `/match/${page.match}/`;
/** Milliseconds without a socket before the page falls back on plain requests, and between these. */
const NO_SOCKET = 10_000;
const FALL_BACK = 4_000;

let position = page.position;
let choice = null;
/** The delivery of this tab's move: `{text, ply, state: waiting | sent | received | accepted | refused, message}`. */
let delivery = null;
let touchedAt = position.version;
let present = { here: null, watching: 0 };
let playback = null;
let seen = page.seen_ply ?? -1;
let waiting = page.waiting ?? 0;
let sound = false;
let agreed = wantsRematch(position);

/** Whether the viewer plays, and has not resigned. */
const seated = () => position.seat !== null && !position.seats[position.seat].left;
const running = () => position.status === "running";
const myTurn = () => running() && seated() && position.to_move === position.seat;
const live = () => connection.state === "live";

const board = await mountBoard({
  data: page.data,
  seat: position.seat,
  interactive: seated(),
  choose,
  commit,
  why: (text) => (ahead.on ? Promise.resolve(t("It is not possible as the board stands.")) : connection.why(text)),
  say,
});

const plies = new Plies(part("moves"), { list: page.plies, describe, address, replay: page.replay_url });

const connection = new Connection({
  path: page.socket,
  version: () => position.version,
  hurried: () => myTurn() && position.pace === "live",
  on: {
    position: take,
    answer: (frame) => chat?.answered(frame) || outbox.hear(frame),
    state: connectionChanged,
    opened: () => { outbox.retry(); chat?.retry(); },
    chat: (frame) => chat?.hear(frame),
    presence: cameOrWent,
  },
});
if (page.now) connection.time.begin(Date.parse(page.now));

const outbox = new Outbox({
  match: page.match,
  postUrl: page.move_url,
  token: root.querySelector("[name=csrfmiddlewaretoken]").value,
  send: (frame) => connection.send(frame),
  onState: delivering,
  onAnswer: answered,
});

const ahead = new Ahead({
  ask: () => connection.ask({ type: "ahead" }),
  changed: () => show(false),
  unavailable: () => around.tell(t("Nothing can be chosen ahead here.")),
});

const chat = page.chat && new Chat(page, {
  tabs: part("tabs"), moves: part("panel-moves"), chat: part("panel-chat"), jump: part("jump"),
}, {
  send: (frame) => connection.send(frame),
  say,
  tile: (seat) => position.seats[seat].colours.slice(0, 1).map(tile),
  wanted: () => position.seats.filter(({ kind, you }) => !you && ["person", "guest"].includes(kind)).length > 0 || position.seat === null,
});

const around = new Around(root, {
  state: () => ({
    position, choice, delivery, playback, waiting, present, mine: myTurn(), seated: seated(), live: live(), busy: Boolean(outbox.move),
    ahead: { state: ahead.state, on: ahead.on, label: ahead.text && describe({ text: ahead.text, seat: position.seat }).label },
    verb: board.verb ?? t("Place"),
  }),
  acts: {
    nextUrl: page.next_url,
    planUrl: page.plan_url ?? null,
    touched() { touchedAt = position.version; },
    place,
    takeBack() { board.clear(); board.focus?.(); },
    skip: () => playback?.stop(),
    ahead: chooseAhead,
    dropPlan,
  },
  ask: act,
  connection,
  address,
  warn: () => sound && chime(),
  tv: page.tv,
  noted: page.noted,
});

// --- Positions

/** Takes a position of the server; an older one than is shown comes too late, and one of the same version says what else may be done now. */
function take(next) {
  if (next.version < position.version) return;
  const before = position;
  position = next;
  agreed ||= wantsRematch(before) || wantsRematch(next);
  followRematch(before, next, agreed);
  if (next.version === before.version) return around.draw();
  plies.follow(position, before);
  // Our move stands on the board: from here on it is like any other.
  if (delivery && next.ply !== delivery.ply && delivery.state !== "refused") delivery = null;
  announce(before);
  if (!running()) ahead.drop();
  else if (myTurn()) playPlan();
  else ahead.moved(next.ply);
  show(true);
}

/** Where no socket gets through, the page itself is asked again and again: slow, but the match goes on. */
async function fallBack() {
  if (connection.state !== "offline" || performance.now() - connection.liveAt < NO_SOCKET || document.hidden) return;
  const fresh = await refetch(address, "page");
  if (!fresh || fresh.position.version <= position.version) return;
  plies.replace(fresh.plies);
  if (fresh.now) connection.time.begin(Date.parse(fresh.now));
  take(fresh.position);
}

function announce(before) {
  const parts = [];
  if (position.note) parts.push(position.note.text);
  for (const kind of freshOffers(before, position)) parts.push(offerSentence(position, kind));
  const made = position.ply > before.ply && position.tail.find((ply) => ply.seat !== null);
  if (made && made.ply > before.ply && made.seat !== position.seat) {
    parts.push(t("{name} played {move}.", { name: position.seats[made.seat].name, move: describe(made).label }));
  }
  if (position.status !== before.status && !running()) parts.push(resultSentence(position));
  else if (myTurn() && position.ply !== before.ply) parts.push(t("Your turn."));
  // A pause and an end stand there for as long as they last anyway.
  if (position.note && position.note.kind !== "paused" && running()) around.tell(position.note.text, false);
  if (parts.length) say(parts.join(" "));
}

function cameOrWent({ here, watching }) {
  const changed = present.here && here.some((one, seat) => one !== present.here[seat]);
  present = { here, watching };
  // Who is away may be called after a while: that comes with the position, which has no new version for it.
  if (changed && position.pace === "live" && running() && seated()) connection.refresh();
  around.drawSeats();
  around.drawLink();
  around.drawBar();
}

function describe(ply) {
  // A board names the colour where the text tells it; else it is the seat's, and chance has none.
  return { label: ply.text, colour: position.seats[ply.seat]?.colours[0], ...board.describe?.(ply.text, position.view, ply.seat) };
}

// --- Choosing and sending

function choose(text, summary) {
  choice = text && { text, summary };
  if (text && delivery?.state === "refused" && delivery.text !== text) delivery = null;
  around.drawBar();
}

function commit() {
  if (!choice || outbox.move || playback) return;
  const { text } = choice;
  if (ahead.on && !myTurn()) {
    choice = null;
    ahead.plan(text);
  } else if (myTurn()) {
    choice = null;
    send(text);
    show(false);
  }
}

function send(text, planned = false) {
  delivery = { text, ply: position.ply, state: "waiting" };
  outbox.put(position.ply, text, planned);
}

/** The turn has come for which a move may have been planned; the server says whether it can still be played. */
function playPlan() {
  const text = ahead.drop();
  if (text && !outbox.move) send(text, true);
}

function delivering() {
  delivery ??= { ...outbox.move };
  delivery.state = outbox.move.state;
  around.drawBar();
}

function answered(answer, move) {
  if (answer.type === "ack") {
    if (delivery) delivery.state = "accepted";
    if (position.ply > move.ply) delivery = null;
  } else if (move.planned) {
    delivery = null;
    around.tell(t("The planned move is no longer possible: {reason}", { reason: answer.message }));
  } else {
    delivery = { ...move, state: "refused", message: answer.message };
    say(t("Not accepted: {reason}", { reason: answer.message }));
  }
  show(false);
}

/** Asks the server for something that is not a move; what it refuses is told with the reason. */
async function act(frame) {
  if (frame.kind === "rematch" && frame.type === "offer") agreed = true;
  if (frame.kind === "rematch" && frame.type === "decline") agreed = false;
  const answer = await connection.ask(frame);
  if (!answer) around.tell(t("No answer yet. Look whether it happened, and try again."));
  else if (answer.type === "refused") around.tell(answer.message);
}

function connectionChanged(state) {
  if (state !== "live") outbox.interrupted();
  if (state === "signed-out") say(t("You were signed out."));
  around.drawLink();
  around.clocks.draw();
  around.drawBar();
  sawIt();
}

// --- Drawing

function show(animate) {
  if (playback) return around.draw();
  const sent = delivery && delivery.state !== "refused" && delivery.ply === position.ply ? delivery.text : null;
  const planned = ahead.shown(position);
  board.show(planned ?? position, { animate, pending: planned ? ahead.text : sent });
  root.classList.toggle("is-planning", ahead.on);
  root.dataset.ply = position.ply;
  around.draw();
  plies.draw();
  sawIt();
}

function chooseAhead() {
  ahead.begin(position.ply).then(() => board.focus?.());
  root.querySelector(".board-table").scrollIntoView({ block: "nearest" });
}

function dropPlan() {
  ahead.cancel();
  board.clear();
}

/** A press begun before the position changed was meant for another position. */
function place(event) {
  if (event.detail > 0 && touchedAt !== position.version) return say(t("The position changed. Look again before you place."));
  commit();
  return board.focus?.();
}

// --- Since the last visit

/** Keeps on the server that the position was seen, once it is before somebody's eyes. */
function sawIt() {
  if (position.seat === null || document.hidden || playback || position.ply <= seen) return;
  if (connection.send({ type: "seen", ply: position.ply })) seen = position.ply;
}

async function recall() {
  const news = seated() ? await missed(page, { describe, show: showStep, ended: showPresent }) : null;
  if (typeof news === "string") around.tell(news);
  if (typeof news === "string" || !news) return;
  playback = news;
  say(playback.sentence);
  playback.start();
}

function showStep(step, animate) {
  board.show({ ...step, seats: position.seats, seat: position.seat, status: "replay", version: position.version }, { animate });
  around.drawSeats(step.scores);
}

function showPresent() {
  playback = null;
  show(false);
}

// --- Beginning

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || ahead.state !== "planned" || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  dropPlan();
});
document.addEventListener("visibilitychange", sawIt);
document.addEventListener("tessera:mine", ({ detail }) => {
  waiting = detail.waiting.filter(({ match }) => match !== page.match).length;
  sound = Boolean(detail.settings.sound);
  around.drawBar();
});

if (outbox.move) delivery = { ...outbox.move };
const news = position.note?.text ?? (myTurn() && page.plan?.ended);
if (news && running()) around.tell(news, false);
around.drawLink();
await recall();
show(false);
connection.open();
outbox.retry();
setInterval(fallBack, FALL_BACK);
// The keys work from the start; where there is no keyboard, a frame of focus would only stand in the way.
if (seated() && document.activeElement === document.body && !matchMedia("(hover: none)").matches) board.focus?.();
