// The Blockers! board: shows positions and, for a person with a seat, lets them play tiles. The module that the pages mount.

import { Grid } from "./geometry.js";
import { Scene } from "./draw.js";
import { html } from "./symbols.js";
import { t } from "../js/i18n.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export function mount(el, ctx) {
  const board = new Board(el, ctx);
  return {
    show: (position, options) => board.show(position, options),
    clear: () => {},
    focus: () => board.scene.element.focus({ preventScroll: true }),
    destroy: () => el.replaceChildren(),
  };
}

class Board {
  constructor(el, ctx) {
    this.el = el;
    this.ctx = ctx;
    this.grid = new Grid(ctx.data);
    this.scene = new Scene(this.grid, t("Blockers! board"));
    this.stage = html("div", { class: "bl-stage" }, this.scene.element);
    this.table = html("div", { class: "board-table" }, this.stage);
    el.replaceChildren(this.table, html("div", { class: "board-side" }));
  }

  show(position) {
    this.scene.tiles(position.view);
    this.scene.last(position.view.last);
  }
}
