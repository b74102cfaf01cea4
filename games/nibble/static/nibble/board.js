// The Nibble board: shows positions and, for a person with a seat, lets them take blocks. The module that the pages mount.

import { Cells } from "./geometry.js";
import { Scene, html } from "./draw.js";
import { huesOf } from "./hues.js";
import { t } from "../js/i18n.js";

/** Puts a board into `el`; the shape of `ctx` and of what is returned is the same for every game. */
export function mount(el, ctx) {
  const board = new Board(el, ctx);
  return {
    show: (position, options) => board.show(position, options),
    describe: (text, view) => board.describe(text, view),
    clear: () => board.play?.takeBack(),
    focus: () => board.focus(),
    destroy: () => board.destroy(),
  };
}

class Board {
  constructor(el, ctx) {
    this.el = el;
    this.ctx = ctx;
    this.cells = new Cells(ctx.data);
    this.hues = huesOf(ctx.data);
    this.scene = new Scene(this.cells, this.hues, t("Nibble board"));
    this.stage = html("div", { class: "nb-stage" }, this.scene.element);
    this.table = html("div", { class: "board-table" }, this.stage);
    el.replaceChildren(this.table, html("div", { class: "board-side" }));
  }

  destroy() {
    this.el.replaceChildren();
  }

  focus() {
    this.scene.element.focus({ preventScroll: true });
  }

  show(position, { animate = false } = {}) {
    const { view } = position;
    this.position = position;
    this.scene.blocks(view, animate);
    this.scene.states((cell) => (view.takeable.includes(cell) ? ["is-free"] : []));
    this.scene.last(view.last);
  }

  describe(text) {
    return { label: text.startsWith("=") ? t("the layout") : text.replaceAll(",", " ") };
  }
}
