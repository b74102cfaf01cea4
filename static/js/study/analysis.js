// The analysis board: moves tried from any ply of a line, as a tree with notes, the engine beside it, and the study that keeps it.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { t } from "../i18n.js";
import { pageData, say } from "../page.js";
import { drawSeats } from "../panels.js";
import { Positions } from "./ask.js";
import { drawBar } from "./bar.js";
import { Engine } from "./engine.js";
import { listen } from "./keys.js";
import { Keeping } from "./keeping.js";
import { drawTree } from "./rows.js";
import { grow, nodesOf } from "./tree.js";

/** Tried moves in the address; a longer way is named by its ply alone. */
const LONGEST_WAY = 60;

const root = document.getElementById("study");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const page = pageData("page");
const element = root.querySelector("[data-module]");
const { mount } = await import(element.dataset.module);
const token = root.querySelector("[name=csrfmiddlewaretoken]").value;

const { root: start, plies } = grow(page.line, page.tree);
const positions = new Positions({ url: page.look_url, source: page.source, token });

/** Where the person is, and, while a line of the engine is stepped through, that line and how far. */
let at = plies[page.ply];
let line = null;
/** The position on the board, the node it belongs to, and the board that shows it: one for each seat that chooses. */
let position = null;
let shown = null;
let due = null;
let board = null;
/** The first draw that the board was told of last. */
let laid = null;
let choice = null;
let busy = false;
let news = null;
let undone = null;

const kept = nodesOf(start).nodes;
for (const { text, seat } of page.tried) at = at.to(text, seat);
if (page.position) positions.put(page.ply, at.moves, { moves: at.moves, position: page.position, due: page.due });

// --- What moves are called

/** The words and the colour of a move, as the board of the game names it; `view` is of a position after it or later, if there is one. */
function described(text, seat, view, opening = start.next[0]) {
  // A board may have to be told of the layout that was drawn first, and again when that is another one.
  if (opening?.drawn && laid !== opening.text) board.describe?.(opening.text, view, null);
  laid = opening?.text ?? null;
  const told = board.describe?.(text, view, seat) ?? {};
  // A view of another branch may show another colour there, but a seat with one colour plays that one.
  const colours = seat === null ? [] : page.seats[seat].colours;
  const colour = colours.length === 1 ? colours[0] : colours.length && !colours.includes(told.colour) ? undefined : told.colour;
  return { label: told.label || text, colour };
}

function labelOf(node) {
  const seen = positions.known(node.ground.ply, node.moves)?.position.view;
  return described(node.text, node.seat, seen ?? (node.line ? page.end_view : position.view), node.opening);
}

function sentence() {
  if (line) return t("The bot’s line, {n} of {all}: {move}", { n: line.at, all: line.one.line.length, move: described(line.one.line[line.at - 1], null, position.view).label });
  if (at === start) return t("Start");
  const name = at.seat === null ? t("Chance") : page.seats[at.seat].name;
  return t("Ply {n}: {name}, {move}", { n: at.ply, name, move: labelOf(at).label });
}

// --- Going about

const wanted = () => [at.ground.ply, [...at.moves, ...(line ? line.one.line.slice(0, line.at) : [])]];

/** Goes to a node, or on in the engine's line from it. While an answer is awaited, only the newest wish is kept. */
async function go(node, { along = null, talk = true } = {}) {
  at = node;
  line = along;
  choice = null;
  board?.clear();
  draw();
  if (busy) return;
  busy = true;
  let told = null;
  let wish = null;
  while (wish !== JSON.stringify(wanted())) {
    wish = JSON.stringify(wanted());
    told = await positions.look(...wanted());
    // Who holds a key down sees the way go by, as far as the board need not be turned to another seat.
    if (wish !== JSON.stringify(wanted()) && told.position && board?.ctx.seat === told.position.seat) board.show(told.position, { animate: false });
  }
  busy = false;
  show(told);
  if (talk && !told.refused) say(sentence());
  keepAddress();
}

function show(told) {
  if (told.refused) {
    tell(told.message, "error");
    if (shown) [at, line] = [shown, null];
    return draw();
  }
  const held = board !== null && element.contains(document.activeElement);
  due = told.due ?? null;
  position = told.position;
  shown = at;
  // What the board takes a tap for depends on whose move it is.
  const interactive = Boolean(position.offer) && !line;
  if (!board || board.ctx.seat !== position.seat || board.ctx.interactive !== interactive) {
    board?.destroy();
    laid = null;
    board = mount(element, { data: page.data, seat: position.seat, interactive, say, choose, commit, why });
  }
  board.show(position, { animate: false });
  if (held && interactive) board.focus?.();
  draw();
}

function choose(text, summary) {
  choice = text ? { text, summary } : null;
  drawTheBar();
}

async function why(text) {
  const told = await positions.ask(at.ground.ply, [...at.moves, text]);
  return told.refused ? told.message : null;
}

/** Tries the move that is chosen on the board. */
function commit() {
  // What was chosen in a position that is no longer asked for is no choice.
  if (choice && position.offer && shown === at && !busy && !line) play(choice.text);
}

/** Tries a move, and draws what is due after it. */
async function play(text) {
  news = null;
  const known = at.next.some((node) => node.text === text);
  const node = at.to(text, position.to_move);
  await go(node);
  if (!known && !positions.known(node.ground.ply, node.moves)) {
    // It was refused, so it was never a move.
    node.remove();
    return draw();
  }
  if (due !== null && shown === at) await (at.next.length ? go(at.next[0]) : draws(at));
}

/** Lets chance decide what comes after a node. */
async function draws(node) {
  if (busy) return;
  busy = true;
  const told = await positions.ask(node.ground.ply, [...node.moves, "="]);
  busy = false;
  if (told.refused) return tell(told.message, "error");
  const text = told.moves.at(-1);
  const known = node.next.some((one) => one.text === text);
  positions.put(node.ground.ply, told.moves, told);
  await go(node.to(text, null));
  if (known) tell(t("The same was drawn again."), "info");
  else if (due !== null && shown === at) await draws(at);
}

function tell(text, kind) {
  news = { text, kind };
  draw();
}

// --- What the keys and buttons do

const siblings = () => at.parent?.next ?? [at];
const acts = {
  first: () => go(start),
  back: () => (line ? step(line.at - 1) : at.parent && go(at.parent)),
  forward: () => (line ? step(line.at + 1) : at.next.length && go(at.next[0])),
  last: () => go(at.end),
  up: () => go(siblings()[Math.max(0, siblings().indexOf(at) - 1)]),
  down: () => go(siblings()[Math.min(siblings().length - 1, siblings().indexOf(at) + 1)]),
  forked: () => siblings().length > 1,
  leave: () => line && go(at),
  rise: () => { const { fork } = at; if (fork.mayRise) { fork.rise(); say(t("The branch was moved up.")); draw(); } },
  cut: () => !at.line && cut(at),
  again: () => at.drawn && draws(at.parent),
  draw: () => due !== null && draws(at),
  note: () => part("note").querySelector("textarea")?.focus(),
  engine: () => engine.toggle(),
  keep: () => keepLine(),
  undo: () => undo(),
  play: () => commit(),
  clear: () => { board.clear(); board.focus?.(); },
};

function step(n) {
  if (n < 1) go(at);
  else if (n <= line.one.line.length) go(at, { along: { one: line.one, at: n } });
}

/** Takes what is shown of the engine's line into the tree. */
async function keepLine() {
  if (!line) return;
  const [from, texts] = [at, line.one.line.slice(0, line.at)];
  const seats = await moversOf(texts);
  go(texts.reduce((node, text, i) => node.to(text, seats[i]), from));
}

/** Who makes the moves of a line that starts where the person is. */
async function moversOf(texts) {
  const { ground, moves } = at;
  const seats = [];
  for (const [i] of texts.entries()) {
    const before = await positions.look(ground.ply, [...moves, ...texts.slice(0, i)]);
    seats.push(before.position?.to_move ?? null);
  }
  return seats;
}

function cut(node) {
  undone = { node, parent: node.parent, place: node.parent.next.indexOf(node), at };
  node.remove();
  news = { text: t("The branch is deleted."), kind: "info", undo: true };
  go(node.parent, { talk: false });
  say(news.text);
}

function undo() {
  if (!undone) return;
  const { node, parent, place, at: before } = undone;
  parent.next.splice(place, 0, node);
  undone = news = null;
  go(before);
}

const engine = new Engine(part("engine"), {
  url: page.evaluate_url, source: page.source, token, seats: page.seats,
  acts: {
    say,
    play: (text) => line === null && position.offer && shown === at && play(text),
    step: (one, n) => go(at, { along: { one, at: n } }),
    labelOf: (text, seat) => described(text, seat, position.view, at.opening),
  },
});

const keeping = new Keeping(part("keep"), { page, token, kept, root: start, say, tell, changed: () => draw() });

// --- Drawing

function draw() {
  if (!board) return;
  const scores = position.scores;
  drawSeats(part("seats"), { seats: page.seats, scores, ranks: position.ranks, toMove: position.to_move });
  drawTheTree();
  drawNote();
  drawActions();
  drawTheBar();
  drawNews();
  // While a line is stepped through, what the bot says is still about where it begins.
  if (line) engine.show(engine.place, { text: line.one.text, at: line.at });
  else if (shown === at) engine.show({ ply: at.ground.ply, moves: at.moves, toMove: position.to_move, ended: position.status !== "running" });
  keeping.draw();
  root.dataset.at = `${at.ground.ply}:${at.moves.length}`;
  root.dataset.shown = shown === at ? "yes" : "no";
}

function drawTheBar() {
  drawBar(part("bar"), {
    position, choice, due, line, where: sentence(), steps: acts, mayBack: Boolean(line || at.parent), mayForward: line ? line.at < line.one.line.length : at.next.length > 0,
    name: (seat) => page.seats[seat].name, verb: board.verb ?? t("Place"),
  });
}

function drawActions() {
  const { fork } = at;
  render(html`
    ${at.drawn ? html`<button type="button" class="button-quiet" @click=${acts.again}>${t("Draw again")}</button>` : nothing}
    ${fork.mayRise ? html`<button type="button" class="button-quiet" @click=${acts.rise}>${t("Move the branch up")}</button>` : nothing}
    ${at.line ? nothing : html`<button type="button" class="button-quiet" @click=${acts.cut}>${t("Delete from here")}</button>`}`, part("actions"));
}

function drawNote() {
  if (at === start) return render(nothing, part("note"));
  return render(html`<label for="study-note">${t("Note to this move")}</label>
    <textarea id="study-note" rows="2" maxlength=${page.longest_note} .value=${at.note} @input=${write}></textarea>`, part("note"));
}

/** Shows a note while it is written: what grew only when the field is left would move a button away from under the pointer. */
function write(event) {
  at.note = event.target.value;
  drawTheTree();
  keeping.draw();
}

function drawTheTree() {
  drawTree(part("tree"), { root: start, at, labelOf, pick: (node) => go(node) });
}

function drawNews() {
  const place = part("news");
  place.hidden = !news;
  place.className = `notice${news ? ` notice-${news.kind}` : ""}`;
  render(news ? html`<p>${news.text}</p>${news.undo ? html`<button type="button" class="button-quiet" @click=${acts.undo}>${t("Bring it back")}</button>` : nothing}` : nothing, place);
}

/** Keeps in the address where the person is, so that the link leads here, and tells the panel for sharing. */
function keepAddress() {
  const address = new URL(location.href);
  address.search = "";
  address.searchParams.set("ply", String(at.ground.ply));
  if (at.moves.length <= LONGEST_WAY) for (const text of at.moves) address.searchParams.append("move", text);
  history.replaceState(null, "", address);
  root.dispatchEvent(new CustomEvent("replay:ply", { detail: { ply: at.ground.ply } }));
}

// --- Beginning

listen(root, element, acts);
await go(at, { talk: false });
if (!board) tell(news?.text ?? t("No answer. Check the connection and try again."), "error");
root.dataset.ready = "";
