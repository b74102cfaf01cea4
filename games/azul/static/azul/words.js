// What the Azul board says, on the screen and to screen readers.

import { MARKER, colourName, counts } from "./tiles.js";
import { t, tn } from "../js/i18n.js";

/** A number as people write it: with a true minus sign, and a plus where it is a gain. */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : "0");
export const plain = (n) => String(n).replace("-", "\u2212");

export const sourceName = (source) => (source === "c" ? t("the centre") : t("factory {n}", { n: source }));
export const lineName = (line) => (line === "f" ? t("the floor") : t("line {n}", { n: line }));

/** `2 blue` */
export const tilesOf = (n, colour) => t("{n} {colour}", { n, colour: colourName(colour) });
export const takeLabel = (n, colour, source) => t("{tiles}, {source}", { tiles: tilesOf(n, colour), source: sourceName(source) });

export const nameOf = (position, seat) => {
  const one = position.seats?.[seat];
  return one ? one.name : t("Player {n}", { n: seat + 1 });
};

/** What tiles a text stands for, `2 blue, 1 red`. */
export const heap = (text) => counts(text).map(([letter, n]) => tilesOf(n, letter)).join(", ") || t("nothing");

/** One line for the bar that asks to confirm. */
export function summary(entry) {
  if (entry.column) {
    return t("Line {line} goes to column {column}: {points}", { line: entry.line, column: entry.column, points: points(entry.points) });
  }
  const names = { tiles: tilesOf(entry.count, entry.colour), n: entry.line };
  return `${entry.line === "f" ? t("{tiles} to the floor", names) : t("{tiles} to line {n}", names)}: ${effect(entry)}`;
}

export const points = (n) => tn("{n} point", "{n} points", n);

/** What a placement does: full or not, what falls, what it brings at the end of the round. */
export function effect(entry) {
  const parts = [];
  if (entry.line !== "f" && entry.points !== null) parts.push(t("full, {points} at the round’s end", { points: signed(entry.points) }));
  else if (entry.line !== "f") parts.push(entry.full ? t("full") : tn("{n} placed", "{n} placed", entry.fills));
  if (entry.falls) parts.push(tn("{n} falls", "{n} fall", entry.falls));
  if (entry.marker) parts.push(t("with the starting marker"));
  if (entry.cost) parts.push(t("floor {cost}", { cost: signed(entry.cost) }));
  return parts.join(", ");
}

/** What a take leaves to the others, and what the seat would have if the round ended after it. */
export function consequence(view, { source, colour, forecast }) {
  const rest = source === "c" ? "" : [...view.factories[Number(source) - 1]].filter((letter) => letter !== colour).join("");
  const left = rest ? sentence(t("{tiles} will go to the centre", { tiles: heap(rest) })) : "";
  return [left, t("Forecast: {n}.", { n: plain(forecast) })].filter(Boolean).join(" ");
}

/** With a capital and a full stop. */
export const sentence = (text) => `${text[0].toLocaleUpperCase()}${text.slice(1)}.`;

/** How a pattern line stands, for who cannot see it. */
export function lineLabel(board, index) {
  const { colour, count } = board.lines[index];
  const size = index + 1;
  const held = colour ? t("{count} of {size} {colour}", { count, size, colour: colourName(colour) }) : tn("empty, {n} place", "empty, {n} places", size);
  const laid = [...board.wall[index]].map((letter, column) => (letter === "." ? null : t("{colour} in column {n}", { colour: colourName(letter), n: column + 1 }))).filter(Boolean);
  return t("Line {n}: {held}. Wall: {wall}.", { n: size, held, wall: laid.join(", ") || t("nothing") });
}

export const floorLabel = (board) =>
  t("Floor: {tiles}. {penalty} points.", { tiles: floorHeap(board.floor), penalty: plain(board.penalty) });

function floorHeap(floor) {
  const parts = counts(floor).map(([letter, n]) => tilesOf(n, letter));
  if (floor.includes(MARKER)) parts.push(colourName(MARKER));
  return parts.join(", ") || t("empty");
}

/** What somebody who cannot see the table needs to go on. */
export function survey(view, seat) {
  const factories = view.factories.map((text, i) => (text ? `${i + 1}: ${heap(text)}` : null)).filter(Boolean);
  const centre = [view.centre ? heap(view.centre) : null, view.marker === null ? colourName(MARKER) : null].filter(Boolean).join(", ");
  const parts = [t("Factories {list}.", { list: factories.join("; ") || t("empty") }), t("Centre: {tiles}.", { tiles: centre || t("empty") })];
  const board = view.boards[seat];
  if (board) {
    parts.push(...board.lines.map((_, i) => lineLabel(board, i)), floorLabel(board));
    parts.push(t("Score {score}, {forecast} if the round ended now.", { score: board.score, forecast: board.forecast }));
  }
  return parts.join(" ");
}

/** What the last round brought, `Ann +9, Ben −2`; `steps` as in the view's `tiling`. */
export function roundResult(position, steps) {
  const sums = new Map();
  for (const { seat, points: n } of steps) sums.set(seat, (sums.get(seat) ?? 0) + n);
  return [...sums].map(([seat, n]) => `${nameOf(position, seat)} ${signed(n)}`).join(", ");
}

export const bonusName = ({ bonus, count }) => ({
  row: tn("{n} complete row", "{n} complete rows", count),
  column: tn("{n} complete column", "{n} complete columns", count),
  colour: tn("{n} complete colour", "{n} complete colours", count),
})[bonus];

/** The keys and what they do, for the legend. */
export const keyLegend = () => [
  ["1 – 9, C", t("choose a factory, or the centre")],
  ["B Y R K W", t("take blue, yellow, red, black, white there")],
  ["\u2190 \u2192", t("previous or next colour that can be taken")],
  ["1 – 5, 0", t("with tiles in hand: choose a line, or the floor")],
  ["\u2191 \u2193", t("with tiles in hand: previous or next line that may take them")],
  ["Enter", t("place")],
  ["Esc", t("take back; skip the scoring")],
  ["S", t("say what lies on the table and on your board")],
  ["?", t("this list")],
];
