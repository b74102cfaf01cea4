// How values are told: as a chance between two, and as the place that may be expected among more.

import { html } from "../../vendor/lit-html/lit-html.js";
import { number, t } from "../i18n.js";

/** The place that a value from 0 (last) to 1 (first) stands for. */
const placeOf = (value, seats) => 1 + (seats - 1) * (1 - value);

/** A value in few characters: `62 %`, or among more than two the place, `1.83`. */
export const short = (value, seats) =>
  seats === 2 ? t("{n} %", { n: Math.round(100 * value) }) : number(Math.round(100 * placeOf(value, seats)) / 100);

/** A value as a sentence reads it. */
export const spoken = (value, seats) => (seats === 2
  ? t("{n} % to win", { n: Math.round(100 * value) })
  : t("place {n} to be expected", { n: Math.round(10 * placeOf(value, seats)) / 10 }));

/** A value as a bar, for the eye alone. */
export const bar = (value, style = "") => html`<svg class=${`study-bar ${style}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
  <rect class="study-bar-all" width="100" height="6"></rect><rect width=${(100 * value).toFixed(1)} height="6"></rect></svg>`;

/** By how much a move is worse than the best one. */
export const lossOf = (loss, seats) => (seats === 2
  ? t("{n} % lost", { n: Math.round(100 * loss) })
  : t("{n} of a place lost", { n: Math.round(10 * loss) / 10 }));
