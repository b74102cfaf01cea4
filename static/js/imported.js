// The notes of an imported record: marks of its replay, and links that step there.

import { pageData } from "./page.js";

const replay = document.getElementById("replay-page");

replay.dispatchEvent(new CustomEvent("replay:marks", { detail: { marks: pageData("record-notes"), source: "record" } }));

for (const link of document.querySelectorAll("[data-go]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    replay.dispatchEvent(new CustomEvent("replay:go", { detail: { ply: Number(link.dataset.go) } }));
    replay.scrollIntoView({ block: "start" });
  });
}
