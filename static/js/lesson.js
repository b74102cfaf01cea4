// The page of a lesson: shows its steps one by one on the real board, and asks the server about each move that is tried.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { t } from "./i18n.js";
import { pageData, say } from "./page.js";

const { game, steps, answer_url: answerUrl } = pageData("page");
const root = document.getElementById("lesson");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const element = root.querySelector("[data-module]");
const { mount } = await import(element.dataset.module);
const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
const KEY = `tessera-lesson-${game}`;
const NO_ANSWER = { done: false, legal: true, message: t("No answer. Check the connection and try again."), position: null };

let board = null;
let now = 0;
let choice = null;
/** What the server said to the last move of this step. */
let verdict = null;
let asking = false;
const done = new Set(stored());

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify([...done]));
  } catch {
    // Without storage the lesson is remembered as long as the page.
  }
}

// --- Steps

/** Goes to a step and sets its board up anew; variant and seat may differ from the last one's. */
function go(index, { focus = true } = {}) {
  now = Math.max(0, Math.min(steps.length - 1, index));
  const step = steps[now];
  choice = verdict = null;
  if (!step.asks) finish();
  history.replaceState(null, "", `#${now + 1}`);
  board?.destroy();
  board = mount(element, {
    data: step.data, seat: step.seat, interactive: step.asks, say,
    choose: (text, summary) => { choice = text && { text, summary }; if (text) verdict = null; draw(); },
    commit,
    why: async (text) => { const told = await ask(text); return told.legal ? null : told.message; },
  });
  board.show(step.position, { animate: false });
  draw();
  root.dataset.step = now + 1;
  if (focus) part("title").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

function finish() {
  done.add(now);
  keep();
}

async function ask(text) {
  try {
    const response = await fetch(`${answerUrl}${now + 1}/`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(8_000),
    });
    return response.ok ? await response.json() : NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

async function commit() {
  if (!choice || asking || verdict?.done) return;
  const asked = now;
  asking = true;
  draw();
  const told = await ask(choice.text);
  asking = false;
  if (asked !== now) return;
  verdict = told;
  choice = null;
  if (told.done) {
    finish();
    board.show(told.position, { animate: true });
  } else {
    board.clear();
  }
  draw();
  if (told.done) part("steps").querySelector(".button")?.focus({ preventScroll: true });
  else board.focus?.();
}

// --- Drawing

function draw() {
  const step = steps[now];
  part("title").textContent = step.title;
  part("text").textContent = step.text;
  const told = part("verdict");
  told.hidden = !verdict;
  told.className = `lesson-verdict${verdict?.done ? " is-good" : verdict && !verdict.legal ? " is-bad" : ""}`;
  told.textContent = verdict?.message ?? "";
  drawDots();
  drawSteps(step);
  drawBar(step);
}

function drawDots() {
  const dot = (step, index) => {
    const name = t("Step {n} of {all}: {title}", { n: index + 1, all: steps.length, title: step.title });
    return html`<li><button type="button" class=${done.has(index) ? "is-done" : ""} aria-current=${index === now ? "step" : nothing}
      title=${name} aria-label=${done.has(index) ? `${name} (${t("done")})` : name} @click=${() => go(index)}></button></li>`;
  };
  render(steps.map(dot), part("dots"));
}

function drawSteps(step) {
  const last = now === steps.length - 1;
  const passed = !step.asks || verdict?.done;
  part("play").hidden = !(last && passed);
  render(html`
    ${now > 0 ? html`<button type="button" class="button-quiet" @click=${() => go(now - 1)}>${t("Back")}</button>` : nothing}
    ${last ? nothing : html`<button type="button" class=${passed ? "button" : "button-quiet"} @click=${() => go(now + 1)}>${passed ? t("Next") : t("Skip")}</button>`}
    ${step.asks && verdict?.done ? html`<button type="button" class="plain" @click=${() => go(now)}>${t("Once more")}</button>` : nothing}
    ${last && passed ? html`<button type="button" class="plain" @click=${startOver}>${t("Start over")}</button>` : nothing}`, part("steps"));
}

function startOver() {
  done.clear();
  keep();
  go(0);
}

function drawBar(step) {
  const place = choice && !asking && !verdict?.done;
  const text = choice ? choice.summary : step.asks && !verdict?.done ? t("Your turn") : "";
  render(html`<p class=${`bar-text${choice ? "" : " is-turn"}`}>${asking ? t("One moment…") : text}</p>
    <div class="bar-buttons">${place ? html`
      <button type="button" class="button-quiet" @click=${() => { board.clear(); board.focus?.(); }}>${t("Take back")}</button>
      <button type="button" class="button bar-place" @click=${commit}>${board.verb ?? t("Place")}</button>` : nothing}</div>`, part("bar"));
  part("bar").classList.toggle("has-choice", Boolean(choice));
}

/** Opens at the step in the address, else at the first that is not done. */
function first() {
  const asked = Number(location.hash.slice(1));
  if (Number.isInteger(asked) && asked >= 1 && asked <= steps.length) return asked - 1;
  const open = steps.findIndex((_, index) => !done.has(index));
  return open < 0 ? 0 : open;
}

addEventListener("hashchange", () => first() !== now && go(first()));
go(first(), { focus: false });
