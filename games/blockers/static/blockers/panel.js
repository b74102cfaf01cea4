// Beside the Blockers! board: what each score is made of, captured tiles, everybody's racks and piles, and what has not been seen yet.

import { figure } from "./symbols.js";
import { html, smallTile } from "../js/dom.js";
import { colourName, colouredTile, groupsOf, leftInPile, tileName } from "./words.js";
import { t, tn } from "../js/i18n.js";

const ALL = "ABCDEFGHI123456789abcdefghi*";

/** How many groups each colour has, as buttons that number them on the board. */
export class Tally {
  constructor(grid, onShine) {
    this.onShine = onShine;
    this.pressed = null;
    this.counts = grid.colours.map(() => html("b", {}));
    this.buttons = grid.colours.map((key, colour) => html("button", {
      type: "button", class: "bl-count", "aria-pressed": "false",
      onclick: () => this.#press(colour), onpointerenter: (event) => event.pointerType === "mouse" && onShine(colour), onpointerleave: () => onShine(this.pressed),
    }, smallTile(key), this.counts[colour]));
    this.grid = grid;
    this.element = html("div", { class: "bl-tally", role: "group", "aria-label": t("Groups") }, html("span", { class: "bl-tally-name" }, t("Groups")), ...this.buttons);
  }

  show(view) {
    view.colours.forEach(({ key, groups }, colour) => {
      this.counts[colour].textContent = String(groups.length);
      const label = `${colourName(key)}: ${groupsOf(groups.length)}. ${t("Press to number them on the board.")}`;
      this.buttons[colour].title = label;
      this.buttons[colour].setAttribute("aria-label", label);
    });
  }

  #press(colour) {
    this.pressed = this.pressed === colour ? null : colour;
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.pressed)));
    this.onShine(this.pressed);
  }
}

export class Panel {
  /** `own` shows the racks of `seat` here, too, where nothing else does. */
  constructor(grid, seat, { own }) {
    this.grid = grid;
    this.seat = seat;
    this.own = own;
    this.scores = html("ul", { class: "bl-scores" });
    this.played = html("progress", { max: 100, "aria-label": t("Played so far") });
    this.unseen = html("div", { class: "bl-unseen" });
    this.details = html("details", { class: "bl-details" }, html("summary", {}, t("Tiles not seen yet")), this.unseen);
    this.details.addEventListener("toggle", () => this.#showUnseen());
    this.square = html("section", { class: "bl-square", "aria-label": t("The square pointed at") });
    this.element = html("div", { class: "board-side bl-side-panel" },
      html("h2", { class: "label bl-heading" }, t("Scores"), html("small", {}, t("the lowest wins"))),
      html("p", { class: "bl-explained" }, t("Own groups, and captured tiles of the colour captured most.")),
      this.scores, this.played, this.square, this.details);
  }

  /** What a seat is called here: its colours. */
  ownerName(seat) {
    const names = this.grid.colours.filter((_, colour) => this.grid.seats[colour] === seat).map(colourName);
    return names.length === 2 ? t("{one} and {other}", { one: names[0], other: names[1] }) : names[0];
  }

  show(view) {
    this.view = view;
    this.scores.replaceChildren(...view.standing.map((_, seat) => this.#seat(seat)));
    this.played.value = view.progress;
    this.played.title = t("{n} % played", { n: view.progress });
    this.#showUnseen();
  }

  #seat(seat) {
    const { standing, captured, colours } = this.view;
    const { groups, captured: most, score } = standing[seat];
    const own = colours.filter((colour) => colour.seat === seat);
    return html("li", { class: `bl-seat${seat === this.seat ? " is-you" : ""}` },
      html("div", { class: "bl-sum" },
        html("span", { class: "bl-owner" }, ...own.map(({ key }) => smallTile(key)), html("span", {}, this.ownerName(seat))),
        html("span", { class: "bl-terms", role: "img", "aria-label": t("{groups} groups plus {captured} captured make {score}", { groups, captured: most, score }) },
          `${groups} + ${most} = `, html("b", {}, String(score)))),
      this.#captured(captured[seat], most),
      ...own.filter(({ rack }) => rack === null || seat !== this.seat || this.own).map((colour) => this.#rack(colour)));
  }

  /** The captured tiles, colour by colour, the colour that counts marked. */
  #captured({ tiles, by_colour: counts }, most) {
    if (!tiles.length) return "";
    // Where several colours are equal, one of them counts.
    const counted = counts.indexOf(most);
    const piles = counts.flatMap((count, colour) => {
      if (!count) return [];
      const key = this.grid.colours[colour];
      const own = tiles.filter((tile) => tile.colour === colour).map(({ tile }) => tile).sort((a, b) => ALL.indexOf(a) - ALL.indexOf(b));
      const label = tn("{n} {colour} tile captured: {tiles}", "{n} {colour} tiles captured: {tiles}", count, { colour: colourName(key), tiles: own.map(tileName).join(", ") });
      return [html("span", { class: `bl-taken${colour === counted ? " is-most" : ""}`, role: "img", "aria-label": label, title: label },
        html("span", { class: "bl-fan" }, ...own.map((tile) => figure(key, tile))), html("b", {}, String(count)))];
    });
    return html("div", { class: "bl-captured" }, ...piles);
  }

  /** A rack as others see it: backs, or the tiles once they lie open. */
  #rack({ key, rack, rack_size: size, pile, stopped }) {
    const tiles = rack === null ? Array(size).fill(null) : [...rack];
    const label = rack === null ? tn("{colour}: {n} tile on the rack", "{colour}: {n} tiles on the rack", size, { colour: colourName(key) })
      : t("{colour} rack: {tiles}", { colour: colourName(key), tiles: tiles.map(tileName).join(", ") });
    return html("div", { class: "bl-other-rack" },
      html("span", { class: "bl-backs", role: "img", "aria-label": label }, ...tiles.map((tile) => figure(key, tile))),
      html("span", { class: "bl-pile" }, stopped ? t("stopped") : leftInPile(pile)));
  }

  #showUnseen() {
    if (!this.details.open || !this.view) return;
    this.unseen.replaceChildren(...this.view.unseen.map((left, colour) => {
      const key = this.grid.colours[colour];
      const label = `${colourName(key)}: ${[...left].map(tileName).join(", ") || t("none")}`;
      return html("div", { class: "bl-unseen-colour", role: "img", "aria-label": label },
        ...[...ALL].map((tile) => {
          const drawing = figure(key, tile);
          drawing.classList.toggle("is-seen", !left.includes(tile));
          return drawing;
        }));
    }));
  }

  /** A square someone points at: what lies there, and which tiles not seen yet may still come there. */
  point(cell, sentence) {
    if (cell === null || !this.view) return this.square.replaceChildren(html("p", { class: "soft" }, t("Point at a square to see which tiles may still come there.")));
    const coming = this.view.unseen.flatMap((left, colour) => [...left].filter((tile) => this.grid.points(tile, cell)).map((tile) => [colour, tile]));
    const names = coming.map(([colour, tile]) => colouredTile(this.grid.colours[colour], tile));
    const tiles = coming.map(([colour, tile], i) => html("span", { title: names[i] }, figure(this.grid.colours[colour], tile)));
    return this.square.replaceChildren(
      html("p", {}, html("b", {}, this.grid.name(cell)), ` ${sentence}`),
      html("p", { class: "bl-coming-name" }, coming.length ? t("May still come here:") : t("No tile that is still unseen belongs here.")),
      html("div", { class: "bl-coming", role: "img", "aria-label": names.join(", ") }, ...tiles));
  }
}
