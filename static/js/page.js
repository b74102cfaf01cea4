// What the live page and the replay page share: reading the page's data, loading the game's board, speaking.

/** The JSON that the server wrote into the page under this id. */
export function pageData(id, root = document) {
  return JSON.parse(root.getElementById(id).textContent);
}

/** Mounts the board module named in the page into its element. */
export async function mountBoard(ctx) {
  const element = document.querySelector("[data-module]");
  const { mount } = await import(element.dataset.module);
  return mount(element, ctx);
}

let saying = false;

/** Speaks a sentence to screen readers, after what the same event has said already. A repeated sentence is spoken again. */
export function say(text) {
  const region = document.getElementById("announcer");
  if (saying) region.append(` ${text}`);
  else region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  saying = true;
  setTimeout(() => { saying = false; });
}

/** Fetches another copy of a page and returns its data under `id`; `null` when that fails. */
export async function refetch(url, id) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (!response.ok) return null;
    return pageData(id, new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    return null;
  }
}
