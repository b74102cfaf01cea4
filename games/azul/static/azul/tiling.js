// The end of a round, step by step: what every board was like before each tile moved to the wall.

const WAIT = { step: 520, floor: 620, bonus: 800, start: 380, unseen: 60 };
/** The longest that a whole tiling may take, in milliseconds; many steps go faster. */
const LONGEST = { live: 7_000, replay: 1_900 };

/** Whether `steps` begin with all of `shown`, so that only the rest is new. */
export function newSteps(shown, steps) {
  const begins = shown.length <= steps.length && shown.every((step, i) => JSON.stringify(step) === JSON.stringify(steps[i]));
  return begins ? steps.slice(shown.length) : steps;
}

const put = (text, index, letter) => text.slice(0, index) + letter + text.slice(index + 1);

/** A seat's board as it was before a step. */
function before(board, step, values) {
  const score = board.score - step.points;
  if (step.bonus) return { ...board, score };
  if (step.floor !== undefined) {
    return { ...board, score, floor: step.floor, penalty: values.slice(0, step.floor.length).reduce((sum, value) => sum + value, 0) };
  }
  const at = step.line - 1;
  return {
    ...board,
    score,
    wall: board.wall.map((row, i) => (i === at ? put(row, step.column - 1, ".") : row)),
    lines: board.lines.map((line, i) => (i === at ? { colour: step.colour, count: step.line } : line)),
  };
}

/** The boards before the first step, after the first, and so on to those of the view itself. */
export function stages(boards, steps, values) {
  const list = [boards];
  for (const step of [...steps].reverse()) {
    list.unshift(list[0].map((board) => (board.seat === step.seat ? before(board, step, values) : board)));
  }
  return list;
}

/** Plays a tiling; one at a time. */
export class Tiling {
  #stop = null;

  get playing() {
    return this.#stop !== null;
  }

  /**
   * Shows the stages one after the other: `draw(boards)`, then `flash(step)` for each step. A step that is not `seen`,
   * because its board is scrolled away, goes by at once. Settles when all have been shown or it was stopped.
   */
  async play(list, steps, { draw, flash, seen, pace }) {
    this.stop();
    let stopped = false;
    let wake = null;
    const stop = () => {
      stopped = true;
      wake?.();
    };
    this.#stop = stop;
    const waits = steps.map((step) => (!seen(step) ? WAIT.unseen : step.bonus ? WAIT.bonus : step.floor === undefined ? WAIT.step : WAIT.floor));
    const whole = waits.reduce((sum, wait) => sum + wait, WAIT.start);
    const haste = Math.min(1, LONGEST[pace] / whole);
    const pause = (time) => new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, time * haste);
    });
    draw(list[0]);
    await pause(WAIT.start);
    for (let i = 0; i < steps.length && !stopped; i += 1) {
      draw(list[i + 1]);
      flash(steps[i]);
      await pause(waits[i]);
    }
    if (this.#stop === stop) this.#stop = null;
  }

  /** Ends what is being played; its promise then settles. */
  stop() {
    this.#stop?.();
    this.#stop = null;
  }
}
