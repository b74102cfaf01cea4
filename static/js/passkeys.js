// Asks the browser for a passkey when a button with `data-passkey` is pressed, and sends it with the button's form.
//
// `data-passkey` is `make` for a new one, `use` to show one of this account, `sign-in` to show any. What the server asks for
// stands in `#js_data`, or, for `sign-in`, comes from the form's address. `webauthnJSON` turns it into what browsers take.

const asked = () => JSON.parse(document.getElementById("js_data").textContent);

/** A passkey that needs no password must be found without a name, and must know its owner. */
function alone(options, passwordless) {
  const selection = options.publicKey.authenticatorSelection;
  selection.residentKey = passwordless ? "required" : "discouraged";
  selection.requireResidentKey = passwordless;
  if (passwordless) selection.userVerification = "required";
  return options;
}

const WAYS = {
  make({ elements }) {
    const options = asked().creation_options;
    return webauthnJSON.create(elements.passwordless ? alone(options, elements.passwordless.checked) : options);
  },
  use: () => webauthnJSON.get(asked().request_options),
  "sign-in": async ({ action }) => {
    const answer = await fetch(action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return webauthnJSON.get((await answer.json()).request_options);
  },
};

for (const button of document.querySelectorAll("[data-passkey]")) {
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    const trouble = document.getElementById("passkey-trouble");
    trouble.hidden = true;
    try {
      button.form.elements.credential.value = JSON.stringify(await WAYS[button.dataset.passkey](button.form));
      button.form.submit();
    } catch {
      trouble.hidden = false; // declined, too late, or there is none; browsers do not tell which
    }
  });
}
