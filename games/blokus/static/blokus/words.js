// What the Blokus board says, on the screen and to screen readers.

import { t, tn } from "../js/i18n.js";

export const colourName = (colour) =>
  ({ blue: t("blue"), yellow: t("yellow"), red: t("red"), green: t("green") })[colour] ?? colour;

/** The name people call a piece by: `F5`; the smallest two are just `1` and `2`. */
export const pieceName = ({ key, squares }) => (squares < 3 ? String(squares) : key);

/** A piece with its size, for titles and screen readers. */
export function pieceTitle(piece) {
  return tn("{name}, {n} square", "{name}, {n} squares", piece.squares, { name: pieceName(piece) });
}

/** What to do when nothing is held yet. */
export const turnOf = ({ key }) => t("It is {colour}’s turn: take a piece.", { colour: colourName(key) });

/** Why a piece is greyed. */
export const noPlace = () => t("fits nowhere now");

export function placesOf(count) {
  return count === null ? "" : tn("{n} legal place", "{n} legal places", count);
}

export function standing(kind) {
  return { legal: t("legal"), illegal: t("not legal here"), planned: t("planned for your turn") }[kind] ?? "";
}

/** The whole of what is held: piece, orientation, cells, standing. */
export function held(hand, shapes) {
  const piece = shapes.pieces[hand.piece];
  const list = shapes.ofPiece[hand.piece];
  const parts = [pieceName(piece)];
  if (list.length > 1) parts.push(t("orientation {k} of {n}", { k: list.indexOf(hand.orientation) + 1, n: list.length }));
  if (hand.cells) parts.push(t("on {cells}", { cells: hand.cells.map((cell) => shapes.name(cell)).join(" ") }), standing(hand.standing));
  return parts.join(", ");
}

/** What somebody who cannot see the board needs to go on: where the colour may attach, and what was played last. */
export function survey(colour, last, shapes) {
  const cells = (list) => list.map((cell) => shapes.name(cell)).join(" ") || t("none");
  const parts = [t("{colour} may attach at: {cells}.", { colour: colourName(colour.key), cells: cells(colour.corners) })];
  if (last) parts.push(t("Last: {piece} on {cells}.", { piece: pieceName(shapes.pieces[last.piece]), cells: cells(last.cells) }));
  return parts.join(" ");
}

/** One line for the bar that asks to confirm. */
export function summary(hand, shapes) {
  const piece = shapes.pieces[hand.piece];
  const [first] = hand.cells;
  const squares = tn("{n} square", "{n} squares", piece.squares);
  return t("{piece} at {cell}, {squares}", { piece: pieceName(piece), cell: shapes.name(first), squares });
}

/** The keys and what they do, for the legend. */
export const keyLegend = () => [
  ["F I L N O P T U V W X Y Z", t("take the piece of that name; again for the next of the same letter")],
  ["1 2", t("take the piece of one or two squares")],
  ["+ −", t("next or previous piece")],
  ["R, Shift R", t("turn right, turn left")],
  ["M", t("mirror")],
  [t("Space, Shift Space"), t("next or previous orientation")],
  [t("Arrows"), t("move by one square, with Shift by four")],
  ["G, Shift G", t("go to the next or previous legal place")],
  ["B", t("say the corners to attach to and the last move")],
  ["Enter", t("place")],
  ["Esc", t("take back")],
  ["?", t("this list")],
];
