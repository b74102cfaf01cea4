// What the players of a match ask of each other: the open offers above the bar, the menu of wishes, and the call of time.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { short } from "./clock.js";
import { t } from "./i18n.js";

/** Per kind of offer the sentence for those who are asked, and for whoever asked. */
const ASKED = {
  abort: (names) => t("{name} asks to call the match off.", names),
  takeback: (names) => t("{name} asks to take back to move {to}: {what}.", names),
  pause: (names) => t("{name} asks for a pause.", names),
  rematch: (names) => t("{name} would like a rematch.", names),
};
const OWN = {
  abort: (names) => t("You asked to call the match off.", names),
  takeback: (names) => t("You asked to take back to move {to}: {what}.", names),
  pause: (names) => t("You asked for a pause.", names),
  rematch: (names) => t("You would like a rematch.", names),
};

/** Which moves a takeback would undo: `his last move` where it is one, else how many. */
function undone(position, { by, to }) {
  const name = position.seats[by].name;
  const count = position.ply - to;
  if (count === 1) return position.seats[by].you ? t("your last move") : t("the last move of {name}", { name });
  return t("{count} moves would be undone", { count });
}

/** The sentence of an open offer, as the viewer is concerned. */
export function offerSentence(position, kind) {
  const offer = position.offers[kind];
  const names = { name: position.seats[offer.by].name, to: offer.to, what: kind === "takeback" ? undone(position, offer) : "" };
  return (offer.by === position.seat ? OWN : ASKED)[kind](names);
}

/** Whom an open offer still waits for, when that is not plain: in matches of three and more. */
function awaited(position, offer) {
  if (position.seats.length < 3) return "";
  const names = position.seats.filter(({ seat, kind, left }) => !left && ["person", "guest"].includes(kind) && !offer.agreed.includes(seat)).map(({ name }) => name);
  return names.length ? t("Waiting for: {names}", { names: names.join(", ") }) : "";
}

/** The offers that came since an earlier position, by others than the viewer. */
export const freshOffers = (before, position) =>
  Object.keys(position.offers).filter((kind) => !before.offers[kind] && position.offers[kind].by !== position.seat && position.seat !== null);

/**
 * The strip above the bar. `act(frame)` asks the server for something; `address` is that of the match.
 * `draw({position, now, note})`: `note` is a sentence about what happened.
 */
export class Offers {
  #element;
  #act;
  #address;

  constructor(element, { act, address }) {
    this.#element = element;
    this.#act = act;
    this.#address = address;
  }

  draw({ position, now, note }) {
    const playing = position.seat !== null;
    const open = Object.keys(position.offers).filter((kind) => kind !== "rematch");
    render(html`${note ? html`<p class="offer offer-note">${note}</p>` : nothing}
      ${position.clock?.paused && position.status === "running" ? this.#pause(position) : nothing}
      ${open.map((kind) => this.#offer(position, kind, playing))}
      ${now === null ? nothing : Object.entries(position.may.call_at ?? {}).map(([seat, at]) => this.#call(position, Number(seat), Date.parse(at) - now))}
      ${(position.may.take_over ?? []).map((seat) => this.#seat(position, seat))}`, this.#element);
  }

  #offer(position, kind, playing) {
    const offer = position.offers[kind];
    const agreed = playing && offer.agreed.includes(position.seat);
    const wait = awaited(position, offer);
    return html`<div class="offer" data-offer=${kind}><p>${offerSentence(position, kind)}${wait ? html` <small>${wait}</small>` : nothing}</p>
      ${playing ? html`<div class="offer-buttons">${agreed ? nothing : this.#button(t("Accept"), { type: "offer", kind }, "button")}
        ${this.#button(offer.by === position.seat ? t("Withdraw") : t("Decline"), { type: "decline", kind })}</div>` : nothing}</div>`;
  }

  #pause(position) {
    return html`<div class="offer" data-offer="paused"><p>${t("Paused: the clocks stand still.")}</p>
      ${position.may.resume ? html`<div class="offer-buttons">${this.#button(t("Go on"), { type: "resume" }, "button")}</div>` : nothing}</div>`;
  }

  #call(position, seat, wait) {
    const { name } = position.seats[seat];
    const text = wait > 0
      ? t("{name} is away. You may call the time in {time}.", { name, time: short(wait, false) })
      : position.seats.length > 2
        ? t("{name} is away. If you call the time, a bot plays on in that seat.", { name })
        : t("{name} is away. If you call the time, the match ends and you win.", { name });
    return html`<div class="offer" data-offer="call"><p>${text}</p>
      ${wait > 0 ? nothing : html`<div class="offer-buttons">${this.#button(t("Call the time"), { type: "call_time", seat })}</div>`}</div>`;
  }

  #seat(position, seat) {
    // A plain form: somebody new becomes a guest by it, and the page then comes with a board to play on.
    return html`<div class="offer" data-offer="seat"><p>${t("The seat of {name} is free.", { name: position.seats[seat].name })}</p>
      <div class="offer-buttons"><button class="button" form="wishes" formaction=${`${this.#address}take/${seat}/`}>${t("Sit down here")}</button></div></div>`;
  }

  #button(text, frame, look = "button-quiet") {
    return html`<button type="button" class=${look} @click=${() => this.#act(frame)}>${text}</button>`;
  }
}

/**
 * The plain forms whose buttons go over the socket while it is open: each has `data-frame` and maybe `data-kind`, or
 * `data-opens`, the id of a dialog that asks first. `act(frame)` asks the server; `live()` is whether it can be asked.
 */
export class Wishes {
  #menu;

  constructor(root, { menu, act, live }) {
    this.#menu = menu;
    root.addEventListener("submit", (event) => this.#submitted(event, root, act, live));
    document.addEventListener("click", (event) => menu.open && !menu.contains(event.target) && (menu.open = false));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }

  #submitted(event, root, act, live) {
    const button = event.submitter;
    const dialog = event.target.closest("dialog");
    if (!button || button.formMethod === "dialog") return;
    const { frame, kind, opens } = { ...dialog?.dataset, ...button.dataset };
    if (opens) root.querySelector(`#${opens}`).showModal();
    else if (frame && live()) act(kind ? { type: frame, kind } : { type: frame });
    else return;
    event.preventDefault();
    dialog?.close();
    this.#menu.open = false;
  }

  /** Shows the wishes that would be granted now, and no menu when there is none. */
  show({ may, offers }) {
    const buttons = [...this.#menu.querySelectorAll("[data-may]")];
    for (const button of buttons) button.hidden = !may[button.dataset.may] || Boolean(offers[button.dataset.kind]);
    this.#menu.hidden = buttons.every((button) => button.hidden);
  }
}
