// On every page of somebody who plays: what waits, as marks and small cards, kept fresh by one socket.

import { html } from "./dom.js";
import { t, tn } from "./i18n.js";
import { chime, mark } from "./notice-marks.js";
import { drop, keys, toast } from "./notice-toasts.js";

const BEAT = 20_000;
const RECONNECT = [1_000, 2_000, 5_000, 10_000, 30_000];
const SIGNED_OUT = 4001;
const TOLD = "tessera-told";
const HEARD = "tessera-heard";
const MOST_KEPT = 200;

const link = document.getElementById("turn-link");
const here = Number(/^\/match\/(\d+)\//.exec(location.pathname)?.[1] ?? 0);
let socket = null;
let attempt = 0;
let timer = null;
let mine = null;

function open() {
  clearTimeout(timer);
  const fresh = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/me/`);
  socket = fresh;
  fresh.onopen = beat;
  fresh.onmessage = (event) => {
    attempt = 0;
    hear(JSON.parse(event.data));
  };
  fresh.onclose = (event) => {
    if (fresh !== socket) return;
    socket = null;
    if (event.code !== SIGNED_OUT) timer = setTimeout(open, RECONNECT[Math.min(attempt++, RECONNECT.length - 1)] * (0.5 + Math.random()));
  };
}

function beat() {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ type: "beat", zone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? "" }));
}

function hear(frame) {
  if (frame.type !== "mine") return;
  mine = frame;
  // The page of a match counts along.
  document.dispatchEvent(new CustomEvent("tessera:mine", { detail: mine }));
  show();
}

/** The match before one's eyes needs no mark. */
const looking = (match) => match === here && !document.hidden;

function show() {
  if (!mine) return;
  const waiting = mine.waiting.filter(({ match }) => !looking(match));
  mark(waiting.length, mine.settings);
  showLink(mine.waiting.filter(({ match }) => match !== here));
  tell();
}

function showLink(waiting) {
  if (!link) return;
  link.hidden = waiting.length === 0;
  if (!waiting.length) return;
  link.href = waiting[0].url;
  link.querySelector("b").textContent = String(waiting.length);
  link.setAttribute("aria-label", tn("Your turn in {n} match", "Your turn in {n} matches", waiting.length));
}

/** All that could be told now, each under the name by which it is told once. */
function news() {
  return [
    ...mine.waiting.map((turn) => ({ ...turn, key: `turn-${turn.match}-${turn.ply}`, link: t("Go to the board") })),
    ...mine.notices.map((notice) => ({ ...notice, key: `notice-${notice.id}`, link: t("Have a look") })),
    ...mine.challenges.map((asked) => ({ ...asked, key: `challenge-${asked.id}`, link: t("Have a look"), actions: answers(asked), stays: true })),
  ];
}

function tell() {
  const all = news();
  const present = new Set(all.map(({ key }) => key));
  for (const key of keys()) if (!present.has(key) && !key.startsWith("notice-")) drop(key);
  const unheard = unknown(HEARD, all).filter(({ match }) => !looking(match));
  if (unheard.length && mine.settings.sound) chime();
  remember(HEARD, present);
  // A hidden page leaves the telling to the one that is looked at next.
  if (document.hidden) return;
  const fresh = unknown(TOLD, all).filter(({ match }) => !looking(match));
  const turns = [...keys(), ...fresh.map(({ key }) => key)];
  for (const item of fresh) {
    // That a match has begun goes without saying where it is one's turn in it.
    if (item.kind !== "start" || !turns.some((key) => key.startsWith(`turn-${item.match}-`))) toast(item);
  }
  remember(TOLD, present);
}

/** What is not known under this name yet; nothing on the very first page, for which all is old. */
function unknown(name, all) {
  const known = stored(name);
  return known ? all.filter(({ key }) => !known.includes(key)) : [];
}

function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function remember(name, present) {
  try {
    const rest = (stored(name) ?? []).filter((key) => !present.has(key));
    localStorage.setItem(name, JSON.stringify([...rest, ...present].slice(-MOST_KEPT)));
  } catch {
    // Without storage nothing is told twice because nothing is told at all.
  }
}

/** Yes and no to a challenge, as the forms of its own page. */
function answers({ join, decline }) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const form = (action, label, look) => html("form", { method: "post", action },
    html("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token }),
    html("button", { class: look, type: "submit" }, label));
  return [form(join, t("Accept"), "button"), form(decline, t("Decline"), "button-quiet")];
}

setInterval(beat, BEAT);
document.addEventListener("visibilitychange", () => {
  show();
  if (!document.hidden) beat();
});
addEventListener("pageshow", (event) => event.persisted && !socket && open());
addEventListener("online", () => socket ?? open());
open();
