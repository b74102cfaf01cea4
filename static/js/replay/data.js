// The data of a replay: fetched once, and spread out again from what the server packed (`matches.packing`).

/** The file at `source` as `unpack` spreads it out; `point` asks for the eyes of a seat. Throws where it cannot be had. */
export async function load(source, point = null) {
  const address = new URL(source, location.href);
  if (point !== null) address.searchParams.set("seat", point);
  // Asked for in just the words of the page's preload, else it would be sent twice.
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for ${address}`);
  return unpack(await response.json());
}

/** A packed replay with all its positions as boards take them. */
export function unpack(replay) {
  let position = replay.positions.first;
  const positions = [position, ...replay.positions.then.map((change) => { position = apply(position, change); return position; })];
  return { ...replay, positions: positions.map((one, ply) => ({ ...one, ply, last: lastOf(replay.plies[ply - 1]), offer: null })) };
}

const lastOf = (ply) => (ply ? { ply: ply.ply, seat: ply.seat, text: ply.text } : null);

/** `value` with a change made; what did not change is shared with it. */
export function apply(value, change) {
  if (Array.isArray(change)) return change[0];
  if (Array.isArray(value)) {
    const made = value.slice(0, change["#"] ?? value.length);
    for (const [place, one] of Object.entries(change)) if (place !== "#") made[place] = apply(value[place], one);
    return made;
  }
  const entries = Object.entries(change);
  if (!entries.length) return value;
  const made = { ...value };
  for (const [key, one] of entries) {
    if (one === 0) delete made[key];
    else made[key] = apply(value[key], one);
  }
  return made;
}
