// The page of one's notices: lets this browser take pushes, or stop.

import { t } from "./i18n.js";
import { pageData, say } from "./page.js";

const part = (name) => document.querySelector(`[data-push=${name}]`);
const state = part("state");
const { key } = pageData("notices-data");
const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).message ?? t("That did not work. Try again in a moment."));
}

function tell(text) {
  state.textContent = text;
  say(text);
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

async function show() {
  const taken = await subscription();
  part("buttons").hidden = false;
  part("on").hidden = Boolean(taken);
  part("off").hidden = !taken;
  if (taken) state.textContent = t("This browser takes pushes.");
  else if (Notification.permission === "denied") {
    state.textContent = t("This browser refuses notices from us. Allow them in its settings for this site, then reload the page.");
    part("buttons").hidden = true;
  } else state.textContent = t("The browser then tells you even when no page of ours is open.");
}

async function on() {
  if (await Notification.requestPermission() !== "granted") return show();
  await navigator.serviceWorker.register("/sw.js");
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  try {
    await post("/notices/browser/", made);
  } catch (trouble) {
    await made.unsubscribe();
    throw trouble;
  }
  return location.reload();
}

async function off() {
  const taken = await subscription();
  if (taken) {
    await post("/notices/browser/off/", { endpoint: taken.endpoint });
    await taken.unsubscribe();
  }
  return location.reload();
}

for (const [name, act] of Object.entries({ on, off })) {
  part(name).addEventListener("click", async (event) => {
    event.target.disabled = true;
    try {
      await act();
    } catch (trouble) {
      tell(trouble.message || t("That did not work. Try again in a moment."));
    }
    event.target.disabled = false;
  });
}

if (possible) show();
else state.textContent = t("This browser has no pushes, or only for a site that is installed on the home screen.");
