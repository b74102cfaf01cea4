// A match in a frame on another site: steps through the server's pictures without loading the page anew. It keeps nothing and
// asks for no cookie.

import { number, t } from "./i18n.js";

const root = document.getElementById("embed");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const control = (name) => root.querySelector(`[data-act=${name}]`);
const { base, link, names, won, steps, ...data } = JSON.parse(document.getElementById("data").textContent);
const last = steps.length - 1;
/** Milliseconds between two plies. */
const PACE = 900;
/** How many pictures ahead are fetched before they are asked for. */
const AHEAD = 6;
/** A finger that moves so many pixels to the side has swiped. */
const SWIPE = 40;
const ACTS = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => last };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

const fetched = new Map();
let ply = data.ply;
let timer = null;

const address = (at) => `${base}${at}.svg`;

function prepare(at) {
  if (at < 0 || at > last || fetched.has(at)) return;
  const image = new Image();
  image.src = address(at);
  fetched.set(at, image);
}

function prepareAround() {
  for (let step = 1; step <= AHEAD; step += 1) prepare(ply + step);
  prepare(ply - 1);
}

/** Shows a ply, if there is one. */
async function go(next) {
  ply = Math.max(0, Math.min(last, next));
  const at = ply;
  prepare(at);
  try {
    await fetched.get(at).decode();
  } catch {
    fetched.delete(at); // the network is away: the picture's own text stands in for it
  }
  if (at === ply) draw();
}

function draw() {
  const { seat: mover, scores } = steps[ply];
  const picture = part("picture");
  picture.src = address(ply);
  picture.alt = t("The board after ply {n} of {all}", { n: ply, all: last });
  root.querySelectorAll(".embed-seats > li").forEach((row, seat) => {
    row.querySelector("b").textContent = number(scores[seat]);
    row.classList.toggle("is-turn", seat === mover);
    row.toggleAttribute("data-won", ply === last && won.includes(seat));
  });
  part("where").textContent = `${ply} / ${last}`;
  part("home").href = `${link}${ply}`;
  for (const name of Object.keys(ACTS)) {
    const target = ACTS[name]();
    const still = target === ply || target < 0 || target > last;
    control(name).setAttribute("aria-disabled", String(still));
  }
  part("where").title = mover === null ? "" : names[mover];
  prepareAround();
}

// --- Playing by itself

function stop() {
  clearInterval(timer);
  timer = null;
  showPlaying();
}

function start() {
  if (ply === last) go(0);
  timer = setInterval(() => {
    if (ply === last) stop();
    else go(ply + 1);
  }, PACE);
  showPlaying();
}

function showPlaying() {
  const button = control("play");
  button.setAttribute("aria-pressed", String(timer !== null));
  button.setAttribute("aria-label", timer === null ? t("Autoplay") : t("Pause"));
  // A screen reader would be told of every ply that comes by itself.
  part("where").setAttribute("aria-live", timer === null ? "polite" : "off");
}

// --- Controls

function choose(name) {
  stop();
  go(ACTS[name]());
}

root.addEventListener("click", (event) => {
  const name = event.target.closest("[data-act]")?.dataset.act;
  if (!name || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (name !== "play") choose(name);
  else if (timer === null) start();
  else stop();
});
document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  choose(name);
});

let from = null;
const board = part("board");
board.addEventListener("pointerdown", (event) => { from = event.clientX; });
board.addEventListener("pointerup", (event) => {
  const moved = from === null ? 0 : event.clientX - from;
  from = null;
  if (Math.abs(moved) >= SWIPE) choose(moved < 0 ? "forward" : "back");
});
board.addEventListener("pointercancel", () => { from = null; });

control("play").hidden = false;
showPlaying();
draw();
