// What lies round the board of a live match: players and clocks, the bar, offers, the menu, the result, the page's title.

import { drawBar, drawLink } from "./bar.js";
import { Clocks, lowTime, standing } from "./clock.js";
import { t } from "./i18n.js";
import { Offers, Wishes } from "./offers.js";
import { say } from "./page.js";
import { drawSeats } from "./panels.js";
import { Television, drawResult } from "./result.js";

/** How long a note about what happened stays. Milliseconds. */
const NOTE = 10_000;

export class Around {
  #note = null;
  #plainTitle = document.title;

  /**
   * `state()` gives `{position, mine, seated, live, present: {here, watching}, …}` and the rest of what the bar shows (`bar.js`);
   * `acts` are what the bar's buttons do; `ask(frame)` asks the server; `connection` has its time; `warn()` is called
   * when the own time is low; `tv` is where TV goes on, or `null`; `noted` has the pages of
   * the people about whom one noted something.
   */
  constructor(root, { state, acts, ask, connection, address, warn, tv, noted }) {
    Object.assign(this, { root, state, acts, connection, noted });
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.offers = new Offers(this.part("offers"), { act: ask, address });
    this.wishes = new Wishes(root, { menu: this.part("menu"), act: ask, live: () => state().live });
    this.television = tv ? new Television(this.part("tv"), tv) : null;
    this.clocks = new Clocks(root, {
      look: () => ({ position: state().position, now: connection.time.now(), stale: !state().live }),
      flag: () => connection.send({ type: "flag" }),
      warn(seconds) {
        say(lowTime(seconds));
        warn();
      },
      tick: () => {
        this.drawOffers();
        this.drawBar();
      },
    });
  }

  draw() {
    const { position, mine } = this.state();
    this.drawSeats();
    this.drawBar();
    this.drawOffers();
    this.wishes.show(position);
    drawResult(this.part("result"), { text: this.part("result-text"), button: this.part("rematch"), decline: this.part("no-rematch") }, position);
    if (position.status !== "running") this.television?.begin();
    document.title = mine ? `\u25cf ${t("Your turn")} · ${this.#plainTitle}` : this.#plainTitle;
  }

  /** Draws the players; `scores` are other ones than those of the position when an earlier one is shown. */
  drawSeats(scores = this.state().position.scores) {
    const { position, present } = this.state();
    drawSeats(this.part("seats"), {
      seats: position.seats, scores, ranks: position.ranks, toMove: position.status === "running" ? position.to_move : null,
      live: true, here: present.here, clocks: position.clock !== null, noted: this.noted,
    });
    this.clocks.draw();
  }

  drawBar() {
    const state = this.state();
    const first = standing(state.position, state.position.to_move, this.connection.time.now())?.window ?? null;
    drawBar(this.part("bar"), { ...state, here: state.present.here, first }, this.acts);
  }

  drawOffers() {
    this.offers.draw({ position: this.state().position, now: this.connection.time.now(), note: this.#note?.text });
  }

  drawLink() {
    drawLink(this.part("link"), this.connection.state ?? "connecting", this.state().present.watching);
  }

  /** Shows a sentence above the bar for a while, and speaks it unless it was spoken already. */
  tell(text, aloud = true) {
    const note = { text };
    this.#note = note;
    if (aloud) say(text);
    setTimeout(() => {
      if (this.#note !== note) return;
      this.#note = null;
      this.drawOffers();
    }, NOTE);
    this.drawOffers();
  }
}
