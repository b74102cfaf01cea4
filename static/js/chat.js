// The chat beside a match: the rooms that the viewer may read as tabs next to the moves, lines sent until they come back.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { t, tn } from "./i18n.js";
import { uuid } from "./socket.js";

const RESEND = 4_000;
/** Milliseconds after which a line that nobody answered is given back to whoever wrote it. */
const GIVE_UP = 30_000;
const KEPT = "tessera-match-tab";
const READ = "tessera-chat-read";
const MOST_KEPT = 50;
const ROOMS = { players: () => t("Chat"), spectators: () => t("Spectators") };

const clockTime = new Intl.DateTimeFormat(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit" });

/**
 * `page` is the page's data, of which `chat` is `{lines, read, say, phrases, url}`. `elements` are `{tabs, moves, chat, jump}`:
 * the row of tabs, the two panels that they show, and where a way to the chat stands that can be seen from the board.
 * `send(frame)` sends over the socket; `say(text)` speaks; `tile(seat)` draws a seat's colour; `wanted()` is whether
 * there is anybody to talk to.
 */
export class Chat {
  #lines = new Map();
  /** What was written and has not come back: per id `{room, text, phrase, since, accepted}`. */
  #unsent = new Map();
  #problems = {};
  #tab = "moves";
  #read;

  constructor({ match, position, chat }, elements, { send, say, tile, wanted }) {
    Object.assign(this, { elements, send, say, tile, wanted, rooms: chat.read, may: chat.say, phrases: chat.phrases, url: chat.url });
    for (const line of chat.lines) this.#lines.set(line.id, line);
    const newest = Math.max(0, ...this.#lines.keys());
    // To whoever only looks on, all that was said before is old.
    this.#read = new ReadUpTo(match, position.seat === null ? newest : 0);
    const kept = recalled(KEPT);
    if (this.tabs.includes(kept)) this.#tab = kept;
    setInterval(() => this.#resend(), RESEND);
    document.addEventListener("visibilitychange", () => this.draw());
    this.draw();
  }

  /** The rooms that have a tab, after that of the moves: none where there is nobody to talk to. */
  get tabs() {
    const used = new Set([...this.#lines.values()].map(({ room }) => room));
    return ["moves", ...this.rooms.filter((room) => room !== "players" || this.wanted() || used.has(room))];
  }

  /** Takes in what the server says: the rooms to read and to write in, and lines; one that is known already does no harm. */
  hear({ lines, read, say }) {
    Object.assign(this, { rooms: read, may: say });
    for (const line of lines) {
      if (this.#lines.has(line.id)) continue;
      this.#lines.set(line.id, line);
      if (line.you) this.#arrived(line);
      else if (!this.#read.knows(line)) this.say(this.#tab === line.room ? t("{name}: {text}", line) : t("{name} writes: {text}", line));
    }
    this.draw();
  }

  #unread(room) {
    return [...this.#lines.values()].filter((line) => line.room === room && !line.you && !this.#read.knows(line)).length;
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
    this.#problems[room] = problem;
    this.say(problem);
    const field = this.elements.chat.querySelector("input[name=text]");
    if (this.#tab === room && field && !field.value) field.value = text;
  }

  #write(room, text, phrase = "") {
    if (!text.trim() && !phrase) return;
    const id = uuid();
    delete this.#problems[room];
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
    keep(KEPT, tab);
    this.draw();
    this.elements.tabs.querySelector("[aria-selected=true]")?.focus();
  }

  draw() {
    const { elements, tabs } = this;
    if (!tabs.includes(this.#tab)) this.#tab = "moves";
    if (!document.hidden) for (const line of this.#lines.values()) if (line.room === this.#tab) this.#read.add(line);
    elements.moves.hidden = this.#tab !== "moves";
    elements.chat.hidden = this.#tab === "moves";
    render(tabs.map((tab) => this.#tabButton(tab, tabs)), elements.tabs);
    render(this.#tab === "moves" ? nothing : this.#room(this.#tab), elements.chat);
    render(this.#jump(), elements.jump);
    const list = elements.chat.querySelector(".chat-lines");
    if (list) list.scrollTop = list.scrollHeight;
  }

  #jump() {
    const [, ...rooms] = this.tabs;
    if (!rooms.length) return nothing;
    const unread = rooms.reduce((sum, room) => sum + this.#unread(room), 0);
    const go = () => {
      this.#choose(rooms.find((room) => this.#unread(room)) ?? (rooms.includes(this.#tab) ? this.#tab : rooms[0]));
      this.elements.tabs.scrollIntoView({ block: "start" });
    };
    return html`<button type="button" class=${unread ? "button-quiet chat-jump has-unread" : "button-quiet chat-jump"} @click=${go}>${t("Chat")}${unread
      ? html`<b class="unread" title=${tn("{n} new line", "{n} new lines", unread)}>${unread}</b>` : nothing}</button>`;
  }

  #tabButton(tab, tabs) {
    const chosen = tab === this.#tab;
    const unread = this.#unread(tab);
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

  #line({ id, seat, name, you, text, at }) {
    return html`<li class=${you ? "chat-line is-own" : "chat-line"} title=${clockTime.format(new Date(at))}>
      <b>${seat === null ? nothing : this.tile(seat)}${name}</b> ${text}${you ? nothing : this.#report(id, name)}</li>`;
  }

  #report(id, name) {
    const label = t("Report this line by {name}", { name });
    return html` <a class="chat-report" href=${`${this.url}${id}/report/`} title=${label} aria-label=${label}>⚑</a>`;
  }

  #form(room) {
    const submit = (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      this.#write(room, field.value);
      field.value = "";
    };
    const problem = this.#problems[room];
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

/** Up to which line somebody has read each room of a match, kept on this device for the matches read last. */
class ReadUpTo {
  constructor(match, before) {
    // With a letter before it: numbers would be put in their order, and the oldest must go first.
    Object.assign(this, { match: `m${match}`, before });
    this.all = recalled(READ) ?? {};
  }

  knows({ room, id }) {
    return id <= (this.all[this.match]?.[room] ?? this.before);
  }

  add(line) {
    if (this.knows(line)) return;
    const { [this.match]: mine, ...others } = recalled(READ) ?? {};
    const recent = Object.entries(others).slice(-MOST_KEPT);
    this.all = Object.fromEntries([...recent, [this.match, { ...mine, [line.room]: line.id }]]);
    keep(READ, this.all);
  }
}

function recalled(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage it holds as long as the page.
  }
}
