// The study that keeps what was tried: its title, who may read it, and saving it so that two pages do not write over each other.

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { t } from "../i18n.js";
import { post } from "../post.js";
import { nodesOf } from "./tree.js";

/** The panel. `kept` is the tree as the server has it; `changed()` is called when what is shown beside the panel may have changed. */
export class Keeping {
  #saved;
  #busy = false;
  #stale = false;
  #copied = false;

  constructor(element, { page, token, kept, root, say, tell, changed }) {
    Object.assign(this, { element, page, token, root, say, tell, changed });
    this.study = page.study?.own ? page.study : null;
    this.title = page.title;
    this.shared = this.study?.shared ?? false;
    this.#saved = JSON.stringify({ ...this.#content(), tree: kept });
    addEventListener("beforeunload", (event) => { if (this.dirty && this.#worth) event.preventDefault(); });
  }

  #content() {
    return { title: this.title.trim(), shared: this.shared, tree: nodesOf(this.root).nodes };
  }

  #state() {
    return JSON.stringify(this.#content());
  }

  /** Whether leaving would lose more than moves that were tried in passing. */
  get #worth() {
    return Boolean(this.study) || this.#content().tree.some(({ note }) => note);
  }

  get dirty() {
    return this.#state() !== this.#saved;
  }

  /** Saves; `over` writes over what another page has saved meanwhile. */
  async save(over = false) {
    if (this.#busy) return;
    this.#busy = true;
    this.changed();
    const [content, state] = [this.#content(), this.#state()];
    const told = this.study
      ? await post(this.study.url, { ...content, version: over ? null : this.study.version }, this.token)
      : await post(this.page.save_url, { ...content, source: this.page.source }, this.token);
    this.#busy = false;
    if (told.refused) this.#refused(told);
    else this.#done(told, state);
    this.changed();
  }

  #refused(told) {
    this.#stale = told.code === "stale";
    this.tell(told.message, this.#stale ? "warning" : "error");
  }

  #done(told, state) {
    const fresh = !this.study;
    const before = JSON.parse(state);
    this.study = told;
    this.#stale = false;
    // What was changed while it was saved is still to be saved.
    if (this.title.trim() === before.title) this.title = told.title;
    this.#saved = JSON.stringify({ ...before, title: told.title });
    this.tell(fresh ? t("Saved among your studies.") : t("Saved."), "success");
    if (fresh) history.replaceState(null, "", new URL(told.url + location.search, location.href));
    this.say(t("Saved."));
  }

  async #copy() {
    const address = new URL(location.href);
    address.hash = "";
    try {
      await navigator.clipboard.writeText(address.href);
      this.#copied = true;
      this.say(t("Link copied"));
    } catch {
      this.tell(t("Copy it from the address bar"), "info");
    }
    this.draw();
  }

  draw() {
    const { study, dirty } = this;
    const [look, word] = dirty ? ["chip chip-warn", t("Not saved")] : study ? ["chip chip-good", t("Saved")] : ["chip", t("Nothing to save yet")];
    render(html`<h2>${study ? t("Your study") : this.page.study ? t("Keep a copy of your own") : t("Keep it as a study")} <span class=${look} data-saved=${dirty ? "no" : study ? "yes" : "none"}>${word}</span></h2>
      <p class="field"><label for="study-title">${t("Title")}</label>
        <input id="study-title" maxlength=${this.page.longest_title} .value=${this.title} @input=${(event) => { this.title = event.target.value; this.draw(); }}></p>
      <label class="check"><input type="checkbox" .checked=${this.shared} @change=${(event) => this.#share(event.target.checked)}>
        <span>${this.page.private ? t("Who was in the match and has the link may read it") : t("Who has the link may read it")}</span></label>
      <div class="actions">
        <button type="button" class="button" ?disabled=${this.#busy || (study && !dirty)} @click=${() => this.save()}>${study ? t("Save") : t("Save as a study")}</button>
        ${this.#stale ? html`<button type="button" class="button-danger" @click=${() => this.save(true)}>${t("Write over it")}</button>` : nothing}
        ${!study || study.shared ? html`<button type="button" class="button-quiet" @click=${() => this.#copy()}>${this.#copied ? t("Link copied") : t("Copy the link to here")}</button>` : nothing}
      </div>`, this.element);
  }

  /** Of a study that is saved, who may read it changes at once. */
  #share(shared) {
    this.shared = shared;
    if (this.study) this.save();
    else this.draw();
  }
}
