// A move chosen ahead of one's turn in a live match: asked for, kept as a plan that only this page knows, sent when the turn comes.

/**
 * `ask()` asks the server what the seat could choose, `{ply, offer}` or `null`; `changed()` redraws the page.
 * `idle`: nothing; `choosing`: the board offers moves; `planned`: one is kept.
 */
export class Ahead {
  state = "idle";
  /** The text of the planned move. */
  text = null;
  #offer = null;
  #ply = null;

  constructor({ ask, changed, unavailable }) {
    Object.assign(this, { ask, changed, unavailable });
  }

  get on() {
    return this.state !== "idle";
  }

  /** Lets the board choose a move for later. */
  async begin(ply) {
    this.state = "choosing";
    await this.#fetch(ply);
  }

  async #fetch(ply) {
    this.#ply = ply;
    const answer = await this.ask();
    if (!this.on || ply !== this.#ply) return;
    if (answer?.offer && answer.ply === ply) {
      this.#offer = answer.offer;
    } else if (!answer || answer.ply === ply) {
      const told = this.state === "choosing";
      this.cancel();
      if (told) this.unavailable();
      return;
    }
    this.changed();
  }

  /** Others moved and it is still not our turn: what may be chosen is asked for anew. */
  moved(ply) {
    if (this.on && ply !== this.#ply) this.#fetch(ply);
  }

  /** Keeps a move for when the turn comes. */
  plan(text) {
    this.state = "planned";
    this.text = text;
    this.changed();
  }

  /** Forgets everything, as a person wishes. */
  cancel() {
    this.drop();
    this.changed();
  }

  /** Forgets everything, for a position that is about to be shown; the text that was planned. */
  drop() {
    const { text } = this;
    this.state = "idle";
    this.text = this.#offer = this.#ply = null;
    return text;
  }

  /** The position as the board shows it for choosing ahead; `null` while the offer for it is not there yet. */
  shown(position) {
    if (!this.on || !this.#offer || this.#ply !== position.ply) return null;
    return { ...position, offer: this.#offer, to_move: position.seat, ahead: true };
  }
}
