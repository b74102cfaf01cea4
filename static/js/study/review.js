// The review of a match on its replay page: asked for, followed while it is made, and told by accuracy, mistakes and a graph.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { number, t, tn } from "../i18n.js";
import { pageData, say } from "../page.js";
import { tile } from "../panels.js";
import { lossOf, short } from "./values.js";
import { Wire } from "./wire.js";

const KINDS = ["blunder", "mistake", "inaccuracy"];
const PATIENCE = 12_000;

/** The replay to step through; on the page as plain text there is none, and what the server wrote there stays. */
const page = document.getElementById("replay-page");
const root = document.getElementById("review");
const body = root.querySelector("[data-part=review-body]");
const link = root.querySelector("[data-part=try]");
const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
const { seats, url, analysis_url: analysisUrl, ...data } = pageData("review-data");

let { review } = data;
let trouble = null;
let busy = false;
/** Where the replay is, and how its board names moves. */
let ply = Number(page?.dataset.ply ?? page?.dataset.start ?? 0);
let plies = null;
let describe = null;
const named = (one) => describe?.(one) ?? { label: one.text };

/** As players of other games write it. */
const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
const nameOfKind = (kind) => ({ blunder: t("Blunder"), mistake: t("Mistake"), inaccuracy: t("Inaccuracy") })[kind];

const wire = new Wire({
  progress({ done, total }) {
    review = { ...review, done, total };
    draw();
  },
  review: () => fetchReview().then(() => review?.status === "done" && say(t("The analysis is finished."))),
  refused: ({ message }) => { trouble = message; draw(); },
  again: () => fetchReview(),
});

async function call(options = {}) {
  try {
    const response = await fetch(url, { headers: { Accept: "application/json", "X-CSRFToken": token }, signal: AbortSignal.timeout(PATIENCE), ...options });
    const told = await response.json();
    trouble = response.ok ? null : told.message;
    if (response.ok) review = told.review;
  } catch {
    trouble = t("No answer. Check the connection and try again.");
  }
  tell();
  draw();
}

const fetchReview = () => call();

async function ask() {
  busy = true;
  draw();
  await call({ method: "POST" });
  busy = false;
  draw();
}

// --- What the replay is told

/** Gives the replay the graph and the marks, and follows what is still being made. */
function tell() {
  if (!review) return;
  if (review.status === "waiting") return wire.follow(review.key);
  if (review.status !== "done") return;
  const series = seats.map(({ seat, name, colours }) => ({ name, colour: colours[0], y: review.values.map((values) => values && Math.round(100 * values[seat])) }));
  const label = seats.length === 2 ? t("Chance to win, as the bot sees it") : t("Expected place, as the bot sees it");
  send("replay:values", { label, series, write: (value) => short(value / 100, seats.length) });
  mark();
}

/** The marks name moves as the board does, so they wait until the replay has told how. */
function mark() {
  if (!describe || review?.status !== "done") return;
  const text = (one) => t("{kind}. Better: {move}. {reason}", { kind: nameOfKind(one.kind), move: named(bestOf(one)).label, reason: one.reason ?? "" }).trim();
  send("replay:marks", { source: "review", marks: moments().map((one) => ({ ply: one.ply, kind: one.kind, seat: one.seat, text: text(one) })) });
}

const bestOf = (one) => ({ text: one.best, seat: one.seat, ply: one.ply });

const send = (type, detail) => page.dispatchEvent(new CustomEvent(type, { detail }));
const moments = () => (review?.plies ?? []).filter(({ kind }) => KINDS.includes(kind));

page?.addEventListener("replay:ply", ({ detail }) => {
  const first = describe === null;
  ({ ply, plies, describe = null } = detail);
  link.search = `?ply=${ply}`;
  draw();
  if (first) mark();
});

// --- Drawing

function draw() {
  render(view(), body);
  root.dataset.state = trouble ? "trouble" : review?.status ?? "none";
  const [row, list] = [body.querySelector(".study-moments [aria-current]"), body.querySelector(".study-moments")];
  if (row && list) keepInSight(row, list);
}

function view() {
  const failed = review?.status === "failed";
  if (!review || failed) {
    return html`<p>${failed ? t("The analysis did not come to its end. It can be asked for again.")
      : t("The bot looks at every move, says how accurately each seat played, marks mistakes and what was better.")}</p>
      ${trouble ? html`<p class="notice notice-warning" role="status">${trouble}</p>` : nothing}
      <button type="button" class="button" ?disabled=${busy} @click=${ask}>${t("Request computer analysis")}</button>`;
  }
  if (review.status === "waiting") {
    return html`${trouble ? html`<p class="notice notice-warning" role="status">${trouble}</p>` : nothing}
      <p class="study-thinking"><label>${t("{done} of {total} plies", { done: review.done, total: review.total })}
      <progress max=${review.total} value=${review.done}></progress></label></p>
      <p class="soft">${t("You may go on reading, or come back later: it goes on by itself.")}</p>`;
  }
  return html`${accuracy()}${here()}${list()}`;
}

function accuracy() {
  return html`<div class="table-scroll"><table class="study-accuracy">
    <thead><tr><th scope="col">${t("Player")}</th><th scope="col">${t("Accuracy")}</th>${[...KINDS].reverse().map((kind) => html`<th scope="col" title=${nameOfKind(kind)}><span class="move-mark" data-kind=${kind}></span><span aria-hidden="true">${SIGNS[kind]}</span><span class="visually-hidden">${nameOfKind(kind)}</span></th>`)}</tr></thead>
    <tbody>${seats.map(({ seat, name, colours }) => html`<tr><th scope="row"><span class="study-who">${colours.slice(0, 1).map(tile)}<span>${name}</span></span></th>
      <td>${review.accuracy[seat] === null ? "–" : number(review.accuracy[seat])}</td>
      ${[...KINDS].reverse().map((kind) => html`<td>${review.counts[seat][kind]}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** What is said of the ply that the replay shows. */
function here() {
  const one = review.plies.find((entry) => entry.ply === ply);
  if (!one) return html`<p class="study-here soft">${t("Step through the match to see what the bot says of each move.")}</p>`;
  return html`<p class="study-here" data-kind=${one.kind || "good"}>${verdict(one)} ${better(one)} ${one.reason ?? nothing}</p>`;
}

function verdict(one) {
  if (one.kind === "forced") return t("There was no choice.");
  if (one.kind === "best") return t("The bot would have played the same.");
  if (!one.kind) return t("A good move.");
  return html`<b>${nameOfKind(one.kind)}</b> (${lossOf(one.loss, seats.length)}).`;
}

function better(one) {
  if (!one.best) return nothing;
  const { label, colour } = named(bestOf(one));
  const address = `${analysisUrl}?${new URLSearchParams([["ply", one.ply - 1], ["move", one.best]])}`;
  return html`<span class="study-better">${one.kind ? t("Better:") : t("The bot prefers:")} ${colour ? tile(colour) : nothing} <a href=${address} title=${t("Try it on the board")}>${label}</a>.</span>`;
}

function list() {
  const found = moments();
  if (!found.length) return html`<p class="soft">${t("No move was worth a remark.")}</p>`;
  return html`<h3 class="label">${tn("{n} move could have been better", "{n} moves could have been better", found.length)}</h3>
    <ol class="study-moments" tabindex="0">${found.map(moment)}</ol>`;
}

function moment(one) {
  const { label, colour } = named(plies?.[one.ply - 1] ?? { text: "…", seat: one.seat, ply: one.ply });
  const to = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    send("replay:go", { ply: one.ply });
  };
  return html`<li aria-current=${one.ply === ply ? "step" : nothing}><a href=${`?ply=${one.ply}`} @click=${to}>
      <span class="move-number">${one.ply}</span><span class="move-mark" data-kind=${one.kind}></span>${colour ? tile(colour) : html`<span class="tile-room"></span>`}
      <span class="study-moment"><b>${seats[one.seat].name}: ${label}</b> <span>${nameOfKind(one.kind)}, ${lossOf(one.loss, seats.length)}</span>
        <small>${t("Better: {move}.", { move: named(bestOf(one)).label })} ${one.reason ?? nothing}</small></span></a></li>`;
}

/** Scrolls the list, and only the list. */
function keepInSight(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

if (page) {
  body.replaceChildren();
  tell();
  draw();
  // A replay that was ready before this script is asked to say once more where it is.
  if (page.dataset.ply !== undefined) send("replay:go", { ply });
}
