// The replay page: steps through the positions of a match or a record, alone or while the match still runs.

import { t } from "./i18n.js";
import { mountBoard, pageData, refetch, say } from "./page.js";
import { drawMoves, drawSeats, movesHeading, resultSentence } from "./panels.js";
import { Connection } from "./socket.js";

const root = document.getElementById("replay-page");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const control = (name) => root.querySelector(`[data-act=${name}]`);
const slider = part("slider");
const speed = part("speed");
/** Whether the page is of a match, with an address for each ply; a record from a file has none. */
const follows = root.dataset.follow !== undefined;
/** Milliseconds between two plies at speed 1. */
const PACE = 1_000;

let replay = pageData("replay");
let ply = Math.min(Number(root.dataset.start), last());
let timer = null;

const board = await mountBoard({ data: replay.data, seat: null, interactive: false, say });

function last() {
  return replay.positions.length - 1;
}

/** Goes to a ply, if it exists, and keeps it in the address. */
function go(next, { animate = false, talk = true } = {}) {
  const target = Math.max(0, Math.min(last(), next));
  const forward = target === ply + 1;
  ply = target;
  draw(animate && forward);
  const address = new URL(location.href);
  address.searchParams.set("ply", String(ply));
  if (follows) history.replaceState(null, "", address);
  if (talk) say(sentence());
}

function describe(one) {
  return { label: one.text, colour: replay.seats[one.seat]?.colours[0], ...board.describe?.(one.text, replay.positions.at(-1).view, one.seat) };
}

function sentence() {
  if (ply === 0) return t("Start");
  const one = replay.plies[ply - 1];
  const name = one.seat === null ? t("Chance") : replay.seats[one.seat].name;
  return t("Ply {n} of {all}: {name}, {move}", { n: ply, all: last(), name, move: describe(one).label });
}

function draw(animate) {
  const position = replay.positions[ply];
  const atEnd = ply === last();
  board.show({ ...position, seats: replay.seats, seat: null, status: "replay", version: ply }, { animate });
  drawSeats(part("seats"), {
    seats: replay.seats, scores: position.scores, ranks: atEnd ? replay.ranks : null, toMove: position.to_move,
  });
  drawMoves(part("moves"), { plies: replay.plies, current: ply, describe, href: (n) => (follows ? `?ply=${n}` : "#"), pick: (n) => choose(n) });
  part("count").textContent = movesHeading(replay.plies);
  part("where").textContent = sentence();
  part("result").textContent = atEnd && replay.status !== "running" ? resultSentence(replay) : "";
  slider.max = String(last());
  slider.value = String(ply);
  slider.setAttribute("aria-valuetext", sentence());
  for (const name of ["first", "back"]) control(name).disabled = ply === 0;
  for (const name of ["forward", "last"]) control(name).disabled = atEnd;
}

/** A step the person asks for ends the automatic ones. */
function choose(next, options) {
  stop();
  go(next, options);
}

// --- Playing by itself

function stop() {
  clearInterval(timer);
  timer = null;
  showPlaying();
}

function start() {
  if (ply === last()) go(0, { talk: false });
  timer = setInterval(step, PACE / Number(speed.value));
  showPlaying();
}

function step() {
  go(ply + 1, { animate: Number(speed.value) <= 2, talk: false });
  if (ply === last()) stop();
}

function showPlaying() {
  const button = control("play");
  button.setAttribute("aria-pressed", String(timer !== null));
  button.setAttribute("aria-label", timer === null ? t("Autoplay") : t("Pause"));
  button.title = timer === null ? t("Autoplay") : t("Pause");
}

// --- Controls

const acts = {
  first: () => choose(0),
  back: () => choose(ply - 1),
  play: () => (timer === null ? start() : stop()),
  forward: () => choose(ply + 1, { animate: true }),
  last: () => choose(last()),
  copy,
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };

root.addEventListener("click", (event) => acts[event.target.closest("[data-act]")?.dataset.act]?.());
slider.addEventListener("input", () => choose(Number(slider.value)));
speed.addEventListener("change", () => {
  if (timer !== null) {
    stop();
    start();
  }
});
document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  const busy = event.target.closest("input, select, textarea, dialog") || (event.key === " " && event.target.closest("button, a"));
  if (!name || busy || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  acts[name]();
});

async function copy() {
  const button = control("copy");
  const address = new URL(location.href);
  address.searchParams.set("ply", String(ply));
  try {
    await navigator.clipboard.writeText(address.href);
    button.textContent = t("Link copied");
  } catch {
    // Without the right to the clipboard the address bar holds the same link.
    button.textContent = t("Copy it from the address bar");
  }
  say(button.textContent);
}

// --- A match that still runs

async function grow() {
  const fresh = await refetch(location.pathname, "replay");
  if (!fresh || fresh.positions.length < replay.positions.length) return;
  const atEnd = ply === last();
  replay = fresh;
  if (atEnd && timer === null) go(last(), { animate: true });
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

draw(false);
showPlaying();
slider.disabled = false;
control("play").disabled = false;
