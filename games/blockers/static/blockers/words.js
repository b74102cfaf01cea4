// What the Blockers! board says, on the screen and to screen readers.

import { t, tn } from "../js/i18n.js";

export const colourName = (key) =>
  ({ red: t("red"), yellow: t("yellow"), green: t("green"), blue: t("blue"), purple: t("purple") })[key] ?? key;

const SYMBOLS = {
  a: () => t("sun"), b: () => t("waves"), c: () => t("leaf"), d: () => t("pillar"), e: () => t("fish"),
  f: () => t("jug"), g: () => t("moon"), h: () => t("key"), i: () => t("anchor"), "*": () => t("star"),
};

/** What people call a tile: its letter, its number, or the name of its pictogram. */
export const tileName = (tile) => SYMBOLS[tile]?.() ?? tile;

const isNumber = (tile) => tile >= "1" && tile <= "9";

/** Where a tile goes. */
export function laneOf(tile) {
  if (tile === "*") return t("goes anywhere");
  if (tile in SYMBOLS) return t("goes into the {symbol} area", { symbol: tileName(tile) });
  return isNumber(tile) ? t("goes into column {number}", { number: tile }) : t("goes into row {letter}", { letter: tile });
}

export const colouredTile = (key, tile) => t("{colour} {tile}", { colour: colourName(key), tile: tileName(tile) });

export const placesOf = (n) => (n === 0 ? t("nowhere to play it now") : tn("{n} place", "{n} places", n));

export const tileTitle = (key, tile, places) =>
  [colouredTile(key, tile), laneOf(tile), places === null ? "" : placesOf(places)].filter(Boolean).join(", ");

export const leftInPile = (n) => (n ? tn("{n} in the pile", "{n} in the pile", n) : t("pile empty"));

export const groupsOf = (n) => tn("{n} group", "{n} groups", n);

export const arrow = ([before, after]) => `${before}\u202f→\u202f${after}`;

/** A change spelt for the ear. */
const heard = ([before, after]) => (before === after ? t("stays {n}", { n: after }) : t("{before} to {after}", { before, after }));

/** What a move would change, as a list of `{colour, label, change, kind}`; `taken` is how many of the captured colour there are already. */
export function effects(entry, colours, taken) {
  const list = [{ colour: colours[entry.colour], label: t("groups"), change: entry.groups }];
  if (entry.captures) {
    const colour = colours[entry.captures.colour];
    list.push({ colour, label: t("groups"), change: entry.captures.groups }, { colour, label: t("captured"), change: [taken, taken + 1] });
  }
  return [...list, { colour: null, label: t("score"), change: entry.score }];
}

/** The same as one sentence. */
export const effectsHeard = (list) =>
  list.map(({ colour, label, change }) => [colour && colourName(colour), label, heard(change)].filter(Boolean).join(" ")).join(", ");

export const capital = (sentence) => sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);

/** One line for the bar that asks to confirm; what it costs stands below the board. */
export function summary(entry, grid) {
  const names = { tile: tileName(entry.tile), cell: grid.name(entry.cell) };
  if (!entry.captures) return capital(t("{tile} on {cell}", names));
  return capital(t("{tile} on {cell}, takes {captured}", { ...names, captured: colouredTile(grid.colours[entry.captures.colour], entry.captures.tile) }));
}

export function standing(kind) {
  return { legal: t("allowed"), illegal: t("not allowed"), planned: t("planned for your turn") }[kind] ?? "";
}

/** What lies on a cell: `empty`, or the tile and the size of its group. */
export function onCell(view, cell) {
  const there = view.cells[cell];
  if (!there) return t("empty");
  const { key, groups } = view.colours[there.colour];
  const size = groups.find((group) => group.includes(cell)).length;
  return tn("{tile}, alone", "{tile}, in a group of {n}", size, { tile: colouredTile(key, there.tile) });
}

/** A placement, as somebody else made it. */
export function played(last, grid) {
  const names = { tile: colouredTile(grid.colours[last.colour], last.tile), cell: grid.name(last.cell) };
  if (!last.captured) return t("{tile} played on {cell}.", names);
  return t("{tile} played on {cell}, capturing {captured}.", { ...names, captured: colouredTile(grid.colours[last.captured.colour], last.captured.tile) });
}

/** What somebody who cannot see the board needs: the score of each and what it is made of. */
export function survey(view, ownerName) {
  return view.standing.map(({ groups, captured, score }, seat) =>
    t("{player}: {groups} groups plus {captured} captured make {score}.", { player: ownerName(seat), groups, captured, score })).join(" ");
}

/** A chance ply in a list: the deal, a draw one may see, or a hidden one. */
export function drawnLabel(text) {
  if (text.includes(" ")) return t("the tiles are dealt");
  const tile = /^=[a-z]:(.)$/.exec(text)?.[1];
  return tile && tile !== "?" ? t("draws {tile}", { tile: tileName(tile) }) : t("draws a tile");
}

/** The keys and what they do, for the legend. */
export const keyLegend = () => [
  ["A – I, 1 – 9", t("take that letter or number; a letter again for the pictogram of that area, or for your other colour")],
  ["*", t("take the star")],
  [t("Space, Shift Space"), t("next or previous tile; + and − do the same")],
  [t("Arrows"), t("move over the board, with Shift by three squares")],
  ["N, Shift N", t("go to the next or previous square where the tile may be played")],
  ["Enter", t("put the tile down, again to play it; where it may not go, say why")],
  ["Esc", t("take back")],
  ["R", t("say what lies on the square")],
  ["S", t("say the scores")],
  ["L", t("say the last move")],
  ["?", t("this list")],
];
