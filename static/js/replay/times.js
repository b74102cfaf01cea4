// Amounts of time in words, as the history of a match has them.

import { number, t } from "../i18n.js";

const two = (n) => String(n).padStart(2, "0");

/** `12.3 s`, `4:05`, `1:02:05`, `2 d 3 h` for milliseconds; empty for `null`. */
export function spent(ms) {
  if (ms === null || ms === undefined) return "";
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return t("{n} s", { n: number(Math.round(ms / 100) / 10) });
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (seconds < 3600) return `${minutes}:${two(seconds % 60)}`;
  if (seconds < 86_400) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return t("{days} d {hours} h", { days: Math.floor(hours / 24), hours: hours % 24 });
}
