// How the Nibble board is looked at: the size of the signs, and the board enlarged. Both are the reader's own and are remembered.

import { html, svg } from "../js/dom.js";
import { t } from "../js/i18n.js";

const STORE = "tessera-nibble-signs";
/** Small signs on glaze, large signs on glaze, or large signs on plain stone for eyes that do not tell the glazes apart. */
const SIGNS = ["large", "small", "plain"];
const NAMES = { large: () => t("large"), small: () => t("small"), plain: () => t("plain, most contrast") };

const ICONS = {
  signs: "M3 3h6v6H3zM11 14.5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M14 2.8 17.5 9h-7ZM3.5 12l5 5M8.5 12l-5 5",
  zoom: "M8.5 3a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M12.6 12.6 17.5 17.5M8.5 6v5M6 8.5h5",
};

const icon = (name) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

function remembered() {
  try {
    const kept = localStorage.getItem(STORE);
    return SIGNS.includes(kept) ? kept : SIGNS[0];
  } catch {
    // Without storage the choice lasts as long as the page.
    return SIGNS[0];
  }
}

export class Look {
  constructor(el, stage, say) {
    Object.assign(this, { el, stage, say });
    this.signs = remembered();
    this.signsButton = html("button", { type: "button", class: "nb-tool nb-signs", onclick: () => this.#nextSigns() }, icon("signs"));
    this.zoomButton = html("button",
      { type: "button", class: "nb-tool nb-zoom", "aria-pressed": "false", title: t("Enlarge"), "aria-label": t("Enlarge"), onclick: () => this.#zoom() }, icon("zoom"));
    this.#apply();
  }

  get buttons() {
    return [this.zoomButton, this.signsButton];
  }

  #nextSigns() {
    this.signs = SIGNS[(SIGNS.indexOf(this.signs) + 1) % SIGNS.length];
    try {
      localStorage.setItem(STORE, this.signs);
    } catch {
      // As above.
    }
    this.#apply();
    this.say(this.signsButton.title);
  }

  #apply() {
    const label = t("Symbols: {size}", { size: NAMES[this.signs]() });
    this.el.dataset.signs = this.signs;
    this.signsButton.title = label;
    this.signsButton.setAttribute("aria-label", label);
  }

  /** Enlarges the board within its frame, where it is then scrolled by finger, wheel or keys; the middle stays in the middle. */
  #zoom() {
    const large = this.stage.classList.toggle("is-large");
    this.zoomButton.setAttribute("aria-pressed", String(large));
    const { stage } = this;
    stage.scrollTo({ left: (stage.scrollWidth - stage.clientWidth) / 2, top: (stage.scrollHeight - stage.clientHeight) / 2 });
  }

  /** Brings a cell's drawing into sight on an enlarged board. */
  reveal(element) {
    if (this.stage.classList.contains("is-large")) element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
