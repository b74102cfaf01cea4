// Makes elements, for boards and for what the pages build by hand.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An HTML element with attributes and children; listeners as `onclick`. What is `null`, `undefined` or `false` is left out. */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The small tile that stands for a colour in a text. */
export const smallTile = (colour) => html("span", { class: `tile tile-${colour}` },
  svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("use", { href: `#mark-${colour}` })));
