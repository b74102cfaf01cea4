// Marks that something waits, where one sees it from another tab: the title, the icon, the app's badge, and a soft sound.

const NUMBER = /^\(\d+\) /;
const title = document.querySelector("title");
const icon = document.querySelector("link[rel=icon]");
const plainIcon = icon?.href;
let marked = 0;
let inTitle = true;
let drawing = null;

/** Shows that `count` matches wait; `wants` says which marks the person likes. */
export function mark(count, wants) {
  marked = count;
  inTitle = wants.title;
  retitle();
  dot(count > 0 && wants.title);
  badge(wants.badge ? count : 0);
}

function retitle() {
  const plain = document.title.replace(NUMBER, "");
  const wanted = marked && inTitle ? `(${marked}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}

// Other scripts write the title too, and must not lose the number.
if (title) new MutationObserver(retitle).observe(title, { childList: true });

async function dot(wanted) {
  if (!icon) return;
  drawing ??= dotted().catch(() => plainIcon);
  const next = wanted ? await drawing : plainIcon;
  if (icon.href !== next) icon.href = next;
}

async function dotted() {
  const drawn = new DOMParser().parseFromString(await (await fetch(plainIcon)).text(), "image/svg+xml").documentElement;
  const [x, y, width, height] = (drawn.getAttribute("viewBox") ?? "0 0 32 32").split(/\s+/).map(Number);
  const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  const look = { cx: x + width * 0.76, cy: y + height * 0.24, r: width * 0.2, fill: "#c24d38", stroke: "#fffdf9", "stroke-width": width * 0.06 };
  for (const [name, value] of Object.entries(look)) circle.setAttribute(name, value);
  drawn.append(circle);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
}

function badge(count) {
  const done = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  done?.catch(() => {}); // not installed
}

let sounds = null;

/** Two soft notes, like tiles set down; silent until the person has touched the page, as browsers ask. */
export function chime() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  sounds ??= new AudioContext();
  sounds.resume();
  for (const [pitch, after] of [[659.3, 0], [880, 0.14]]) note(pitch, sounds.currentTime + after);
}

function note(pitch, at) {
  const tone = new OscillatorNode(sounds, { type: "sine", frequency: pitch });
  const loudness = new GainNode(sounds, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(0.08, at + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.6);
  tone.connect(loudness).connect(sounds.destination);
  tone.start(at);
  tone.stop(at + 0.65);
}
