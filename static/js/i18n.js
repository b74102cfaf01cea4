// Translates what scripts say, when the page carries Django's JavaScript catalogue; plain English otherwise.

/** The translation of an English sentence with `{placeholders}`, which `names` fills. */
export function t(sentence, names = {}) {
  const translated = globalThis.gettext ? globalThis.gettext(sentence) : sentence;
  return fill(translated, names);
}

/** One of two sentences by number; `{n}` stands for the number. */
export function tn(one, many, n, names = {}) {
  const plain = n === 1 ? one : many;
  return fill(globalThis.ngettext ? globalThis.ngettext(one, many, n) : plain, { n, ...names });
}

const figures = new Intl.NumberFormat(globalThis.document?.documentElement.lang || "en");

/** A number as the reader's language writes it, with a true minus sign. */
export const number = (value) => figures.format(value).replace("-", "\u2212");

function fill(sentence, names) {
  const shown = (value) => (typeof value === "number" ? number(value) : String(value));
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in names ? shown(names[name]) : whole));
}
