// The Azul board: shows positions and, for a person with a seat, lets them take and place tiles. The module that the pages mount.

import { html } from "./dom.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export function mount(el, ctx) {
  const table = html("div", { class: "board-table" });
  el.replaceChildren(table, html("div", { class: "board-side" }));
  return {
    show: (position) => {
      const offer = (position.offer ?? []).map(({ move }) =>
        html("button", { type: "button", class: "button-quiet", onclick: () => ctx.choose(move, move) }, move));
      table.replaceChildren(...offer);
      el.classList.toggle("is-my-turn", offer.length > 0);
    },
    clear: () => ctx.choose(null, null),
    destroy: () => el.replaceChildren(),
  };
}
