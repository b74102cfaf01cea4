// Small cards in the corner of any page: what just happened, each with the way there.

import { html } from "./dom.js";
import { t } from "./i18n.js";
import { say } from "./page.js";

const SHOWN = 12_000;
const shown = new Map();
let corner = null;

/**
 * Shows a card and says it to screen readers. `key` names it; `actions` are elements in place of the link, which the title
 * then is; a card with `stays` waits for the person, others go by themselves, but not while they are pointed at or hold the focus.
 */
export function toast({ key, title, body, url, link, actions = [], stays = false }) {
  if (shown.has(key)) return;
  corner ??= document.body.appendChild(html("div", { class: "toasts", role: "region", "aria-label": t("News") }));
  const card = html("div", { class: "toast" },
    html("p", {}, html("strong", {}, actions.length ? html("a", { href: url }, title) : title), " ", body),
    html("div", { class: "toast-actions" },
      ...actions,
      actions.length ? null : html("a", { class: "button-quiet", href: url }, link),
      html("button", { class: "plain", type: "button", onclick: () => drop(key) }, t("Close"))));
  shown.set(key, card);
  corner.append(card);
  say(`${title}. ${body}`);
  if (!stays) expire(key, card);
}

/** Takes a card away. */
export function drop(key) {
  shown.get(key)?.remove();
  shown.delete(key);
}

/** The keys of the cards that are shown. */
export const keys = () => [...shown.keys()];

function expire(key, card) {
  setTimeout(() => {
    if (card.matches(":hover, :focus-within")) expire(key, card);
    else if (shown.get(key) === card) drop(key);
  }, SHOWN);
}
