// What the Blockers! board says, on the screen and to screen readers.

import { t, tn } from "../js/i18n.js";

export const colourName = (key) =>
  ({ red: t("red"), yellow: t("yellow"), green: t("green"), blue: t("blue"), purple: t("purple") })[key] ?? key;

const SYMBOLS = {
  a: () => t("sun"), b: () => t("waves"), c: () => t("leaf"), d: () => t("column"), e: () => t("fish"),
  f: () => t("jug"), g: () => t("moon"), h: () => t("key"), i: () => t("anchor"), "*": () => t("star"),
};

/** What people call a tile: its letter, its number, or the name of its pictogram. */
export const tileName = (tile) => SYMBOLS[tile]?.() ?? tile;

/** Where a tile may lie. */
export function laneName(tile) {
  if (tile === "*") return t("anywhere");
  if (tile in SYMBOLS) return t("in the {symbol} area", { symbol: tileName(tile) });
  return tile >= "1" && tile <= "9" ? t("in column {number}", { number: tile }) : t("in row {letter}", { letter: tile });
}

export const colouredTile = (key, tile) => t("{colour} {tile}", { colour: colourName(key), tile: tileName(tile) });

export const arrow = ([before, after]) => `${before}\u2009→\u2009${after}`;

/** A change spelt for the ear. */
export const change = ([before, after]) => (before === after ? t("{n} as before", { n: after }) : t("{before} to {after}", { before, after }));

export const groupsOf = (n) => tn("{n} group", "{n} groups", n);

export const placesOf = (n) => (n === 0 ? t("nowhere to play it now") : tn("{n} place", "{n} places", n));
