// What a person chose for the looks, the theme and whether things move. Loaded before the first paint, so that no page
// ever flashes in the wrong theme.
(() => {
  const root = document.documentElement;
  const KEYS = { theme: "tessera-theme", motion: "tessera-motion" };
  const VALUES = { theme: ["light", "dark"], motion: ["off"] }; // anything else is as the system has it

  function stored(name) {
    try {
      return localStorage.getItem(KEYS[name]);
    } catch {
      return null; // Storage is refused in some private windows: then the system's choice holds.
    }
  }

  function apply(name, value) {
    if (VALUES[name].includes(value)) root.dataset[name] = value;
    else delete root.dataset[name];
  }

  function choose(name, value) {
    apply(name, value);
    try {
      localStorage.setItem(KEYS[name], value);
    } catch {
      // The choice then lasts as long as the page.
    }
  }

  for (const name of Object.keys(KEYS)) apply(name, stored(name));
  addEventListener("storage", (event) => {
    for (const [name, key] of Object.entries(KEYS)) if (event.key === key) apply(name, event.newValue);
  });
  addEventListener("DOMContentLoaded", () => {
    const themes = document.querySelector("[data-theme-switch]");
    const motion = document.querySelector("[data-motion-switch]");
    for (const radio of themes?.querySelectorAll("input") ?? []) radio.checked = radio.value === (root.dataset.theme ?? "auto");
    themes?.addEventListener("change", (event) => choose("theme", event.target.value));
    const box = motion?.querySelector("input");
    if (box) box.checked = root.dataset.motion !== "off";
    box?.addEventListener("change", () => choose("motion", box.checked ? "on" : "off"));
    // Without scripts the switches would do nothing, so they are not shown.
    for (const shown of [themes, motion]) if (shown) shown.hidden = false;
  });
})();
