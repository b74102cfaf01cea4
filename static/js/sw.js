// The service worker: shows what is pushed, and opens the match on a click. It keeps no pages and answers no requests.

const LOBBY = "/lobby/";
const NOTICES = "/notices/";
const PAGES = { test: NOTICES, care: NOTICES, rungs: "/rungs/" };

/** Where a notice leads. A push carries no address, so none can lead elsewhere. */
function pathOf({ kind, match }) {
  if (Number.isSafeInteger(match)) return `/match/${match}/`;
  return PAGES[kind] ?? LOBBY;
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const told = event.data.json();
  event.waitUntil(self.registration.showNotification(told.title, {
    body: told.body,
    tag: told.match ? `match-${told.match}` : told.kind,
    renotify: true,
    icon: "/static/img/favicon.svg",
    data: { path: pathOf(told) },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin)));
});

async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
  if (there) return there.focus();
  return self.clients.openWindow(url.href);
}

// The browser changed its address with its push service: tell ours.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(again()));

async function again() {
  const { key, token } = await (await fetch("/notices/browser/")).json();
  const subscription = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await fetch("/notices/browser/", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(subscription),
  });
}
