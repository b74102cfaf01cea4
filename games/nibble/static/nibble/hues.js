// The thirteen glazes and the sign that each of them always carries, by the colour words of the rules.

import { t } from "../js/i18n.js";

const ORDER = ["white", "yellow", "orange", "red", "pink", "purple", "blue", "teal", "green", "lime", "brown", "grey", "black"];

/** The word for a hue and for its sign. */
const WORDS = {
  white: () => [t("white"), t("moon")],
  yellow: () => [t("yellow"), t("sun")],
  orange: () => [t("orange"), t("triangle")],
  red: () => [t("red"), t("heart")],
  pink: () => [t("pink"), t("flower")],
  purple: () => [t("purple"), t("diamond")],
  blue: () => [t("blue"), t("drop")],
  teal: () => [t("teal"), t("waves")],
  green: () => [t("green"), t("leaf")],
  lime: () => [t("lime"), t("arrows")],
  brown: () => [t("brown"), t("frame")],
  grey: () => [t("grey"), t("cross")],
  black: () => [t("black"), t("saltire")],
};

/** The hues of a board by letter: `{key, name, sign}`; `key` is the last part of the class and of the symbol's id. */
export function huesOf(data) {
  const letters = [...data.colours];
  const taken = new Set(letters.map((letter) => data.names[letter]).filter((name) => name in WORDS));
  const spare = ORDER.filter((name) => !taken.has(name));
  return Object.fromEntries(letters.map((letter) => {
    const known = data.names[letter] in WORDS;
    const key = known ? data.names[letter] : spare.shift();
    const [name, sign] = WORDS[key]();
    return [letter, { letter, key, name: known ? name : data.names[letter], sign }];
  }));
}
