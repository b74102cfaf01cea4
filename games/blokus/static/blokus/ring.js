// The ring of buttons that floats round a resting piece and stays inside the board, also at its edges and corners.

import { html } from "../js/dom.js";
import { t } from "../js/i18n.js";

const ICONS = {
  left: "M5 8.5A6.5 6.5 0 1 1 4.6 13M4.5 3.5v5.2h5.2",
  right: "M15 8.5A6.5 6.5 0 1 0 15.4 13M15.5 3.5v5.2h-5.2",
  mirror: "M10 2.5v15M7.5 6v8L2.5 14zM12.5 6v8l5 0z",
  back: "M5 5l10 10M15 5 5 15",
  place: "M4 10.5l4.2 4.2L16 6",
};

function icon(name) {
  const holder = html("span", { class: "bk-icon", "aria-hidden": "true" });
  holder.innerHTML = `<svg viewBox="0 0 20 20"><path d="${ICONS[name]}"/></svg>`;
  return holder;
}

/** Where each button would stand with room on all sides: degrees, counted from the right against the clock. */
const IDEAL = [["back", 234], ["left", 162], ["mirror", 90], ["right", 18], ["place", -54]];

export class Ring {
  /** `actions` maps the names of the buttons to what they do. */
  constructor(actions) {
    const names = { back: t("Take back"), left: t("Turn left"), mirror: t("Mirror"), right: t("Turn right"), place: t("Place") };
    this.buttons = IDEAL.map(([name]) => html("button",
      { type: "button", class: `bk-ring-button bk-ring-${name}`, title: names[name], "aria-label": names[name], tabindex: "-1", onclick: actions[name] },
      icon(name)));
    this.element = html("div", { class: "bk-ring", hidden: true }, ...this.buttons);
  }

  hide() {
    this.element.hidden = true;
  }

  /** Puts the buttons round the middle [x, y] of a piece with that half diagonal, all in pixels of the room. */
  show([x, y], halfDiagonal, room, standing) {
    this.element.hidden = false;
    const side = this.buttons[0].offsetWidth;
    const place = arrange([x, y], halfDiagonal + side * 0.62, side, room);
    this.buttons.forEach((button, i) => {
      button.style.setProperty("left", `${place[i][0] - side / 2}px`);
      button.style.setProperty("top", `${place[i][1] - side / 2}px`);
    });
    this.buttons.at(-1).disabled = standing !== "legal";
  }
}

/** Middles of the five buttons on the smallest circle of which enough lies within the room. */
function arrange(middle, least, side, room) {
  for (let radius = least; radius < least + 8 * side; radius += side / 6) {
    const arcs = freeAngles(middle, radius, side, room);
    const spacing = (side * 1.12 / radius) * (180 / Math.PI);
    const slots = slotsOn(arcs, spacing);
    if (slots) return ordered(slots).map((angle) => onCircle(middle, radius, angle));
  }
  return IDEAL.map((_, i) => [room.left + side * (i + 0.6), room.top + side]);
}

const onCircle = ([x, y], radius, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [x + radius * Math.cos(angle), y - radius * Math.sin(angle)];
};

/** Degrees whose button lies wholly within the room, as one list per unbroken arc. */
function freeAngles(middle, radius, side, room) {
  const free = (angle) => {
    const [x, y] = onCircle(middle, radius, angle);
    return x - side / 2 >= room.left && x + side / 2 <= room.right && y - side / 2 >= room.top && y + side / 2 <= room.bottom;
  };
  const blocked = Array.from({ length: 360 }, (_, i) => i).find((angle) => !free(angle));
  if (blocked === undefined) return null;
  const arcs = [];
  let arc = [];
  for (let i = 1; i <= 360; i += 1) {
    if (free(blocked + i)) arc.push(blocked + i);
    else if (arc.length) {
      arcs.push(arc);
      arc = [];
    }
  }
  return arcs;
}

/** Five angles: spread over the full circle (`null`), or side by side in the middle of the longest arc. */
function slotsOn(arcs, spacing) {
  if (arcs === null) return spacing <= 72 ? IDEAL.map(([, angle]) => angle) : null;
  const longest = arcs.reduce((a, b) => (b.length > a.length ? b : a), []);
  if (longest.length - 1 < spacing * 4) return null;
  const step = Math.min(72, (longest.length - 1) / 4);
  const centre = (longest[0] + longest.at(-1)) / 2;
  return [2, 1, 0, -1, -2].map((k) => centre + k * step);
}

/** The same angles, begun where they are nearest to the ideal ones, so that each button stays on its side. */
function ordered(slots) {
  const apart = (a, b) => Math.abs(((((a - b) % 360) + 540) % 360) - 180);
  const shifts = slots.map((_, shift) => slots.map((__, i) => slots[(i + shift) % slots.length]));
  const cost = (list) => list.reduce((sum, angle, i) => sum + apart(angle, IDEAL[i][1]), 0);
  return shifts.reduce((best, list) => (cost(list) < cost(best) ? list : best));
}
