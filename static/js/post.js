// Sends JSON to the server and understands its answer, refusals included.

import { t } from "./i18n.js";

/** Milliseconds after which a request is given up. */
const PATIENCE = 12_000;

/** Posts JSON; the answer, or `{refused: true, code, message}`. */
export async function post(url, body, token) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const told = await response.json();
    return response.ok ? told : { ...told, refused: true };
  } catch {
    return { refused: true, code: "no_answer", message: t("No answer. Check the connection and try again.") };
  }
}
