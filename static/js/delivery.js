// The delivery of the one move of this tab that is not yet answered: sent again and again with the same id, and shown as it goes.

import { t } from "./i18n.js";
import { about, later, uuid } from "./socket.js";

const RESEND = [0, 1_000, 2_000, 4_000, 8_000];
/** Milliseconds without a socket before a move goes out by POST. */
const POST_AFTER = 10_000;

/** What is said of a move on its way, by its state. */
export const DELIVERY = {
  waiting: () => t("Not sent yet: no connection. It goes out by itself."),
  sent: () => t("Sent, not yet confirmed…"),
  received: () => t("Received, being checked…"),
  accepted: () => t("Accepted"),
};

/**
 * The unanswered move, `{id, ply, text, planned, state}` with a state of `DELIVERY`. It is kept over reloads and sent with the
 * same id until an `ack` or a final `refused` comes, by the socket, or by POST when there has been none for a while.
 * `onState()` is called when its state changes, `onAnswer(answer, move)` with the final answer.
 */
export class Outbox {
  #timer = null;
  #attempt = 0;
  #since = 0;
  #posting = false;

  constructor({ match, postUrl, token, send, onState, onAnswer }) {
    Object.assign(this, { postUrl, token, send, onState, onAnswer });
    this.key = `tessera-move-${match}`;
    this.move = this.#stored();
  }

  #stored() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key));
      return kept && { ...kept, state: "waiting" };
    } catch {
      return null;
    }
  }

  #keep(move) {
    this.move = move;
    try {
      if (move) sessionStorage.setItem(this.key, JSON.stringify(move));
      else sessionStorage.removeItem(this.key);
    } catch {
      // Without storage the move lives as long as the page.
    }
  }

  /** Sends a move; `planned` is whether it was chosen before the turn came. */
  put(ply, text, planned = false) {
    this.#keep({ id: uuid(), ply, text, planned, state: "waiting" });
    this.retry();
  }

  /** Starts over with sending: at once, then at growing distances. */
  retry() {
    if (!this.move) return;
    clearTimeout(this.#timer);
    this.#attempt = 0;
    this.#since ||= performance.now();
    this.#try();
  }

  /** The connection is gone: what was not answered may not have arrived. */
  interrupted() {
    if (this.move) this.#become("waiting");
  }

  #become(state) {
    if (this.move.state === state) return;
    this.move.state = state;
    this.onState();
  }

  #try() {
    if (!this.move) return;
    const { id, ply, text } = this.move;
    const sent = this.send({ type: "move", id, ply, text });
    if (sent && this.move.state === "waiting") this.#become("sent");
    if (!sent && performance.now() - this.#since > POST_AFTER) this.#post();
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#try(), about(later(RESEND, this.#attempt), 0.2));
  }

  async #post() {
    if (this.#posting) return;
    this.#posting = true;
    const { id, ply, text } = this.move;
    try {
      const response = await fetch(this.postUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
        body: JSON.stringify({ id, ply, text }),
        signal: AbortSignal.timeout(8_000),
      });
      this.hear(await response.json());
    } catch {
      // No server, no answer: the next round tries again.
    } finally {
      this.#posting = false;
    }
  }

  /** Takes in an answer of the server; only a final one to this very move ends the sending. */
  hear(answer) {
    if (!this.move || answer.id !== this.move.id || answer.code === "busy") return;
    if (answer.type === "received") {
      this.#become("received");
      return;
    }
    const move = this.move;
    clearTimeout(this.#timer);
    this.#since = 0;
    this.#keep(null);
    this.onAnswer(answer, move);
  }
}
