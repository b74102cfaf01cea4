// Keeps a page in touch with its match: reconnects, beats, asks, and measures the server's time.

import { ServerTime } from "./clock.js";

const BEAT = 5_000;
/** While the viewer's own clock runs, and the time shown must be right. */
const QUICK_BEAT = 2_000;
const SILENCE = 12_000;
/** Ticks of one second that are further apart than this mean that the page was asleep. */
const SLEPT = 5_000;
const ANSWER = 4_000;
/** How long a question waits for its answer. */
const PATIENCE = 8_000;
const RECONNECT = [300, 1_000, 2_000, 4_000, 8_000];
const CLOSED_FOR_GOOD = new Map([[4001, "signed-out"], [4404, "gone"]]);

/** The delay before an attempt, counted from 0; the last one of the list holds for all further ones. */
export const later = (delays, attempt) => delays[Math.min(attempt, delays.length - 1)];
/** A duration spread by a share of itself, so that not all pages come at once. */
export const about = (ms, share) => ms * (1 + share * (2 * Math.random() - 1));

/** A random UUID; `crypto.randomUUID` is missing where the page came over plain http. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * The socket of one match. `on.position(payload)` for each position, `on.answer(frame)` for `received`, `ack` and `refused`,
 * `on.state(word)` when the connection becomes `connecting`, `live`, `offline`, `signed-out` or `gone`; `on.opened()`,
 * `on.chat({lines, read, say})` and `on.presence({here, watching})` where they are given. `version()` is the newest version the page
 * shows; `hurried()` says whether to beat often.
 */
export class Connection {
  #socket = null;
  #attempt = 0;
  #heard = 0;
  #ticked = performance.now();
  #timer = null;
  #questions = new Map();
  /** When the beat was sent that is not yet answered, for its round trip; `null` without one. */
  #beaten = null;
  #beatAt = 0;

  constructor({ path, version, on, hurried = () => false }) {
    Object.assign(this, { path, version, on, hurried, state: null });
    this.time = new ServerTime();
    /** When the connection was last known to work, or the page came up; by `performance.now()`. */
    this.liveAt = performance.now();
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
    this.#heard = performance.now();
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

  /** Sends a frame that is answered under its id; the answer, or `null` when there is none in time. */
  ask(frame) {
    const id = uuid();
    if (!this.send({ ...frame, id })) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      setTimeout(() => this.#settle(id, null), PATIENCE);
    });
  }

  /** Why the server would refuse a move; `null` when it would not, or when it cannot be asked now. */
  async why(text) {
    return (await this.ask({ type: "why", text }))?.message ?? null;
  }

  /** Asks for the position again: what the viewer may do can change without a new version. */
  refresh() {
    this.#beat(-1);
  }

  #settle(id, answer) {
    this.#questions.get(id)?.(answer);
    return this.#questions.delete(id);
  }

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.on.state(state);
  }

  #opened(socket) {
    if (socket !== this.#socket) return;
    // Nothing counts as live before the server has spoken: a proxy may accept for a server that is gone.
    this.time.restart();
    this.#beaten = null;
    this.#beat(-1);
    this.on.opened?.();
  }

  #beat(version) {
    const now = performance.now();
    this.#beatAt = now;
    // Of two beats under way nobody knows which one an answer belongs to, so only one is timed.
    if (this.send({ type: "beat", version }) && this.#beaten === null) this.#beaten = { at: now, alone: true };
    else if (this.#beaten) this.#beaten.alone = false;
  }

  #hear(frame) {
    this.#heard = performance.now();
    this.#attempt = 0;
    this.liveAt = this.#heard;
    this.#become("live");
    if (frame.type === "position") this.on.position(frame);
    else if (frame.type === "beat") this.#beatAnswered(frame);
    else if (frame.type === "chat") this.on.chat?.(frame);
    else if (frame.type === "presence") this.on.presence?.(frame);
    else if (frame.type !== "received" && this.#settle(frame.id, frame)) return;
    else if (["received", "ack", "refused"].includes(frame.type)) this.on.answer(frame);
  }

  #beatAnswered(frame) {
    this.send({ type: "echo", mark: frame.mark });
    if (this.#beaten?.alone) this.time.heard(Date.parse(frame.now), this.#beaten.at, this.#heard);
    this.#beaten = null;
    this.on.presence?.(frame);
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
    const now = performance.now();
    const slept = now - this.#ticked > SLEPT;
    this.#ticked = now;
    if (slept) {
      // A hidden tab or a lid: we asked nothing meanwhile, so silence proves nothing yet, and clocks may have stood still.
      this.time.restart();
      this.#beaten = null;
      this.#beat(this.version());
      this.#heard = Math.max(this.#heard, now - SILENCE + ANSWER);
    } else if (this.#socket && now - this.#heard > SILENCE) {
      this.#again(0);
    } else if (this.#live && now - this.#beatAt > (this.hurried() ? QUICK_BEAT : BEAT) - 500) {
      this.#beat(this.version());
    }
  }

  #reset() {
    if (this.state !== "signed-out" && this.state !== "gone") this.#again(about(RECONNECT[0], 0.5));
  }

  #hurry() {
    if (this.state === "offline") this.#again(0);
  }
}
