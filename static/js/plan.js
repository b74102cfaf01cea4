// The page for planning: answers are built by playing both sides on the board, and kept when they are saved.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { t, tn } from "./i18n.js";
import { pageData, refetch, say } from "./page.js";
import { tile } from "./panels.js";
import { ANY, Step, answers, branchesOf, follow, grow, unanswered } from "./plan-tree.js";
import { post } from "./post.js";

/** Milliseconds between looks whether the match went on. */
const LOOK_AGAIN = 20_000;

const root = document.getElementById("plan");
const element = root.querySelector("[data-module]");
const { mount } = await import(element.dataset.module);
const part = (name) => root.querySelector(`[data-part=${name}]`);
const token = root.querySelector("[name=csrfmiddlewaretoken]").value;

let page = pageData("page");
let plan = grow(page.tree, page.seat, page.position.seats.length);
let saved = JSON.stringify(branchesOf(plan));
let at = plan;
/** The position shown, the step it belongs to, and the board that shows it: one for each seat that chooses. */
let position = page.position;
let shown = plan;
let board = null;
let boardSeat = null;
let choice = null;
let busy = false;
let news = null;

/** Positions that were looked at, by their line. */
const known = new Map();

const dirty = () => JSON.stringify(branchesOf(plan)) !== saved;
const nameOf = (seat) => (seat === null ? t("Others") : page.position.seats[seat].name);

// --- Asking the server

/** The position after a line: `{position}`, or `{refused, code, message}`. */
async function look(line) {
  if (!line.length) return { position: page.position };
  if (line.length === 1 && line[0] === ANY) return { position: page.anything ?? { ...page.position, offer: null } };
  const key = JSON.stringify(line);
  if (!known.has(key)) {
    const told = page.open ? await post(page.look_url, { line, ply: page.ply }, token) : { position: { ...(page.anything ?? page.position), offer: null } };
    if (told.refused) return told;
    known.set(key, told);
  }
  return known.get(key);
}

async function save() {
  if (busy) return;
  busy = true;
  draw();
  const open = unanswered(plan);
  const told = await post(page.save_url, { tree: branchesOf(plan), ply: page.ply }, token);
  busy = false;
  if (told.code === "stale" || told.code === "not_now") await goOn();
  else if (told.refused) tell(told.message, "error");
  else {
    saved = JSON.stringify(branchesOf(plan));
    const left = open ? ` ${tn("{n} line without an answer is not part of it.", "{n} lines without an answer are not part of it.", open)}` : "";
    tell(`${told.tree.length ? t("Your plan is saved.") : t("Your plan is deleted.")}${left}`, "success");
  }
  draw();
}

/** Takes over the position of the match as it is now, with as much of the unsaved plan as still fits. */
async function goOn() {
  const fresh = await refetch(location.pathname, "page");
  if (!fresh) return tell(t("No answer. Check the connection and try again."), "error");
  if (fresh.ply === page.ply) return;
  const played = fresh.plies.filter((ply) => ply.ply > page.ply);
  const kept = fresh.may && played.length === fresh.ply - page.ply ? follow(plan, played, page.seat) : null;
  const lost = dirty() && !kept;
  page = fresh;
  known.clear();
  saved = JSON.stringify(branchesOf(grow(page.tree, page.seat, page.position.seats.length)));
  plan = kept ?? grow(page.tree, page.seat, page.position.seats.length);
  const words = [t("The match went on."), page.ended];
  if (!page.may) words.push(t("It is your turn."));
  else words.push(lost ? t("What you had not saved no longer fits.") : t("Your plan was moved to the new position."));
  tell(words.filter(Boolean).join(" "), "warning");
  await go(plan);
}

function tell(text, kind) {
  news = { text, kind };
  draw();
}

// --- Building

/** Shows the position at a step. Asked for while another one loads, the later one wins. */
async function go(step) {
  const wanted = (at = step);
  choice = null;
  board.clear();
  draw();
  const told = await look(step.line);
  if (at !== wanted) return;
  if (told.code === "stale" || told.code === "not_now") return goOn();
  if (told.refused) tell(told.message, "error");
  show(told.refused ? { ...position, offer: null } : told.position);
}

function show(next) {
  const seat = next.offer ? next.to_move : page.seat;
  if (!board || boardSeat !== seat || board.ctx.interactive !== Boolean(next.offer)) {
    board?.destroy();
    board = mountFor(seat, Boolean(next.offer));
    boardSeat = seat;
  }
  choice = null;
  position = next;
  shown = at;
  board.show(position, { animate: false });
  draw();
}

function mountFor(seat, interactive) {
  const made = mount(element, {
    data: page.data, seat, interactive, say, commit, why,
    choose: (text, summary) => { choice = text ? { text, summary } : null; drawBar(); },
  });
  // A board names moves by what it was told of the plies before.
  for (const ply of page.plies) made.describe?.(ply.text, page.position.view, ply.seat);
  return made;
}

async function why(text) {
  const told = page.open ? await post(page.look_url, { line: [...at.line, text], ply: page.ply }, token) : {};
  return told.refused ? told.message : null;
}

function commit() {
  // What was chosen in a position that is no longer asked for is no choice.
  if (!choice || !position.offer || shown !== at) return;
  const own = position.to_move === page.seat;
  const step = at.to(choice.text, position.to_move, own);
  say(own ? t("Your answer: {move}", { move: labelOf(step).label }) : t("If {name} plays {move}", { name: nameOf(step.seat), move: labelOf(step).label }));
  news = null;
  go(step);
}

function anything() {
  news = null;
  go(at.to(ANY, null, false));
}

function cut(step) {
  const back = step.has(at) ? step.parent : at;
  step.remove();
  news = null;
  if (back === at) draw();
  else go(back);
}

// --- Drawing

function draw() {
  drawState();
  drawTree();
  drawActions();
  drawBar();
  root.dataset.steps = shown.line.length;
}

function drawState() {
  const changed = dirty();
  const empty = saved === "[]" && !changed;
  const [style, words] = changed ? ["chip chip-warn", t("Not saved")] : empty ? ["chip", t("No plan yet")] : ["chip chip-good", t("Saved")];
  render(html`<span class=${style} data-saved=${changed ? "no" : "yes"}>${words}</span>`, part("state"));
  const told = part("news");
  told.hidden = !news;
  told.className = `notice${news ? ` notice-${news.kind}` : ""}`;
  told.textContent = news?.text ?? "";
  const ended = part("ended");
  if (ended && (changed || saved !== "[]")) ended.hidden = true;
}

/** The words and the colour of a step, as the board of the game names moves. */
function labelOf(step) {
  if (step.text === ANY) return { label: t("anything"), colour: null };
  const view = known.get(JSON.stringify(step.line))?.position.view ?? page.position.view;
  const colours = step.seat === null ? [] : page.position.seats[step.seat].colours;
  return { label: step.text, colour: colours.length === 1 ? colours[0] : null, ...described(step, view) };
}

function described(step, view) {
  const told = board?.describe?.(step.text, view, step.seat) ?? {};
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value));
}

function stepRow(step) {
  const { label, colour } = labelOf(step);
  const who = step.own ? t("I answer") : step.text === ANY ? t("If they play") : t("If {name} plays", { name: nameOf(step.seat) });
  const open = !step.own && !step.next.length;
  return html`<div class=${step.own ? "plan-step plan-own" : "plan-step"}>
    <button type="button" aria-current=${step === at ? "step" : nothing} title=${step.text} @click=${() => go(step)}>
      <span class="plan-who">${who}</span>${colour ? tile(colour) : nothing}<span class="plan-text">${label}</span>
      ${open ? html`<span class="plan-open">${t("no answer yet")}</span>` : nothing}</button>
    ${page.may ? html`<button type="button" class="plan-delete" aria-label=${t("Delete {move} and what follows", { move: label })} @click=${() => cut(step)}>×</button>` : nothing}
  </div>`;
}

/** A line straight down to its fork or its end, and below the fork its branches. */
function branch(step) {
  const rows = [stepRow(step)];
  let last = step;
  while (last.next.length === 1) rows.push(stepRow((last = last.next[0])));
  return html`<li>${rows}${last.next.length ? html`<ul>${last.next.map(branch)}</ul>` : nothing}</li>`;
}

function drawTree() {
  if (!plan.next.length) {
    const how = page.open
      ? t("Play on the board what you expect, then your answer. Go back to plan for other moves.")
      : t("Choose your answer on the board. It is played whatever the others do, if it is possible then.");
    render(page.may ? html`<p class="empty">${how}</p>` : nothing, part("tree"));
    return;
  }
  render(html`<ul aria-label=${t("Your plan")}>
    <li><div class="plan-step"><button type="button" aria-current=${at === plan ? "step" : nothing} @click=${() => go(plan)}><span class="plan-text">${t("The position now")}</span></button></div></li>
    ${plan.next.map(branch)}</ul>`, part("tree"));
}

function drawActions() {
  if (!page.may) return render(nothing, part("actions"));
  const count = answers(branchesOf(plan));
  return render(html`
    <button type="button" class="button" ?disabled=${busy || !dirty()} @click=${save}>${count || saved === "[]" ? t("Save the plan") : t("Save: no plan")}</button>
    ${(page.open ? plan.next.length : count) ? html`<button type="button" class="button-quiet" @click=${clear}>${t("Delete all")}</button>` : nothing}
    <a class="plain" href=${page.match_url}>${t("To the match")}</a>`, part("actions"));
}

function clear() {
  plan = new Step();
  start();
}

/** Begins at the position now; where nobody can look ahead there is one question only. */
function start() {
  news = null;
  if (page.may && !page.open && page.anything && !plan.next.length) anything();
  else go(plan);
}

function drawBar() {
  const mayAny = page.may && page.anything && at.text !== ANY && !at.line.includes(ANY) && position.to_move !== null
    && position.to_move !== page.seat && (page.open ? Boolean(position.offer) : at === plan);
  render(html`<p class=${`bar-text${choice ? "" : " is-turn"}`}>${choice ? choice.summary : prompt()}</p>
    <div class="bar-buttons">
      ${choice ? html`<button type="button" class="button-quiet" @click=${() => { board.clear(); board.focus?.(); }}>${t("Take back")}</button>
        <button type="button" class="button bar-place" @click=${commit}>${position.to_move === page.seat ? t("My answer") : t("If this")}</button>`
    : html`${mayAny ? html`<button type="button" class="button-quiet" @click=${anything}>${t("Anything")}</button>` : nothing}
        ${at.parent && (page.open || at.own) ? html`<button type="button" class="button-quiet" @click=${() => go(at.parent)}>${t("Back")}</button>` : nothing}`}
    </div>`, part("bar"));
  part("bar").classList.toggle("has-choice", Boolean(choice));
}

function prompt() {
  if (!page.may) return t("It is your turn.");
  if (at.text === ANY) return t("Whatever they play: what do you answer?");
  if (position.offer) return position.to_move === page.seat ? t("And your answer?") : t("What might {name} play?", { name: nameOf(position.to_move) });
  if (at === plan) return page.anything ? t("Plan an answer to anything.") : t("Here no answer can be chosen ahead.");
  return t("This line ends here.");
}

// --- Beginning

async function lookAgain() {
  if (document.hidden || busy) return;
  const fresh = await refetch(location.pathname, "page");
  if (fresh && fresh.ply !== page.ply) await goOn();
}

addEventListener("beforeunload", (event) => { if (dirty()) event.preventDefault(); });
addEventListener("visibilitychange", lookAgain);
setInterval(lookAgain, LOOK_AGAIN);

show(position);
start();
root.dataset.ready = "";
