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

function fill(sentence, names) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in names ? String(names[name]) : whole));
}
