// The replay page: steps through the positions of a match or a record, alone or while the match still runs.
//
// Other parts of the page talk with it by events at `#replay-page`, whose `data-ply` always holds the present ply:
//   it sends   replay:ply    {ply, plies, position, describe}       at each step, and once when it is ready
//   it takes   replay:go     {ply}
//              replay:values {label, series: [{name, y: [a value or null per position]}]}   another graph
//              replay:marks  {marks: [{ply, kind, text}], source?}  marks in the list, the moves and along the slider

import { html } from "../dom.js";
import { t } from "../i18n.js";
import { mountBoard, pageData, say } from "../page.js";
import { drawSeats, movesHeading, resultSentence } from "../panels.js";
import { Connection } from "../socket.js";
import { load, unpack } from "./data.js";
import { listenToKeys, listenToSwipes, makeKeysDialog, pointOptions } from "./gestures.js";
import { Graphs, usual } from "./graph.js";
import { Moves } from "./moves.js";
import { Player, timed, waitAfter } from "./player.js";
import { Story } from "./story.js";
import { spent } from "./times.js";

const root = document.getElementById("replay-page");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const control = (name) => root.querySelector(`[data-act=${name}]`);
const { source } = root.dataset;
/** Whether the page is of a match or a kept record, with an address for each ply; a record that is only looked at has none. */
const addressed = source !== undefined;
/** Milliseconds without a step after which the address follows. */
const PAUSE = 200;
const [slider, speed] = [part("slider"), part("speed")];

// Heard from the start: the others' scripts may be ready before the data is.
const early = [];
let hear = (type, detail) => early.push([type, detail]);
for (const type of ["replay:go", "replay:values", "replay:marks"]) root.addEventListener(type, ({ detail }) => hear(type, detail));

// The board comes while the data does; should it fail, `mount` says so.
import(document.querySelector("[data-module]").dataset.module).catch(() => {});
let replay = await begin();
/** Whose eyes: a seat, or `null` for all. */
let { point } = replay;
let ply = Math.min(Number(root.dataset.start), last());
let board = await mount();
const known = new Map([[point, replay]]);

const graphs = new Graphs(part("graphs"), (to) => choose(to));
const moves = new Moves(part("moves"), { pick: (to) => choose(to), href: (n) => (addressed ? addressOf(n).search : "#") });
const story = new Story({ section: part("story"), list: part("told"), kinds: part("kinds"), track: part("marks"), go: (to) => choose(to), changed: fillMoves });
const player = new Player({
  wait: () => (ply === last() ? null : waitAfter(replay, ply, speed.value)),
  step: () => go(ply + 1, { animate: speed.value !== "4" && speed.value !== "8", talk: false }),
  changed: showPlaying,
});

function begin() {
  return addressed ? load(source, new URL(location.href).searchParams.get("seat")).catch(failed) : unpack(pageData("replay"));
}

/** Says that the data could not be had, until it is asked for again. */
function failed() {
  const again = html("button", { type: "button", class: "button", onclick: () => location.reload() }, t("Try again"));
  root.prepend(html("div", { class: "notice notice-error", role: "alert" }, html("p", {}, t("The replay could not be loaded.")), again));
  return new Promise(() => {});
}

function mount() {
  return mountBoard({ data: replay.data, seat: point, interactive: false, say });
}

function last() {
  return replay.positions.length - 1;
}

function addressOf(n) {
  const address = new URL(location.href);
  address.searchParams.set("ply", String(n));
  if (point === null) address.searchParams.delete("seat");
  else address.searchParams.set("seat", String(point));
  return address;
}

let noting = null;

/** Keeps the ply in the address once the person pauses: browsers refuse to write it at every step of a quick run. */
function noteAddress() {
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", addressOf(ply)), PAUSE);
}

/** Goes to a ply, if it exists, and keeps it in the address. */
function go(next, { animate = false, talk = true } = {}) {
  const target = Math.max(0, Math.min(last(), Number(next) || 0));
  const forward = target === ply + 1;
  ply = target;
  draw(animate && forward);
  if (addressed) noteAddress();
  if (talk) say(spoken());
}

/** How a ply is told in a list: with who made it, where the colour does not say so. */
function describe(one) {
  const who = one.seat !== null && !replay.seats[one.seat].colours.length && replay.seats[one.seat].name;
  return { who, label: one.text, colour: replay.seats[one.seat]?.colours[0], ...board.describe?.(one.text, replay.positions.at(-1).view, one.seat) };
}

function sentence() {
  if (ply === 0) return t("Start");
  const one = replay.plies[ply - 1];
  const name = one.seat === null ? t("Chance") : replay.seats[one.seat].name;
  return t("Ply {n} of {all}: {name}, {move}", { n: ply, all: last(), name, move: describe(one).label });
}

/** What is told of the present ply; whose it is has been said when it is the mover's. */
const told = () => story.of(ply).map((event) => (event.seat === replay.plies[ply - 1]?.seat ? event.text : story.said(event))).join(". ");
const spoken = () => [sentence(), told()].filter(Boolean).join(". ");

function draw(animate) {
  const position = replay.positions[ply];
  const atEnd = ply === last();
  board.show({ ...position, seats: replay.seats, seat: point, status: "replay", version: ply }, { animate });
  drawSeats(part("seats"), {
    seats: replay.seats, scores: position.scores, ranks: atEnd ? replay.ranks : null, toMove: position.to_move,
  });
  part("where").replaceChildren(sentence(), ...(told() ? [html("span", { class: "replay-told-here" }, told())] : []));
  part("result").textContent = atEnd && replay.status !== "running" ? resultSentence(replay) : "";
  slider.max = String(last());
  slider.value = String(ply);
  slider.setAttribute("aria-valuetext", sentence());
  const { previous, next } = story.beside(ply);
  const off = { first: ply === 0, back: ply === 0, forward: atEnd, last: atEnd, previous: previous === null, next: next === null };
  for (const [name, disabled] of Object.entries(off)) control(name).disabled = disabled;
  for (const each of [moves, story, graphs]) each.at(ply);
  root.dataset.ply = String(ply);
  root.dispatchEvent(new CustomEvent("replay:ply", { detail: { ply, plies: replay.plies, position, describe } }));
}

/** Draws what depends on all plies; `draw` then marks the present one. */
function fill() {
  story.count = last();
  story.tell(replay.events, replay.seats);
  for (const graph of usual(replay, spent)) graphs.put(graph);
  part("course").hidden = replay.plies.length === 0;
  part("count").textContent = movesHeading(replay.plies);
  part("real")?.toggleAttribute("hidden", !timed(replay));
}

function fillMoves() {
  moves.fill(replay.plies, { describe, marks: (n) => story.of(n).map((event) => ({ kind: event.kind, text: story.said(event) })) });
}

/** A step the person asks for ends the automatic ones. */
function choose(next, options) {
  player.stop();
  go(next, options);
}

function chooseEvent(way) {
  const to = story.beside(ply)[way];
  if (to !== null) choose(to);
}

function play() {
  if (player.playing) return player.stop();
  if (ply === last()) go(0, { talk: false });
  return player.start();
}

function showPlaying() {
  const button = control("play");
  const label = player.playing ? t("Pause") : t("Autoplay");
  button.setAttribute("aria-pressed", String(player.playing));
  button.setAttribute("aria-label", label);
  button.title = `${label} (${t("Space")})`;
}

// --- Whose eyes

function showPoints() {
  const choice = part("points");
  part("point").hidden = replay.status === "running" || replay.seats.length < 2 || (replay.hides && !addressed);
  choice.replaceChildren(...pointOptions(replay.seats, replay.hides, point));
}

/** Looks with the eyes of a seat; where the game hides something, that is another file, asked for once. */
async function lookAs(seat) {
  const fresh = known.get(seat) ?? (replay.hides ? await load(source, seat).catch(() => null) : replay);
  if (!fresh) {
    say(t("The replay could not be loaded."));
    return showPoints();
  }
  known.set(seat, fresh);
  [replay, point] = [fresh, seat];
  board.destroy();
  board = await mount();
  fill();
  return go(ply, { talk: false });
}

// --- Controls

const dialog = root.appendChild(makeKeysDialog());
const acts = {
  first: () => choose(0),
  back: () => choose(ply - 1),
  previous: () => chooseEvent("previous"),
  play,
  next: () => chooseEvent("next"),
  forward: () => choose(ply + 1, { animate: true }),
  last: () => choose(last()),
  keys: () => dialog.showModal(),
  copy,
};

root.addEventListener("click", (event) => acts[event.target.closest("[data-act]")?.dataset.act]?.());
slider.addEventListener("input", () => choose(Number(slider.value)));
speed.addEventListener("change", () => player.again());
part("points").addEventListener("change", ({ target }) => lookAs(target.value === "" ? null : Number(target.value)));
part("plain")?.addEventListener("click", ({ currentTarget }) => { currentTarget.search = `?plain=1&ply=${ply}`; });
listenToKeys((name) => acts[name]());
listenToSwipes(part("room"), acts);

async function copy() {
  const button = control("copy");
  try {
    await navigator.clipboard.writeText(addressOf(ply).href);
    button.textContent = t("Link copied");
  } catch {
    // Without the right to the clipboard the address bar holds the same link.
    button.textContent = t("Copy it from the address bar");
  }
  say(button.textContent);
}

// --- A match that still runs

async function grow() {
  const fresh = await load(source).catch(() => null);
  if (!fresh || fresh.positions.length < replay.positions.length) return;
  const atEnd = ply === last();
  replay = fresh;
  known.clear();
  known.set(point, replay);
  fill();
  showPoints();
  if (atEnd && !player.playing) go(last(), { animate: true });
  else draw(false);
}

if (root.dataset.socket && replay.status === "running") {
  let seen = -1;
  const connection = new Connection({
    path: root.dataset.socket,
    version: () => seen,
    on: {
      position(next) {
        seen = next.version;
        if (next.ply > last() || next.status !== replay.status) grow();
      },
      answer: () => {},
      state: () => {},
    },
  });
  connection.open();
}

// --- The others on the page

hear = (type, detail) => ({
  "replay:go": () => choose(detail.ply),
  "replay:values": () => { graphs.put(detail); },
  "replay:marks": () => { story.add(detail.source ?? "", detail.marks); draw(false); },
})[type]();

fill();
showPoints();
draw(false);
showPlaying();
slider.disabled = false;
control("play").disabled = false;
for (const [type, detail] of early) hear(type, detail);
