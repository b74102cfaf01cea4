// Lets tiles glide from where they lay to where they lie now.

const TIME = { duration: 240, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)", fill: "backwards" };

/** Moves an element in from a box on the screen; `after` milliseconds later. */
function glide(element, from, after) {
  const to = element.getBoundingClientRect();
  if (!from.width || !to.width) return;
  const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
  element.animate([{ transform: shift, transformOrigin: "0 0", zIndex: 9 }, { transform: "none", transformOrigin: "0 0", zIndex: 9 }], { ...TIME, delay: after });
}

/** Notes where the tiles of a move lie; the function it returns, called after the drawing, lets them glide. */
export function departure(market, last) {
  const taken = market.boxes(last.source, last.colour);
  const places = market.places.find(({ source }) => source === last.source).element.querySelectorAll(".az-take");
  const rest = last.source === "c" ? [] : [...places].filter((one) => one.dataset.colour !== last.colour)
    .map((one) => ({ colour: one.dataset.colour, box: one.querySelector(".az-tile").getBoundingClientRect() }));
  return (fresh) => {
    fresh.slice(0, taken.length).forEach((cell, i) => glide(cell.querySelector(".az-laid"), taken[i], i * 30));
    const arrived = new Map();
    for (const { colour, box } of rest) {
      const tiles = market.centre.element.querySelectorAll(`[data-colour="${colour}"] .az-tile`);
      const k = (arrived.get(colour) ?? 0) + 1;
      arrived.set(colour, k);
      const target = tiles[tiles.length - k];
      if (target) glide(target, box, 0);
    }
  };
}
