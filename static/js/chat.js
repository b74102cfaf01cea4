// The chat beside a match: the rooms that the viewer may read as tabs next to the moves, lines sent until they come back.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { t, tn } from "./i18n.js";
import { uuid } from "./socket.js";

const RESEND = 4_000;
/** Milliseconds after which a line that nobody answered is given back to whoever wrote it. */
const GIVE_UP = 30_000;
const KEPT = "tessera-match-tab";
const ROOMS = { players: () => t("Chat"), spectators: () => t("Spectators") };

const clockTime = new Intl.DateTimeFormat(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit" });

/**
 * `page` is the chat of the page's data: `{lines, read, say, phrases}`. `elements` are `{tabs, moves, chat}`: the row of tabs and the
 * two panels that they show. `send(frame)` sends over the socket; `say(text)` speaks; `colour(seat)` is a tile for a seat.
 */
export class Chat {
  #lines = new Map();
  /** What was written and has not come back: per id `{room, text, phrase, since, problem}`. */
  #unsent = new Map();
  #unread = new Map();
  #drafts = {};
  #tab = "moves";

  constructor(page, elements, { send, say, tile, wanted }) {
    Object.assign(this, { elements, send, say, tile, wanted, read: page.read, may: page.say, phrases: page.phrases });
    for (const line of page.lines) this.#lines.set(line.id, line);
    const kept = stored();
    if (this.rooms.includes(kept)) this.#tab = kept;
    setInterval(() => this.#resend(), RESEND);
    this.draw();
  }

  /** The rooms that have a tab: none where there is nobody to talk to. */
  get rooms() {
    return this.read.filter((room) => room !== "players" || this.wanted() || [...this.#lines.values()].some((line) => line.room === room));
  }

  /** Takes other rooms, as when the match is over. */
  open({ read, say, lines }) {
    Object.assign(this, { read, may: say });
    this.hear(lines, { silent: true });
  }

  /** Takes in lines of the server; a line that is known already comes twice without harm. */
  hear(lines, { silent = false } = {}) {
    for (const line of lines) {
      if (this.#lines.has(line.id)) continue;
      this.#lines.set(line.id, line);
      if (line.you) this.#arrived(line);
      else if (!silent) this.#news(line);
    }
    this.draw();
  }

  #news(line) {
    if (this.#tab === line.room && !document.hidden) this.say(t("{name}: {text}", line));
    if (this.#tab === line.room) return;
    const count = (this.#unread.get(line.room) ?? 0) + 1;
    this.#unread.set(line.room, count);
    this.say(t("{name} writes: {text}", line));
  }

  /** An own line came back: it stands for the one that waits, whichever of the two answers came first. */
  #arrived({ room, text, phrase }) {
    for (const [id, waiting] of this.#unsent) {
      if (waiting.room === room && (phrase ? waiting.phrase === phrase : waiting.text.trim() === text)) return this.#unsent.delete(id);
    }
    return false;
  }

  /** Takes in an answer of the server; whether it was to a line of this chat. */
  answered({ id, type, code, message }) {
    const line = this.#unsent.get(id);
    if (!line) return false;
    if (type === "ack") {
      line.accepted = true;
    } else if (type === "refused" && code !== "busy") {
      this.#unsent.delete(id);
      this.#giveBack(line, message);
    }
    this.draw();
    return true;
  }

  #giveBack({ room, text }, problem) {
    if (!this.#drafts[room]?.text) this.#drafts[room] = { text, problem };
    else this.#drafts[room].problem = problem;
    this.say(problem);
    const field = this.elements.chat.querySelector("input[name=text]");
    if (this.#tab === room && field && !field.value) field.value = text;
  }

  #write(room, text, phrase = "") {
    if (!text.trim() && !phrase) return;
    const id = uuid();
    delete this.#drafts[room];
    this.#unsent.set(id, { room, text, phrase, since: performance.now() });
    this.send({ type: "chat", id, room, text, phrase });
    this.draw();
  }

  /** Sends again what was not answered; called by itself now and then, and when the connection is back. */
  retry() {
    for (const [id, { room, text, phrase, accepted }] of this.#unsent) if (!accepted) this.send({ type: "chat", id, room, text, phrase });
  }

  #resend() {
    for (const [id, line] of this.#unsent) {
      if (performance.now() - line.since < GIVE_UP) continue;
      this.#unsent.delete(id);
      if (!line.accepted) this.#giveBack(line, t("This did not get through. Try again when the connection is back."));
    }
    this.retry();
  }

  // --- Drawing

  #choose(tab) {
    this.#tab = tab;
    this.#unread.delete(tab);
    try {
      localStorage.setItem(KEPT, tab);
    } catch {
      // Without storage the choice lives as long as the page.
    }
    this.draw();
    this.elements.tabs.querySelector("[aria-selected=true]")?.focus();
  }

  draw() {
    const tabs = ["moves", ...this.rooms];
    if (!tabs.includes(this.#tab)) this.#tab = "moves";
    const { elements } = this;
    elements.moves.hidden = this.#tab !== "moves";
    elements.chat.hidden = this.#tab === "moves";
    render(tabs.map((tab) => this.#tabButton(tab, tabs)), elements.tabs);
    render(this.#tab === "moves" ? nothing : this.#room(this.#tab), elements.chat);
    const list = elements.chat.querySelector(".chat-lines");
    if (list) list.scrollTop = list.scrollHeight;
  }

  #tabButton(tab, tabs) {
    const chosen = tab === this.#tab;
    const unread = this.#unread.get(tab) ?? 0;
    const step = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) this.#choose(tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]);
    };
    return html`<button type="button" role="tab" aria-selected=${String(chosen)} tabindex=${chosen ? 0 : -1} data-tab=${tab}
      aria-controls=${tab === "moves" ? "panel-moves" : "panel-chat"} @click=${() => this.#choose(tab)} @keydown=${step}>
      ${tab === "moves" ? t("Moves") : ROOMS[tab]()}${unread ? html`<b class="unread" title=${tn("{n} new line", "{n} new lines", unread)}>${unread}</b>` : nothing}</button>`;
  }

  #room(room) {
    const lines = [...this.#lines.values()].filter((line) => line.room === room).sort((one, other) => one.id - other.id);
    const unsent = [...this.#unsent.values()].filter((line) => line.room === room);
    return html`<ul class="chat-lines" tabindex="0" aria-label=${ROOMS[room]()}>
        ${lines.map((line) => this.#line(line))}
        ${unsent.map((line) => html`<li class="chat-line is-unsent">${line.phrase ? this.#phrase(line.phrase) : line.text} <small>${t("sending…")}</small></li>`)}
        ${lines.length + unsent.length ? nothing : html`<li class="soft chat-none">${room === "players" ? t("Say hello.") : t("Nobody has said anything yet.")}</li>`}
      </ul>${this.may.includes(room) ? this.#form(room) : html`<p class="chat-off soft">${t("You can read here. To write, sign in and keep this chat on in your settings.")}</p>`}`;
  }

  #phrase(key) {
    return this.phrases.find((phrase) => phrase.key === key)?.text ?? "";
  }

  #line({ seat, name, you, text, at }) {
    return html`<li class=${you ? "chat-line is-own" : "chat-line"} title=${clockTime.format(new Date(at))}>
      <b>${seat === null ? nothing : this.tile(seat)}${name}</b> ${text}</li>`;
  }

  #form(room) {
    const submit = (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      this.#write(room, field.value);
      field.value = "";
    };
    const problem = this.#drafts[room]?.problem;
    const pick = (event) => {
      event.target.closest("details").open = false;
      this.#write(room, "", event.target.value);
    };
    return html`${problem ? html`<p class="chat-problem" role="alert">${problem}</p>` : nothing}
      <form class="chat-form" @submit=${submit} autocomplete="off">
        <details class="chat-phrases"><summary class="button-quiet button-icon" aria-label=${t("Phrases")} title=${t("Phrases")}>…</summary>
          <div>${this.phrases.map(({ key, text }) => html`<button type="button" class="chat-phrase" value=${key} @click=${pick}>${text}</button>`)}</div></details>
        <input name="text" maxlength="300" aria-label=${t("Your words")} placeholder=${t("Write a line…")}>
        <button class="button-quiet">${t("Send")}</button>
      </form>`;
  }
}

function stored() {
  try {
    return localStorage.getItem(KEPT) ?? "moves";
  } catch {
    return "moves";
  }
}
