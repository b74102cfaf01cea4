// A plan as the page holds it: every move of a line is a step, others' and one's own. The server keeps it as branches.

/** Stands for any move of the others, up to one's own turn. */
export const ANY = "*";

/** A step: the move, who makes it (`null` when not known), and what may follow. The root is the position of the match. */
export class Step {
  constructor(text = null, seat = null, own = false, parent = null) {
    Object.assign(this, { text, seat, own, parent, next: [] });
  }

  /** The moves from the root to here. */
  get line() {
    return this.parent ? [...this.parent.line, this.text] : [];
  }

  /** The step for that move, made when there is none yet. */
  to(text, seat, own) {
    const known = this.next.find((step) => step.text === text && step.own === own);
    if (known) return known;
    const step = new Step(text, seat, own, this);
    this.next.push(step);
    return step;
  }

  /** Cuts this step off, with all that follows. */
  remove() {
    this.parent.next.splice(this.parent.next.indexOf(this), 1);
  }

  has(step) {
    for (let at = step; at; at = at.parent) if (at === this) return true;
    return false;
  }
}

/** The steps of a plan as the server keeps it. */
export function grow(branches, seat, seats, root = new Step()) {
  const other = seats === 2 ? 1 - seat : null;
  for (const { when, play, then } of branches) {
    let step = root;
    for (const text of when) step = step.to(text, other, false);
    grow(then, seat, seats, step.to(play, seat, true));
  }
  return root;
}

/** The plan as the server keeps it; lines without an answer are left out. */
export function branchesOf(root) {
  const found = [];
  const walk = (step, when) => {
    for (const next of step.next) {
      if (next.own) found.push({ when, play: next.text, then: branchesOf(next) });
      else walk(next, [...when, next.text]);
    }
  };
  walk(root, []);
  return found;
}

/** How many lines wait for an answer. */
export function unanswered(step) {
  if (!step.next.length) return step.parent && !step.own ? 1 : 0;
  return step.next.reduce((sum, next) => sum + unanswered(next), 0);
}

/** How many answers a plan has, as the server keeps it. */
export const answers = (branches) => branches.reduce((sum, { then }) => sum + 1 + answers(then), 0);

/** The part of a plan that goes on after these plies, as a new root; `null` when it has none. */
export function follow(root, plies, seat) {
  let at = root;
  for (const ply of plies) {
    if (ply.seat === null) {
      if (ply.text !== "=?") return null;
      continue;
    }
    const own = ply.seat === seat;
    const next = at.next.find((step) => step.text === ply.text && step.own === own);
    // A "*" covers all moves up to one's own turn.
    const waits = !own && (at.text === ANY ? at : at.next.find((step) => step.text === ANY));
    if (!next && !waits) return null;
    at = next ?? waits;
  }
  if (at === root) return root;
  const fresh = new Step();
  const kept = at.text === ANY ? [at] : at.next;
  fresh.next = kept;
  for (const step of kept) step.parent = fresh;
  return fresh.next.length ? fresh : null;
}
