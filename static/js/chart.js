// Draws the figures marked `data-chart` with uPlot. What one shows is written out in its table, which stays for those without scripts.
//
// The data, as JSON beside the plot: `{x, x_kind: "time" (seconds) | "number" | "label", labels?, series: [{name, y}], unit?, decimals?, reverse?}`.
// `y` may hold nulls; `reverse` puts the least on top, as for ranks. Colours are those of the theme where the figure stands.

import uPlot from "../vendor/uplot/dist/uPlot.esm.js";
import { html, svg } from "./dom.js";
import { t } from "./i18n.js";

const COLOURS = 5;
const DASHES = [[], [9, 4], [2, 4], [12, 4, 2, 4], [5, 3]]; // so that a line is known without its colour, too
const DOTTED_UP_TO = 40; // points; more of them run together
const language = document.documentElement.lang || "en";

/** Draw all figures below `root` that are not drawn yet. */
export function drawAll(root = document) {
  for (const figure of root.querySelectorAll("[data-chart]:not(.is-drawn)")) draw(figure);
}

function draw(figure) {
  const place = figure.querySelector(".chart-plot");
  const data = JSON.parse(document.getElementById(place.dataset.source).textContent);
  const kind = figure.dataset.chart;
  const words = wording(data);
  const legend = makeLegend(data, kind);
  const canvas = html("div", { class: "chart-canvas" });
  place.replaceChildren(canvas, legend.element);
  figure.classList.add("is-drawn");
  figure.querySelector(".chart-numbers")?.removeAttribute("open");
  const look = new Look(figure, legend.marks);
  let shown = null;
  const show = (index) => {
    shown = index;
    legend.show(index, words);
    canvas.setAttribute("aria-valuenow", index ?? 0);
    canvas.setAttribute("aria-valuetext", index === null ? t("nothing chosen") : words.point(index));
  };
  const plot = new uPlot(options(data, kind, look, words, canvas, show), [data.x, ...data.series.map((each) => each.y)], canvas);
  walkByKeys(canvas, plot, data, figure.querySelector("figcaption")?.textContent.trim(), () => shown);
  show(resting(data, kind));
  new ResizeObserver(() => plot.setSize(sizeOf(canvas))).observe(canvas);
  look.onchange(() => plot.redraw(false));
  document.fonts?.ready.then(() => plot.redraw(false, true));
}

/** The point whose values are told while none is pointed at: of a course of time the last. */
function resting(data, kind) {
  return kind === "bars" || data.x.length === 0 ? null : data.x.length - 1;
}

const sizeOf = (canvas) => ({ width: Math.max(canvas.clientWidth, 120), height: Math.max(canvas.clientHeight, 120) });

// --- What uPlot is told -----------------------------------------------------------------------------------------------

function options(data, kind, look, words, canvas, show) {
  const few = data.x.length <= DOTTED_UP_TO;
  const bars = kind === "bars";
  return {
    ...sizeOf(canvas),
    ms: 1e-3,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    legend: { show: false },
    padding: [10, data.x_kind === "label" && !bars ? Math.min(longest(data) * 3.6 + 4, 64) : bars ? 14 : 30, 0, 0],
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 9, show: !bars } },
    scales: {
      x: { time: data.x_kind === "time", range: (_, least, most) => spread(data, bars, least, most) },
      y: { dir: data.reverse ? -1 : 1, range: (_, least, most) => heights(data, bars, least, most) },
    },
    axes: [
      axis(look, { ...alongX(data, words), size: 34, ...(bars ? { grid: { show: false } } : {}) }),
      axis(look, { values: (_, splits) => splits.map(words.tick), space: 38, size: (plot, values) => widest(plot, values) + 14, incrs: steps(data.decimals ?? 0) }),
    ],
    series: [{}, ...data.series.map((each, place) => ({
      label: each.name,
      stroke: () => look.colours[place % COLOURS],
      fill: bars ? () => look.colours[place % COLOURS] : undefined,
      width: bars ? 0 : 2,
      dash: bars ? undefined : DASHES[place % DASHES.length],
      spanGaps: true,
      paths: bars ? barsOf(data, place) : kind === "steps" ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: !bars && few, size: 6, fill: () => look.colours[place % COLOURS] },
    }))],
    hooks: { setCursor: [(plot) => show(plot.cursor.idx ?? resting(data, kind))] },
  };
}

function axis(look, more) {
  return {
    stroke: () => look.ink,
    font: look.font,
    grid: { stroke: () => look.line, width: 1 },
    ticks: { stroke: () => look.line, width: 1, size: 5 },
    gap: 4,
    ...more,
  };
}

function alongX(data, words) {
  if (data.x_kind === "time") return { values: (_, splits, __, ___, step) => words.moments(splits, step), space: 76 };
  const incrs = steps(0);
  if (data.x_kind === "number") return { values: (_, splits) => splits.map(words.plain), incrs, space: 48 };
  return { values: (_, splits) => splits.map((at) => data.labels[at] ?? ""), incrs, space: Math.min(longest(data) * 7 + 10, 160) };
}

const longest = (data) => Math.max(...data.labels.map((label) => label.length), 1);

/** How far the axis below reaches: half a step beyond bars, and some way around a lonely point. */
function spread(data, bars, least, most) {
  if (least === null || least === undefined) return [0, 1];
  if (bars) return [least - stepOf(data) * 0.55, most + stepOf(data) * 0.55];
  const day = data.x_kind === "time" ? 86400 : 1;
  return least === most ? [least - day, most + day] : [least, most];
}

/** How far the axis at the side reaches: bars stand on zero, and what hardly changes is not made to look wild. */
function heights(data, bars, least, most) {
  if (least === null || least === undefined) return [0, 1];
  if (bars) return [Math.min(0, least), Math.max(0, most) * 1.06 || 1];
  const unit = 10 ** -(data.decimals ?? 0);
  const room = Math.max((most - least) * 0.08, unit * 2);
  const low = least - room;
  return [least >= (data.reverse ? 1 : 0) && low < 0 ? 0 : low, most + room];
}

/** Round steps of an axis, none finer than the decimals that are shown. */
function steps(decimals) {
  const found = [];
  for (let power = -decimals; power < 10; power += 1) for (const digit of [1, 2, 5]) found.push(Number((digit * 10 ** power).toFixed(decimals)));
  return found;
}

function stepOf(data) {
  let least = Infinity;
  for (let at = 1; at < data.x.length; at += 1) least = Math.min(least, data.x[at] - data.x[at - 1]);
  return Number.isFinite(least) ? least : data.x_kind === "time" ? 86400 : 1;
}

/** Bars of several series stand side by side. */
function barsOf(data, place) {
  const group = stepOf(data) * 0.76;
  const width = group / data.series.length;
  const left = data.x.map((at) => at - group / 2 + place * width);
  return uPlot.paths.bars({ disp: { x0: { unit: 1, values: () => left }, size: { unit: 1, values: () => [width * (data.series.length > 1 ? 0.9 : 1)] } } });
}

function widest(plot, values) {
  plot.ctx.font = plot.axes[1].font[0];
  return Math.max(...(values ?? [""]).map((value) => plot.ctx.measureText(value).width / devicePixelRatio), 12);
}

// --- Words and numbers, in the page's language ------------------------------------------------------------------------

function wording(data) {
  const digits = { minimumFractionDigits: data.decimals ?? 0, maximumFractionDigits: data.decimals ?? 0, useGrouping: "min2" };
  const exact = new Intl.NumberFormat(language, digits);
  const short = new Intl.NumberFormat(language, { maximumFractionDigits: data.decimals ?? 0, useGrouping: "min2" });
  const unit = data.unit ? `\u00a0${data.unit}` : "";
  const date = (at, how) => new Intl.DateTimeFormat(language, { timeZone: "UTC", ...how }).format(at * 1000);
  const plain = (value) => short.format(value).replace("-", "\u2212");
  const value = (y) => (y === null || y === undefined ? "–" : exact.format(y).replace("-", "\u2212") + unit);
  const where = (index) => {
    if (data.x_kind === "label") return data.labels[data.x[index]] ?? "";
    if (data.x_kind === "number") return plain(data.x[index]);
    return date(data.x[index], { dateStyle: "medium" });
  };
  return {
    plain,
    value,
    where,
    tick: (y) => plain(y) + (data.unit === "%" ? unit : ""),
    point: (index) => `${where(index)}: ${data.series.map((each) => `${each.name} ${value(each.y[index])}`).join(", ")}`,
    moments: (splits, step) => splits.map((at) => date(at, spanOf(step))),
  };
}

function spanOf(step) {
  if (step < 86400) return { hour: "numeric", minute: "2-digit" };
  if (step < 28 * 86400) return { day: "numeric", month: "short" };
  return step < 360 * 86400 ? { month: "short", year: "numeric" } : { year: "numeric" };
}

// --- Colours of the theme ---------------------------------------------------------------------------------------------

/** What the style sheets say the figure looks like: a canvas has to be told in numbers. */
class Look {
  constructor(figure, marks) {
    this.figure = figure;
    this.marks = marks;
    this.read();
  }

  read() {
    const style = getComputedStyle(this.figure);
    this.ink = style.color;
    this.line = getComputedStyle(this.figure.querySelector(".chart-canvas")).borderBottomColor;
    this.font = `13px ${style.fontFamily}`;
    this.colours = this.marks.map((mark) => getComputedStyle(mark).color);
  }

  /** Call back after a change of theme: of the page, of a part of it, or of the system. */
  onchange(callback) {
    const again = () => {
      this.read();
      callback();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    const watcher = new MutationObserver(again);
    for (let above = this.figure; above; above = above.parentElement) {
      if (above.dataset.theme || above === document.documentElement) watcher.observe(above, { attributeFilter: ["data-theme"] });
    }
  }
}

// --- The legend, which tells the values of the point one looks at -----------------------------------------------------

function makeLegend(data, kind) {
  const where = html("li", { class: "chart-where" });
  const values = data.series.map(() => html("b", {}));
  const marks = Array.from({ length: COLOURS }, (_, place) => mark(place, kind));
  const names = data.series.map((each, place) =>
    html("li", {}, place < COLOURS ? marks[place] : mark(place, kind), html("span", {}, each.name), values[place]));
  const spare = html("li", { hidden: true }, ...marks.slice(data.series.length)); // their colours are read from them all the same
  const element = html("ul", { class: "chart-legend", "aria-hidden": "true" }, where, ...names, spare);
  const show = (index, words) => {
    where.textContent = index === null ? "" : words.where(index);
    data.series.forEach((each, place) => {
      values[place].textContent = index === null ? "" : words.value(each.y[index]);
    });
  };
  return { element, marks, show };
}

function mark(place, kind) {
  const shape = kind === "bars"
    ? svg("rect", { x: 3, y: 1, width: 10, height: 10, fill: "currentColor" })
    : svg("path", { d: "M0 6h24", stroke: "currentColor", "stroke-width": 3, "stroke-dasharray": DASHES[place % DASHES.length].join(" ") || "none" });
  return svg("svg", { class: `chart-mark chart-mark-${(place % COLOURS) + 1}`, viewBox: kind === "bars" ? "0 0 16 12" : "0 0 24 12" }, shape);
}

/** Left and right go from point to point: to a screen reader the plot is a slider over them. */
function walkByKeys(canvas, plot, data, name, shown) {
  const last = data.x.length - 1;
  for (const [key, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": name ?? "", "aria-valuemin": 0, "aria-valuemax": Math.max(last, 0) })) {
    canvas.setAttribute(key, value);
  }
  canvas.addEventListener("keydown", (event) => {
    const at = shown() ?? -1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), last);
    plot.setCursor({ left: plot.valToPos(data.x[index], "x"), top: 10 });
  });
  canvas.addEventListener("blur", () => plot.setCursor({ left: -10, top: -10 }));
}

drawAll();
