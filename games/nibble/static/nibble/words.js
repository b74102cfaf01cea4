// What the Nibble board says, on the screen and to screen readers.

import { t, tn } from "../js/i18n.js";

/** `c5, green leaf`, the way a block is named aloud. */
export const blockName = (name, hue) => t("{cell}, {colour} {sign}", { cell: name, colour: hue.name, sign: hue.sign });

export const standing = (kind) => ({
  chosen: t("chosen"), joins: t("may join"), free: t("may be taken"), fixed: t("cannot be taken now"), empty: t("empty"),
})[kind];

export const turnHint = () => t("Your turn: take raised blocks of one colour.");
export const notYourTurn = () => t("It is not your turn yet.");

/** How a seat is called: the name, or its number where the page does not tell it. */
export function seatName(position, seat) {
  const known = position.seats?.[seat];
  return known?.you ? t("You") : known?.name ?? t("Player {n}", { n: seat + 1 });
}

const isYou = (position, seat) => Boolean(position.seats?.[seat]?.you);

/** The line about what is chosen and how many more may come along. */
export function chosenLine(choice, hue, joining) {
  const chosen = tn("{n} {colour} block chosen", "{n} {colour} blocks chosen", choice.cells.length, { colour: hue.name });
  return joining ? `${chosen}. ${tn("{n} more may join.", "{n} more may join.", joining)}` : `${chosen}.`;
}

/** What a move would lead to, for the bar that asks to confirm. */
export function summary(count, hue, after, { data, wins }) {
  const take = t("{n} {colour}: you then have {after} of {all}", { n: count, colour: hue.name, after, all: data.all });
  if (wins) return t("{sentence}, and win.", { sentence: take });
  return after >= data.majority && after - count < data.majority ? t("{sentence}, the majority.", { sentence: take }) : `${take}.`;
}

const list = (parts) => new Intl.ListFormat(document.documentElement.lang || "en", { type: "conjunction" }).format(parts);

const needed = (threat, hues) => list([...threat.colours].flatMap((letter, i) =>
  (threat.needs[i] > 0 ? [t("{n} {colour}", { n: threat.needs[i], colour: hues[letter].name })] : [])));

/** A chance of one's own that the next move can take. */
export const winNow = (threat, hues) => t("You can win now: take {needs}.", { needs: needed(threat, hues) });

/** A warning: what a seat still needs to win at once. */
export function threatLine(threat, position, hues) {
  const names = { name: seatName(position, threat.seat), needs: needed(threat, hues) };
  const you = isYou(position, threat.seat);
  if (threat.kind === "all") return you ? t("You still need {needs} to win at once.", names) : t("{name} still needs {needs} to win at once.", names);
  return you
    ? t("You still need {needs} to win with three colours in a row.", names)
    : t("{name} still needs {needs} to win with three colours in a row.", names);
}

/** How the match was won. */
export function wonLine(won, position, hues, data) {
  const name = seatName(position, won.seat);
  const colours = list([...won.colours].map((letter) => hues[letter].name));
  const you = isYou(position, won.seat);
  if (won.kind === "all") return you ? t("You have every {colour} block.", { colour: colours }) : t("{name} has every {colour} block.", { name, colour: colours });
  if (won.kind === "triple") {
    const names = { name, n: data.triple, colours };
    return you ? t("You have at least {n} each of {colours}.", names) : t("{name} has at least {n} each of {colours}.", names);
  }
  return you ? t("You have the majority in more colours.") : t("{name} has the majority in more colours.", { name });
}

/** The last move as a sentence. */
export function lastLine(last, position, hues, cells) {
  const names = { colour: hues[last.colour].name, cells: last.cells.map((cell) => cells.names[cell]).join(" ") };
  return isYou(position, last.seat)
    ? t("You took {colour}: {cells}.", names)
    : t("{name} took {colour}: {cells}.", { name: seatName(position, last.seat), ...names });
}

/** What somebody who cannot see the board needs to go on: what may be taken, colour by colour. */
export function survey(pickable, view, hues, cells) {
  const byColour = new Map();
  for (const cell of pickable) byColour.set(view.cells[cell], [...(byColour.get(view.cells[cell]) ?? []), cells.names[cell]]);
  const parts = [...byColour].sort().map(([letter, names]) => t("{colour}: {cells}", { colour: hues[letter].name, cells: names.join(" ") }));
  return parts.length ? t("May be taken: {list}.", { list: parts.join("; ") }) : t("Nothing may be taken now.");
}

/** The keys and what they do, for the legend. */
export const keyLegend = (hexagonal) => [
  [t("Arrows"), hexagonal
    ? t("go to the next block: left, right, up to the right, down to the left")
    : t("go to the next block")],
  ...(hexagonal ? [[t("Shift ↑, Shift ↓"), t("up to the left, down to the right")]] : []),
  ["N, Shift N", t("go to the next or previous block that may be taken or may join")],
  [t("Space"), t("choose the block, or lay it back")],
  ["A", t("choose as many of the colour as possible")],
  ["Enter", t("take what is chosen")],
  ["Esc", t("choose nothing")],
  ["B", t("say all that may be taken")],
  ["W", t("say the warnings")],
  ["?", t("this list")],
];
