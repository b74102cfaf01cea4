// Where the factories lie: in a ring round the centre, as large as they fit without touching.

/** The widest that a factory is drawn, and the height of a row of tiles in the centre, in pixels. */
const LARGEST = 190;
const ROW = 30;
/** A factory is this much higher than wide, for the edge of its plate. */
const TALL = 1.06;

const at = (angle, rx, ry) => [rx * Math.sin(angle), -ry * Math.cos(angle)];
const between = ([x, y], [v, w]) => Math.hypot(x - v, y - w);

/** The angles of the right half, from the top clockwise, and of the left half as its mirror image. */
const mirrored = (right) => [...right, ...right.slice(1).reverse().map((angle) => 2 * Math.PI - angle)];

/** Angles at which an odd number of points cut an ellipse into arcs of one length. */
function byArcs(n, rx, ry) {
  const steps = 720;
  const lengths = [0];
  for (let i = 1; i <= steps; i += 1) {
    const angle = ((i - 0.5) * Math.PI) / steps;
    lengths.push(lengths[i - 1] + Math.hypot(rx * Math.cos(angle), ry * Math.sin(angle)));
  }
  const angle = (k) => (lengths.findIndex((length) => length >= (2 * lengths[steps] * k) / n) * Math.PI) / steps;
  return mirrored(Array.from({ length: (n + 1) / 2 }, (_, k) => angle(k)));
}

/** Angles at which an odd number of points lie on an ellipse, each as far from the next. */
function byChords(n, rx, ry) {
  const half = (n - 1) / 2;
  const walk = (distance) => {
    const angles = [0];
    for (let angle = 0; angle < Math.PI && angles.length <= half; angle += Math.PI / 720) {
      if (between(at(angle, rx, ry), at(angles.at(-1), rx, ry)) >= distance) angles.push(angle);
    }
    return angles;
  };
  let [near, far] = [0, 2 * Math.max(rx, ry)];
  for (let i = 0; i < 16; i += 1) {
    const middle = (near + far) / 2;
    const angles = walk(middle);
    // Too near as long as the gap between the lowest two is the widest.
    if (angles.length > half && 2 * at(angles[half], rx, ry)[0] >= middle) near = middle;
    else far = middle;
  }
  return mirrored(walk(near));
}

/** The factories laid out by a rule for their angles: `{size, points}`, the points from the middle. */
function laidOut(rule, n, width, height) {
  let size = Math.min(height * 0.4, width * 0.27, LARGEST);
  let points = [];
  for (let i = 0; i < 6; i += 1) {
    const [rx, ry] = [(width - size) / 2, (height - size * TALL) / 2];
    points = rule(n, rx, ry).map((angle) => at(angle, rx, ry));
    const nearest = Math.min(...points.map((point, k) => between(point, points[(k + 1) % n])));
    size = Math.min(size, nearest * 0.97);
  }
  return { size, points };
}

/** How far a row of tiles may reach sideways from the middle, before it meets a factory there. */
function free([x, y], radius) {
  const beside = Math.max(0, Math.abs(y) - ROW / 2);
  return beside >= radius ? Infinity : Math.abs(x) - Math.sqrt(radius ** 2 - beside ** 2);
}

/**
 * Lays `n` factories out in a box: `{size, points, room}`, the width of a factory, its middle as [x, y] from the middle of
 * the box, and the width that is free for tiles in the centre.
 */
export function ring(n, width, height) {
  // Even arcs leave the centre the most room; where a flat ring crowds its ends, even distances allow larger factories.
  const [wide, large] = [byArcs, byChords].map((rule) => laidOut(rule, n, width, height));
  const { size, points } = wide.size >= large.size * 0.97 ? wide : large;
  return { size, points, room: Math.min(width, 2 * Math.min(...points.map((point) => free(point, size / 2)))) };
}
