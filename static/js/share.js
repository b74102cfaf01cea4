// The panel for sharing a replay: keeps links and files at the ply that is shown, copies, and has moving pictures drawn.

import { t } from "./i18n.js";

const panel = document.querySelector("[data-part=share]");
const part = (name) => panel.querySelector(`[data-share=${name}]`);
/** Milliseconds between two looks whether a moving picture is drawn, and how many looks it is given. */
const LOOK = 1_000;
const LOOKS = 75;

// --- The ply that is shown

function follow(ply) {
  panel.dataset.ply = String(ply);
  const { base, link } = panel.dataset;
  part("link").value = `${link}${ply}`;
  part("png").href = `${base}ply/${ply}.png`;
  part("svg").href = `${base}ply/${ply}.svg`;
  const frame = part("frame");
  if (!frame) return;
  frame.value = frame.value.replace(/embed\/\?ply=\d+/, `embed/?ply=${ply}`);
  part("embed").href = `${base}embed/?ply=${ply}`;
}

// The page may have gone on before this script was there: then its address tells.
const asked = new URLSearchParams(location.search).get("ply");
if (asked && /^\d+$/.test(asked)) follow(Number(asked));
document.addEventListener("replay:ply", (event) => follow(event.detail.ply), { capture: true });

// --- Copying and sending

for (const field of panel.querySelectorAll("input[readonly], textarea[readonly]")) field.addEventListener("focus", () => field.select());

for (const button of panel.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = t("Copied");
    } catch {
      field.select(); // without the right to the clipboard: one key does the rest
      button.textContent = t("Press Ctrl+C");
    }
    setTimeout(() => { button.textContent = name; }, 4_000);
  });
}

const send = part("send");
if (navigator.share) {
  send.hidden = false;
  send.addEventListener("click", async () => {
    try {
      await navigator.share({ title: send.dataset.title, url: part("link").value });
    } catch (trouble) {
      if (trouble.name !== "AbortError") part("link").focus();
    }
  });
}

// --- Moving pictures

const room = part("moving");
let wanted = 0;

function told(text) {
  const line = document.createElement("p");
  line.className = "soft";
  line.textContent = text;
  room.replaceChildren(line);
}

/** Whether the picture is drawn; throws where it never will be, or not now. */
async function drawn(url) {
  const answer = await fetch(url, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).ready;
}

async function show(link) {
  const url = link.href;
  const turn = ++wanted;
  told(t("Drawing… this takes some seconds."));
  try {
    for (let look = 0; look < LOOKS && turn === wanted; look += 1) {
      if (await drawn(url)) {
        if (turn === wanted) present(url, link.dataset.moving);
        return;
      }
      await new Promise((resolve) => { setTimeout(resolve, LOOK); });
    }
    if (turn === wanted) told(t("It takes longer than usual. Please try again later."));
  } catch {
    if (turn === wanted) told(t("The picture could not be drawn. Please try again later."));
  }
}

function present(url, kind) {
  const image = new Image();
  image.alt = t("The match from start to end, as a moving picture");
  image.src = url;
  const link = document.createElement("a");
  link.className = "button";
  link.href = url;
  link.download = `${panel.dataset.name}.${kind}`;
  link.textContent = t("Download");
  room.replaceChildren(image, link);
}

for (const link of panel.querySelectorAll("[data-moving]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link);
  });
}
