// The tree of moves as a list: a line goes straight down, and what was tried instead of a ply stands set in below it.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { t } from "../i18n.js";
import { tile } from "../panels.js";

/** Draws the tree of `root`. `labelOf(node)` gives `{label, colour}`; `pick(node)` goes there. */
export function drawTree(element, { root, at, labelOf, pick }) {
  const row = (node) => {
    const { label, colour } = labelOf(node);
    const classes = ["study-ply", node.line ? "study-line" : "study-tried", node.drawn && "study-drawn"].filter(Boolean).join(" ");
    return html`<li class=${classes}>
      <button type="button" tabindex=${node === at ? "0" : "-1"} aria-current=${node === at ? "step" : nothing} title=${node.text} @click=${() => pick(node)}>
        <span class="move-number">${node.ply}</span>${colour ? tile(colour) : html`<span class="tile-room"></span>`}<span class="move-label">${label}</span>
      </button>
      ${node.note.trim() ? html`<p class="study-note">${node.note}</p>` : nothing}</li>`;
  };

  const strand = (first, ...instead) => {
    const rows = [];
    let [node, others] = [first, instead];
    while (node) {
      rows.push(row(node));
      if (others.length) rows.push(branches(node, others));
      [node, ...others] = node.next;
    }
    return rows;
  };

  const branches = (node, others) => html`<li><ul class="study-branches" aria-label=${t("Instead of ply {n}", { n: node.ply })}>
    ${others.map((other) => html`<li><ul>${strand(other)}</ul></li>`)}</ul></li>`;

  render(html`<ul class="study-strand" aria-label=${t("Moves")}>
    <li class="study-ply study-line"><button type="button" tabindex=${at === root ? "0" : "-1"} aria-current=${at === root ? "step" : nothing} @click=${() => pick(root)}>
      <span class="move-number">0</span><span class="tile-room"></span><span class="move-label">${t("Start")}</span></button></li>
    ${strand(...root.next)}</ul>`, element);
  keepInSight(element);
}

/** Scrolls the list, and only the list, so that the current row can be seen. */
function keepInSight(list) {
  const row = list.querySelector("[aria-current]");
  if (!row) return;
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + inner.height;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + inner.height;
}
