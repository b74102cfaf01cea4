// The shelf beside a replay: sends its forms without leaving the page, and keeps the comments in step with the ply that is shown.
//
// The server draws the panel anew after each change, so there is one way to draw it. With the replay page it talks by the events
// that js/replay/main.js names.

import { t } from "./i18n.js";
import { pageData, say } from "./page.js";

const shelf = document.querySelector("[data-part=shelf]");
const replay = document.getElementById("replay-page");
const inside = shelf.querySelector("[data-part=shelf-inside]");
const said = shelf.querySelector("[data-part=shelf-said]");
/** The ply that is shown; `null` where nothing is stepped through. */
let ply = null;

mark(pageData("shelf-marks"));
replay?.addEventListener("replay:ply", ({ detail }) => follow(detail.ply));
if (replay?.dataset.ply) follow(Number(replay.dataset.ply));
shelf.addEventListener("submit", send);
shelf.addEventListener("click", jump);
shelf.addEventListener("keydown", sendByKey);

/** Has the replay show which plies have comments. */
function mark(marks) {
  replay?.dispatchEvent(new CustomEvent("replay:marks", { detail: { marks, source: "shelf" } }));
}

/** Shows which comments are of the ply on the board, and writes to it, unless something is being written already. */
function follow(shown) {
  ply = shown;
  const form = inside.querySelector("[data-part=write]");
  if (form && form.elements.text.value.trim() === "") form.elements.ply.value = String(ply);
  let here = null;
  for (const comment of inside.querySelectorAll("[data-ply]")) {
    const same = Number(comment.dataset.ply) === ply;
    comment.classList.toggle("is-here", same);
    if (same) here ??= comment;
  }
  // Within its own box only: the page does not jump while the match plays.
  const list = here?.parentElement;
  if (list) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop;
}

function jump(event) {
  const link = event.target.closest("[data-go]");
  if (!link || !replay || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  replay.dispatchEvent(new CustomEvent("replay:go", { detail: { ply: Number(link.dataset.go) } }));
}

/** Ctrl+Enter sends what is being written. */
function sendByKey(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("textarea")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

async function send(event) {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.busy !== undefined) return;
  form.dataset.busy = "";
  const answer = await asked(form, event.submitter);
  delete form.dataset.busy;
  tell(answer.message, answer.refused);
  if (answer.refused) return;
  redraw(answer.html, form);
  mark(answer.marks);
}

/** What the server answers to a form; a refusal of our own where it cannot be reached. What was typed stays then. */
async function asked(form, button) {
  try {
    const response = await fetch(form.action, {
      method: "POST", body: new FormData(form, button), headers: { Accept: "application/json" },
    });
    if (response.ok) return await response.json();
    if (response.status === 404) return { refused: true, message: t("It is gone meanwhile. Load the page anew.") };
  } catch {
    // Said below: nothing was lost.
  }
  return { refused: true, message: t("The server could not be reached. Please try again.") };
}

function tell(message, refused) {
  said.textContent = message;
  said.hidden = false;
  said.classList.toggle("is-refused", refused);
  say(message);
}

/** Puts the new panel in place of the old one: what was folded out, what was being written elsewhere and the focus stay. */
function redraw(markup, sent) {
  const open = [...inside.querySelectorAll("details[open]")].map(({ dataset }) => dataset.fold);
  const drafts = [...inside.querySelectorAll("textarea")].filter(({ form, value, defaultValue }) => form !== sent && value !== defaultValue)
    .map(({ id, value, form }) => ({ id, value, public: form.elements.public?.checked, ply: form.elements.ply?.value }));
  const { keep } = sent.dataset;
  inside.innerHTML = markup;
  for (const fold of inside.querySelectorAll("details")) fold.open = open.includes(fold.dataset.fold) && fold.dataset.fold !== keep;
  for (const draft of drafts) restore(draft);
  if (ply !== null) follow(ply);
  const again = inside.querySelector(`[data-keep="${keep ?? ""}"]`);
  (again?.querySelector("input:not([type=hidden], [type=number]), textarea, button") ?? inside.querySelector(".shelf-star")).focus({ preventScroll: true });
}

function restore(draft) {
  const area = inside.querySelector(`#${draft.id}`);
  if (!area) return;
  area.value = draft.value;
  if (area.form.elements.public) area.form.elements.public.checked = draft.public;
  if (area.form.elements.ply) area.form.elements.ply.value = draft.ply;
}
