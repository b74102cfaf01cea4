// The socket over which the server tells how analyses go on. It opens when something is followed, and again when it was lost.

import { later } from "../socket.js";

const PATH = "/ws/analysis/";
const RECONNECT = [500, 1_000, 2_000, 5_000, 10_000];
/** Milliseconds of silence after which the page asks again by itself. */
const SILENCE = 15_000;

/** `on` has a function for each type of frame, and `again()` for when something may have been missed. */
export class Wire {
  #socket = null;
  #attempt = 0;
  #timer = null;
  #keys = new Set();

  constructor(on) {
    this.on = on;
  }

  /** Follows what becomes of the analysis of that key. */
  follow(key) {
    this.#keys.add(key);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send(key);
    else if (!this.#socket) this.#open();
    this.#listen();
  }

  #open() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${PATH}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      for (const key of this.#keys) this.#send(key);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => this.#closed();
  }

  #send(key) {
    this.#socket.send(JSON.stringify({ type: "follow", key }));
  }

  #hear(frame) {
    this.#listen();
    if (frame.type !== "progress") this.#keys.delete(frame.key);
    this.on[frame.type]?.(frame);
  }

  #closed() {
    this.#socket = null;
    if (!this.#keys.size) return;
    setTimeout(() => {
      if (this.#socket) return;
      this.#open();
      this.on.again();
    }, later(RECONNECT, this.#attempt++));
  }

  /** A worker or a wake-up that was lost is noticed by the silence; where nothing is awaited, it ends the connection. */
  #listen() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#keys.size) return this.#socket?.close();
      this.on.again();
      return this.#listen();
    }, SILENCE);
  }
}
