// A tree of moves as the page holds it: the plies of the line and what was tried beside them. The server keeps it as a list of nodes.

/** A ply: its text, the seat that made it (`null` for chance), a note, whether it is of the line, and what may follow, the main ply first. */
class Node {
  // A node never comes under another one, so that these stay as they are.
  #ground;
  #moves;

  constructor(text = null, seat = null, parent = null, line = false) {
    Object.assign(this, { text, seat, parent, line, note: "", next: [], ply: parent ? parent.ply + 1 : 0 });
  }

  /** The ply of the line that this follows, or is. */
  get ground() {
    return (this.#ground ??= this.line ? this : this.parent.ground);
  }

  /** The tried moves from the line to here. */
  get moves() {
    return (this.#moves ??= this.line ? [] : [...this.parent.moves, this.text]);
  }

  /** The first ply after the start. */
  get opening() {
    return this.parent?.parent ? this.parent.opening : this;
  }

  /** Whether chance made it. */
  get drawn() {
    return this.text?.startsWith("=") ?? false;
  }

  /** The node for that move, made when there is none yet. */
  to(text, seat) {
    const known = this.next.find((node) => node.text === text);
    if (known) return known;
    const node = new Node(text, seat, this);
    this.next.push(node);
    return node;
  }

  /** The last node when one always goes on with the main ply. */
  get end() {
    let at = this;
    while (at.next.length) [at] = at.next;
    return at;
  }

  /** Where a branch begins: the first node back from here that is not the main ply after its parent, or the first that was tried. */
  get fork() {
    let at = this;
    while (!at.line && !at.parent.line && at.parent.next[0] === at) at = at.parent;
    return at;
  }

  /** Whether it could come before the ply that is now the main one; what was played stays the main ply. */
  get mayRise() {
    const place = this.parent ? this.parent.next.indexOf(this) : 0;
    return !this.line && place > 0 && !this.parent.next[place - 1].line;
  }

  /** Makes it come before the other that was tried there. */
  rise() {
    const { next } = this.parent;
    const place = next.indexOf(this);
    next.splice(place - 1, 2, this, next[place - 1]);
  }

  /** Cuts it off, with all that follows. */
  remove() {
    this.parent.next.splice(this.parent.next.indexOf(this), 1);
  }

  has(node) {
    for (let at = node; at; at = at.parent) if (at === this) return true;
    return false;
  }
}

/** The start, followed by the plies of the line (`{text, seat}`) and the nodes of a tree (`{id, parent, text, note, seat}`). */
export function grow(line, tree) {
  const root = new Node(null, null, null, true);
  const plies = [root];
  for (const { text, seat } of line) {
    const node = new Node(text, seat, plies.at(-1), true);
    plies.at(-1).next.push(node);
    plies.push(node);
  }
  const known = new Map();
  for (const { id, parent, text, note, seat } of tree) {
    const node = (parent > 0 ? known.get(parent) : plies[-parent]).to(text, seat);
    node.note = note;
    known.set(id, node);
  }
  return { root, plies, known };
}

/** The tree as the server keeps it: parents first, numbered from 1; and with it the number of every node. */
export function nodesOf(root) {
  const nodes = [];
  const ids = new Map();
  const waiting = [root];
  while (waiting.length) {
    const at = waiting.pop();
    const note = at.note.trim();
    if (!at.line || note) {
      const { parent } = at;
      nodes.push({ id: nodes.length + 1, parent: parent.line ? -parent.ply : ids.get(parent), text: at.text, note });
      ids.set(at, nodes.length);
    }
    waiting.push(...at.next.toReversed());
  }
  // -0 is no number that JSON or the server tells from 0.
  for (const node of nodes) node.parent ||= 0;
  return { nodes, ids };
}
