// Keeps a page in touch with its match: reconnects, beats, and sends a move again and again until it is answered.

const BEAT = 5_000;
const SILENCE = 12_000;
/** Ticks of one second that are further apart than this mean that the page was asleep. */
const SLEPT = 5_000;
const ANSWER = 4_000;
const RECONNECT = [300, 1_000, 2_000, 4_000, 8_000];
const RESEND = [0, 1_000, 2_000, 4_000, 8_000];
const POST_AFTER = 10_000;
const WHY_TIMEOUT = 4_000;
const CLOSED_FOR_GOOD = new Map([[4001, "signed-out"], [4404, "gone"]]);

const later = (delays, attempt) => delays[Math.min(attempt, delays.length - 1)];
const about = (ms, share) => ms * (1 + share * (2 * Math.random() - 1));

/** A random UUID; `crypto.randomUUID` is missing where the page came over plain http. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * The socket of one match. `on.position(payload)` for each position, `on.answer(frame)` for `ack` and `refused`,
 * `on.state(word)` when the connection becomes `connecting`, `live`, `offline`, `signed-out` or `gone`;
 * `version()` is the newest version the page shows.
 */
export class Connection {
  #socket = null;
  #attempt = 0;
  #heard = 0;
  #ticked = Date.now();
  #timer = null;
  #questions = new Map();

  constructor({ path, version, on }) {
    Object.assign(this, { path, version, on, state: null });
    /** When the connection was last known to work, or the page came up. */
    this.liveAt = Date.now();
    setInterval(() => this.#live && this.#beat(this.version()), BEAT);
    setInterval(() => this.#watch(), 1_000);
    addEventListener("online", () => this.#hurry());
    addEventListener("offline", () => this.#reset());
    addEventListener("pageshow", (event) => event.persisted && this.#reset());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  get #live() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  open() {
    this.#become(this.#attempt ? "offline" : "connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => socket === this.#socket && this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.#socket && this.#closed(event.code);
  }

  /** Sends a frame if the socket is open; whether it was. */
  send(frame) {
    if (!this.#live) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Why the server would refuse a move; `null` when it would not, or when it cannot be asked now. */
  why(text) {
    const id = uuid();
    if (!this.send({ type: "why", id, text })) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      setTimeout(() => this.#settle(id, null), WHY_TIMEOUT);
    });
  }

  #settle(id, message) {
    this.#questions.get(id)?.(message);
    this.#questions.delete(id);
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.on.state(state);
  }

  #opened(socket) {
    if (socket !== this.#socket) return;
    // Nothing counts as live before the server has spoken: a proxy may accept for a server that is gone.
    this.#beat(-1);
    this.on.opened?.();
  }

  #beat(version) {
    this.send({ type: "beat", version });
  }

  #hear(frame) {
    this.#heard = Date.now();
    if (frame.type !== "bye") {
      this.#attempt = 0;
      this.liveAt = this.#heard;
      this.#become("live");
    }
    if (frame.type === "position") this.on.position(frame);
    else if (frame.type === "ack" || frame.type === "refused") this.on.answer(frame);
    else if (frame.type === "why") this.#settle(frame.id, frame.message);
    else if (frame.type === "bye") this.#again(frame.after);
  }

  #closed(code) {
    const final = CLOSED_FOR_GOOD.get(code);
    if (final) {
      this.#drop();
      this.#become(final);
    } else {
      this.#again(about(later(RECONNECT, this.#attempt), 0.5));
    }
  }

  #again(delay) {
    this.#drop();
    this.#attempt += 1;
    this.#become("offline");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), delay);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** A socket that has been silent for too long is dead, whatever it says itself. */
  #watch() {
    const now = Date.now();
    const slept = now - this.#ticked > SLEPT;
    this.#ticked = now;
    if (slept) {
      // A hidden tab or a lid: we asked nothing meanwhile, so silence proves nothing yet.
      this.#beat(this.version());
      this.#heard = Math.max(this.#heard, now - SILENCE + ANSWER);
    } else if (this.#socket && now - this.#heard > SILENCE) {
      this.#again(0);
    }
  }

  #reset() {
    if (this.state !== "signed-out" && this.state !== "gone") this.#again(about(RECONNECT[0], 0.5));
  }

  #hurry() {
    if (this.state === "offline") this.#again(0);
  }
}

/**
 * The one move of this tab that is not yet answered. It is kept over reloads and sent with the same id until an `ack`
 * or a final `refused` comes, by the socket, or by POST when there has been none for a while.
 */
export class Outbox {
  #timer = null;
  #attempt = 0;
  #since = 0;
  #posting = false;

  constructor({ match, postUrl, token, send, onAnswer }) {
    Object.assign(this, { postUrl, token, send, onAnswer });
    this.key = `tessera-move-${match}`;
    this.move = this.#stored();
  }

  #stored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key));
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

  put(ply, text) {
    this.#keep({ id: uuid(), ply, text });
    this.retry();
  }

  /** Starts over with sending: at once, then at growing distances. */
  retry() {
    if (!this.move) return;
    clearTimeout(this.#timer);
    this.#attempt = 0;
    this.#since ||= Date.now();
    this.#try();
  }

  #try() {
    if (!this.move) return;
    const { id, ply, text } = this.move;
    const sent = this.send({ type: "move", id, ply, text });
    if (!sent && Date.now() - this.#since > POST_AFTER) this.#post();
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#try(), about(later(RESEND, this.#attempt), 0.2));
  }

  async #post() {
    if (this.#posting) return;
    this.#posting = true;
    try {
      const response = await fetch(this.postUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
        body: JSON.stringify(this.move),
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
    const move = this.move;
    clearTimeout(this.#timer);
    this.#since = 0;
    this.#keep(null);
    this.onAnswer(answer, move);
  }
}
