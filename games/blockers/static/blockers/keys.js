// The keyboard of the Blockers! board: which key does what.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TILES = new Set("abcdefghi123456789*");
/** With Shift the cursor goes on to the same place in the next area. */
const LEAP = 3;

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
export function meaning(event, actions) {
  const step = event.shiftKey ? -1 : 1;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key in ARROWS) {
    const far = event.shiftKey ? LEAP : 1;
    return () => actions.move(ARROWS[key][0] * far, ARROWS[key][1] * far);
  }
  if (TILES.has(key)) return () => actions.character(key);
  switch (key) {
    case "n": return () => actions.cycle(step);
    case "r": return () => actions.read();
    case "s": return () => actions.standings();
    case "l": return () => actions.last();
    case " ": return () => actions.next(step);
    case "+": case "=": return () => actions.next(1);
    case "-": case "_": return () => actions.next(-1);
    case "Enter": return () => actions.enter();
    case "Escape": return () => actions.escape();
    case "?": return () => actions.help();
    default: return null;
  }
}
