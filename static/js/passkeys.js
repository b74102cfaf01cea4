// Says so on the page when the browser gives no passkey: it was declined, took too long, or there is none.

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const trouble = document.getElementById("passkey-trouble");
  if (trouble) trouble.hidden = false;
});
