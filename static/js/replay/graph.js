// A graph along the match: lines per seat or bars per ply, with the present ply marked. A click goes to the ply under it.

import { html, smallTile, svg } from "../dom.js";
import { number, t } from "../i18n.js";

const [WIDTH, HEIGHT] = [1000, 100];
const DASHES = ["", "9 4", "2 4", "12 4 2 4", "5 3"]; // so that a line is known without its colour, too
/** Which of the figures' colours is nearest to that of the tiles of a seat. */
const NEAREST = { blue: 1, red: 2, green: 3, yellow: 4, purple: 5 };

/** Per series the number of its colour: that of the seat where it can be, each once. */
function coloursOf(series) {
  const free = [1, 2, 3, 4, 5];
  const take = (wanted) => free.splice(Math.max(free.indexOf(wanted), 0), 1)[0] ?? 1;
  const likely = series.map(({ colour }) => NEAREST[colour]);
  const sure = likely.map((one, i) => one && likely.indexOf(one) === i && take(one));
  return sure.map((one) => one || take());
}

export class Graph {
  /**
   * `series` is `[{name, colour?, y}]` with a value or `null` per position; `kind` is `lines` or `bars`, a seat's each;
   * `shape(value)` is how high it stands, `write(value)` says it; `go(ply)` is called for a chosen ply.
   */
  constructor({ label, series, kind = "lines", write = number, shape = (value) => value, go }) {
    Object.assign(this, { shape, label, series, kind, write, go, colours: coloursOf(series), count: series[0].y.length });
    const known = series.flatMap(({ y }) => y).filter((value) => value !== null && value !== undefined);
    [this.least, this.most] = [Math.min(0, ...known), Math.max(...known, 0)];
    if (this.least === this.most) this.most = this.least + 1;
    this.cursor = svg("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
    this.plot = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      this.#zero(), ...(kind === "bars" ? this.#bars() : this.#lines()), this.cursor);
    this.values = series.map(() => html("b", {}));
    this.element = html("figure", { class: "chart replay-graph", "data-kind": kind },
      html("figcaption", {}, label), this.#area(), this.#legend());
    this.at(0);
  }

  #x(ply) {
    return (WIDTH * ply) / Math.max(this.count - 1, 1);
  }

  #y(value) {
    const [least, most] = [this.shape(this.least), this.shape(this.most)];
    return HEIGHT - (HEIGHT * (this.shape(value) - least)) / (most - least);
  }

  #zero() {
    return svg("line", { class: "graph-zero", x1: 0, x2: WIDTH, y1: this.#y(0), y2: this.#y(0) });
  }

  /** A value holds from its ply until the next one. */
  #lines() {
    return this.series.map(({ y }, i) => {
      let pen = "";
      y.forEach((value, ply) => {
        if (value === null || value === undefined) return;
        pen += pen ? `H${this.#x(ply).toFixed(1)}V${this.#y(value).toFixed(1)}` : `M${this.#x(ply).toFixed(1)} ${this.#y(value).toFixed(1)}`;
      });
      return svg("path", { class: `graph-line chart-mark-${this.colours[i]}`, d: pen || "M0 0", "stroke-dasharray": DASHES[i % DASHES.length] });
    });
  }

  #bars() {
    const width = WIDTH / Math.max(this.count - 1, 1);
    return this.series.map(({ y }, i) => svg("path", {
      class: `graph-bars chart-mark-${this.colours[i]}`,
      d: y.map((value, ply) => (value ? `M${(this.#x(ply) - width).toFixed(1)} ${this.#y(0).toFixed(1)}h${(width * 0.8).toFixed(1)}V${this.#y(value).toFixed(1)}h${(-width * 0.8).toFixed(1)}z` : "")).join("") || "M0 0",
    }));
  }

  /** The plot with its scale; one can click in it, and drag along it. */
  #area() {
    const area = html("div", { class: "graph-area" }, html("span", { class: "graph-most" }, this.write(this.most)),
      html("span", { class: "graph-least" }, this.write(this.least)));
    area.append(this.plot);
    const seek = (event) => {
      const { left, width } = this.plot.getBoundingClientRect();
      this.go(Math.round(Math.min(Math.max((event.clientX - left) / width, 0), 1) * (this.count - 1)));
    };
    area.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      if (event.pointerType === "mouse") area.setPointerCapture(event.pointerId);
      seek(event);
    });
    area.addEventListener("pointermove", (event) => event.pointerType === "mouse" && area.hasPointerCapture(event.pointerId) && seek(event));
    return area;
  }

  #legend() {
    return html("ul", { class: "chart-legend" }, ...this.series.map(({ name, colour }, i) => html("li", {},
      svg("svg", { class: `chart-mark chart-mark-${this.colours[i]}`, viewBox: "0 0 24 12", "aria-hidden": "true" },
        this.kind === "bars" ? svg("rect", { x: 4, y: 1, width: 16, height: 10, fill: "currentcolor" })
          : svg("path", { d: "M0 6H24", class: "graph-line", "stroke-dasharray": DASHES[i % DASHES.length] })),
      colour ? smallTile(colour) : null, html("span", {}, name), this.values[i])));
  }

  /** Marks a ply, and says what the values are there. */
  at(ply) {
    const x = this.#x(ply);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.series.forEach(({ y }, i) => {
      const value = y[ply];
      this.values[i].textContent = value === null || value === undefined ? "" : this.write(value);
    });
  }
}

/** All graphs of a match, by their label; another one of the same label takes its place. */
export class Graphs {
  #graphs = new Map();

  constructor(place, go) {
    Object.assign(this, { place, go, ply: 0 });
  }

  put(graph) {
    const made = new Graph({ go: this.go, ...graph });
    const old = this.#graphs.get(graph.label);
    if (old) old.element.replaceWith(made.element);
    else this.place.append(made.element);
    this.#graphs.set(graph.label, made);
    made.at(Math.min(this.ply, made.count - 1));
  }

  at(ply) {
    this.ply = ply;
    for (const graph of this.#graphs.values()) graph.at(Math.min(ply, graph.count - 1));
  }
}

/** The scores per seat, and the time used where it is known. */
export function usual(replay, spent) {
  const named = replay.seats.map(({ name, colours }) => ({ name, colour: colours[0] }));
  const scores = { label: t("Scores"), series: named.map((one, seat) => ({ ...one, y: replay.positions.map((position) => position.scores[seat]) })) };
  if (!replay.plies.some(({ used }) => used)) return [scores];
  const usedBy = (seat) => [null, ...replay.plies.map((ply) => (ply.seat === seat ? ply.used : null))];
  return [scores, { label: t("Time used per move"), kind: "bars", write: spent, shape: Math.sqrt, series: named.map((one, seat) => ({ ...one, y: usedBy(seat) })) }];
}
