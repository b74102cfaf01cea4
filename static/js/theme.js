// The theme: automatic, light or dark. Loaded before the first paint, so that a page never flashes in the wrong one.
(() => {
  const KEY = "tessera-theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // Storage is refused in some private windows: then the system's theme holds.
    }
  }

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice then lasts as long as the page.
    }
  }

  apply(stored());
  addEventListener("storage", (event) => {
    if (event.key === KEY) apply(event.newValue);
  });
  addEventListener("DOMContentLoaded", () => {
    const group = document.querySelector("[data-theme-switch]");
    if (!group) return;
    const current = root.dataset.theme ?? "auto";
    for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === current;
    group.addEventListener("change", (event) => {
      apply(event.target.value);
      keep(event.target.value);
    });
    group.hidden = false; // Without scripts the switch would do nothing, so it is not shown.
  });
})();
