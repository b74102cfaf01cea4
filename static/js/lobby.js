// The lobby and the page of a table, kept up to date: the server sends parts of the page anew, forms are sent without leaving it.

import { t, tn } from "./i18n.js";
import { pageData, say } from "./page.js";

const SILENCE = 40_000;
const RECONNECT = [300, 1_000, 2_000, 4_000, 8_000];
/** As `lobby.pairing` has them: points apart at first, points more per second, and seconds after which anybody will do. */
const NEAR = 100;
const WIDER = 25;
const EVERYBODY = 30;
const BOT_AFTER = 20;
/** Seconds between two signs that one still waits. */
const LOOK = 3;

const root = document.getElementById("lobby") ?? document.getElementById("main");
const page = document.getElementById("page") ? pageData("page") : null;

// --- Parts of the page that the server sends anew

/** Puts fresh HTML into a part of the page. Rows that did not change stay the same elements, so that nothing moves under a finger. */
function put(part, markup) {
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  const focus = focusKey(part);
  merge(part, fresh.content);
  if (focus) part.querySelector(focus)?.focus({ preventScroll: true });
}

function merge(old, fresh) {
  const lists = [...fresh.querySelectorAll("[data-rows]")];
  const kept = new Map([...old.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, row]));
  for (const list of lists) {
    for (const row of [...list.children]) {
      const before = kept.get(row.dataset.key);
      if (before && source(before) === source(row)) row.replaceWith(before);
      else if (old.childElementCount && !before) row.classList.add("is-new");
    }
  }
  old.replaceChildren(...fresh.childNodes);
}

/** What a row says, without the token that only the page's own forms carry, the white space, and what was marked new. */
const source = (row) => row.outerHTML.replace(/<input type="hidden" name="csrfmiddlewaretoken"[^>]*>/g, "").replace(/\s*(class="[^"]*?)\s?is-new"/g, " $1\"").replace(/\s+/g, " ");

/** A selector that finds what has the focus again, after it was put anew. */
function focusKey(part) {
  const active = document.activeElement;
  if (!part.contains(active)) return null;
  const row = active.closest("[data-key]");
  const form = active.closest("form");
  const within = row ? `[data-key="${CSS.escape(row.dataset.key)}"] ` : "";
  if (form) return `${within}form[action="${CSS.escape(form.getAttribute("action"))}"] ${active.localName}`;
  return active.getAttribute("href") ? `${within}a[href="${CSS.escape(active.getAttribute("href"))}"]` : null;
}

// --- The socket

let socket = null;
let attempt = 0;
let heard = 0;
let skew = 0;
let timer = null;
const gone = new Set(page?.started);

function open() {
  clearTimeout(timer);
  socket?.close();
  const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${page.socket}`);
  socket = opened;
  heard = Date.now();
  opened.onmessage = (event) => opened === socket && hear(JSON.parse(event.data));
  opened.onclose = (event) => opened === socket && closed(event.code);
}

function closed(code) {
  socket = null;
  if (code === 4404) return;
  show("offline");
  timer = setTimeout(open, RECONNECT[Math.min(attempt, RECONNECT.length - 1)] * (0.5 + Math.random()));
  attempt += 1;
}

function hear(frame) {
  heard = Date.now();
  attempt = 0;
  skew = Date.parse(frame.now) - heard;
  show("live");
  if (frame.type !== "lobby") return;
  for (const [name, markup] of Object.entries(frame.parts)) {
    const part = root.querySelector(`[data-part=${name}]`);
    if (part) put(part, markup);
  }
  tick();
  const match = frame.started.find((address) => !gone.has(address));
  if (match) go(match);
}

/** Leaves for an address; a match is gone to by itself only once. */
function go(address) {
  gone.add(address);
  if (address.startsWith("/match/")) say(t("Your match begins."));
  location.assign(address);
}

function show(state) {
  document.documentElement.dataset.lobby = state;
  const chip = root.querySelector("[data-link]");
  if (!chip) return;
  chip.hidden = false;
  chip.className = state === "live" ? "chip chip-good" : "chip chip-warn";
  chip.textContent = state === "live" ? t("Live") : t("Connecting again…");
}

function wake() {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "beat" }));
  else if (!socket) open();
}

// --- Waiting for a quick match

/** Says how long one has waited, and how far is looked. */
function tick() {
  const card = root.querySelector("[data-waiting]");
  if (!card) return;
  const seconds = Math.max(0, Math.floor((Date.now() + skew - Date.parse(card.dataset.since)) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  card.querySelector("[data-waited]").textContent = seconds < 3600
    ? t("waiting for {time}", { time: clock })
    : tn("waiting for {n} hour", "waiting for {n} hours", Math.floor(seconds / 3600));
  const wide = seconds >= EVERYBODY || card.dataset.pace !== "live";
  card.querySelector("[data-reach]").textContent = wide
    ? t("anybody")
    : t("within {points} points of your rating", { points: NEAR + WIDER * seconds });
  card.querySelector("[data-meanwhile]").hidden = seconds < BOT_AFTER;
}

// --- Forms

root.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-act]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  try {
    // The button has to be taken along by hand: its name carries the choice of a quick match.
    const response = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": root.querySelector("[name=csrfmiddlewaretoken]").value },
      // Not as multipart: a form without fields would be an empty one, which servers refuse.
      body: new URLSearchParams(new FormData(form, event.submitter)),
      signal: AbortSignal.timeout(15_000),
    });
    answered(form, await response.json());
  } catch {
    notice(t("The server could not be reached. Please try again."), true);
  } finally {
    delete form.dataset.busy;
  }
});

function answered(form, answer) {
  if (answer.go) return void go(answer.go);
  if (answer.message) notice(answer.message, answer.refused);
  else root.querySelector("[data-notice]")?.replaceChildren();
  if (!page) return void (answer.refused || location.assign(new URL("/lobby/#mine", location.href)));
  if (!answer.refused && form.matches("[data-create]")) {
    form.closest("details").open = false;
    root.querySelector("[data-part=mine]")?.scrollIntoView({ block: "nearest" });
  }
  // Somebody new has become a guest by this, whom an older socket does not know.
  if (page.known) wake();
  else {
    page.known = true;
    open();
  }
}

function notice(text, refused) {
  const box = root.querySelector("[data-notice]") ?? makeBox();
  const line = document.createElement("p");
  line.className = refused ? "notice notice-error" : "notice notice-success";
  const words = document.createElement("span");
  words.textContent = text;
  line.append(words);
  box.replaceChildren(line);
  box.scrollIntoView({ block: "nearest" });
}

function makeBox() {
  const box = document.createElement("div");
  box.className = "notices";
  box.dataset.notice = "";
  box.setAttribute("role", "status");
  root.prepend(box);
  return box;
}

/** Shows of the form for a new table only what matters for what is chosen so far. */
function narrow(form) {
  const value = (name) => form.elements[name]?.value ?? "";
  const table = form.elements.table.selectedOptions[0];
  const seats = Number(table.dataset.seats);
  const matters = {
    days: value("control").endsWith("d"),
    people: value("who") === "people" && !form.elements.person,
    open: value("who") === "open",
    chosen: value("seating") === "chosen",
  };
  for (const part of form.querySelectorAll("[data-only]")) part.hidden = !matters[part.dataset.only];
  for (const option of form.querySelectorAll("[data-game]")) option.hidden = option.dataset.game !== table.value.split(":")[0];
  for (const name of ["bots", "seat"]) {
    for (const option of form.elements[name].options) option.hidden = option.disabled = Number(option.value) > (name === "bots" ? seats - 1 : seats);
    if (form.elements[name].selectedOptions[0]?.disabled) form.elements[name].selectedIndex = 0;
  }
}

for (const form of document.querySelectorAll("[data-create]")) {
  narrow(form);
  form.addEventListener("change", () => narrow(form));
}

/** Games that have no table for so many are not offered a quick match. */
function offer() {
  const seats = root.querySelector(".quick-seats :checked")?.value;
  for (const game of root.querySelectorAll(".quick-game")) {
    const has = game.dataset.seats.split(" ").includes(seats);
    for (const button of game.querySelectorAll("button")) button.disabled = !has;
    game.classList.toggle("is-out", !has);
  }
}

root.querySelector(".quick-seats")?.addEventListener("change", offer);
if (root.querySelector(".quick-seats")) offer();

for (const form of root.querySelectorAll("[data-filter]")) {
  form.addEventListener("change", () => form.requestSubmit());
  form.querySelector("button").hidden = true;
}

// --- The link to copy

const copy = root.querySelector("[data-copy]");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(root.querySelector("#share-link").value);
    copy.textContent = t("Copied");
    say(t("Copied"));
  });
}
root.querySelector("#share-link")?.addEventListener("focus", (event) => event.target.select());

// --- From here on live

if (page) {
  open();
  let seconds = 0;
  setInterval(() => {
    tick();
    seconds += 1;
    if (seconds % LOOK === 0 && root.querySelector("[data-waiting]")) wake();
    if (socket && Date.now() - heard > SILENCE) open();
  }, 1_000);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => document.hidden || wake());
}
