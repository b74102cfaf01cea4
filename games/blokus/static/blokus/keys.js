// The keyboard of the Blokus board: which key does what.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const LETTERS = new Set("filnoptuvwxyz12");
const LEAP = 4;

/** The action of a key press as a function of `actions`, or `null` when the key means nothing here. */
export function meaning(event, actions) {
  const step = event.shiftKey ? -1 : 1;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key in ARROWS) {
    const far = event.shiftKey ? LEAP : 1;
    return () => actions.nudge(ARROWS[key][0] * far, ARROWS[key][1] * far);
  }
  if (LETTERS.has(key)) return () => actions.letter(key);
  switch (key) {
    case "r": return () => actions.turn(step);
    case "m": return () => actions.mirror();
    case "b": return () => actions.survey();
    case "g": return () => actions.cycle(step);
    case " ": return () => actions.next(step);
    case "+": case "=": return () => actions.piece(1);
    case "-": case "_": return () => actions.piece(-1);
    case "Enter": return () => actions.enter();
    case "Escape": return () => actions.escape();
    case "?": return () => actions.help();
    default: return null;
  }
}
