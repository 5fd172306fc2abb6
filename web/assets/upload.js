// Checking and converting files: they go to this machine's server only, and nothing is stored.

import { info, post } from "./api.js";
import { chooser } from "./chooser.js";
import { conversion } from "./conversion.js";
import { button, el, fill, labeled, put, select } from "./dom.js";
import { games } from "./stepper.js";
import { finding, findingList } from "./findings.js";
import { failure, loading } from "./notice.js";
import { change, params } from "./address.js";
import { counted, whole } from "./words.js";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Check files · Taflbase";
  const known = await info();
  return new Upload(main, signal, known);
}

class Upload {
  constructor(main, signal, known) {
    this.signal = signal;
    this.most = known.limits?.body_bytes ?? Infinity;
    this.sources = [];
    const formats = known.formats ?? [];
    this.as = select([["", "find out"], ...formats.map(({ name, words }) => [name, words ? `${name} (${words})` : name])], params().get("as") ?? "", (as) => change({ as }, { replace: true }));
    this.variant = chooser(params().get("variant"), (variant) => change({ variant }, { replace: true }), { none: "as the record says" });
    this.text = el("textarea", { rows: 6, spellcheck: "false", placeholder: "Paste records here" });
    this.picker = el("input", { type: "file", multiple: true, class: "unseen", id: "picker", change: () => this.take([...this.picker.files]) });
    this.drop = el("div", { class: "drop" }, el("label", { for: "picker", class: "button" }, "Choose files"), this.picker, " or drop them here.",
      el("p", { class: "dim" }, "Files stay on this machine: they go to the program that serves this page, and nothing is stored."));
    this.results = el("section", { "aria-label": "What was found", "aria-live": "polite" });
    this.converter = conversion(formats.filter(({ writable }) => writable), () => this.chosen(), () => this.options(), signal);
    for (const name of ["dragover", "dragenter"]) this.drop.addEventListener(name, (event) => this.over(event, true));
    for (const name of ["dragleave", "drop"]) this.drop.addEventListener(name, (event) => this.over(event, false));
    fill(main, el("h1", {}, "Check files"), el("p", {}, "Says which records are sound and what is wrong with the others, plays the games, and writes them in another notation."),
      el("div", { class: "split even" }, el("div", { class: "left" }, this.drop, labeled("or paste records", this.text, { class: "field wide" }),
        el("div", { class: "bartop" }, labeled("Notation", this.as), this.variant.host),
        el("p", { class: "row" }, button("Check", () => this.check(), { class: "main" })), this.converter),
      el("div", { class: "right" }, this.results)));
  }

  follow() {}

  options() {
    return { as: params().get("as"), variant: params().get("variant") };
  }

  /** Returns what is to be read: pasted text, or the files that were chosen last. */
  chosen() {
    const text = this.text.value;
    return text.trim() ? [{ name: "pasted text", body: text, size: new Blob([text]).size }] : this.sources;
  }

  over(event, on) {
    event.preventDefault();
    this.drop.classList.toggle("over", on);
    if (event.type === "drop") this.take([...event.dataTransfer.files]);
  }

  take(files) {
    if (!files.length) return;
    this.sources = files.map((file) => ({ name: file.name, file: file.name, body: file, size: file.size }));
    this.text.value = "";
    this.check();
  }

  async check() {
    const chosen = this.chosen();
    if (chosen.length === 0) return fill(this.results, el("p", { class: "empty" }, "Choose files or paste records first."));
    fill(this.results);
    for (const source of chosen) {
      const place = el("section", { class: "checked" }, el("h2", {}, source.name), loading("Reading"));
      put(this.results, place);
      await this.read(source, place);
    }
  }

  async read(source, place) {
    const head = el("h2", {}, source.name);
    if (source.size > this.most) {
      return fill(place, head, el("p", { class: "failure" }, `The file has ${whole(source.size)} bytes; the server takes ${whole(this.most)}. Check it in a terminal: tafl validate ${source.name}`));
    }
    try {
      const answer = await post("/api/validate", { ...this.options(), name: source.file }, source.body, this.signal);
      fill(place, head, this.answer(answer));
    } catch (error) {
      if (error.name !== "AbortError") fill(place, head, failure(error, () => this.read(source, place)));
    }
  }

  answer(answer) {
    const broken = answer.records - answer.sound;
    const sum = answer.records === 0 ? "No record was found in it." : broken === 0 ? `${counted(answer.records, "record")}, all sound.`
      : `${counted(answer.records, "record")}: ${answer.sound} sound, ${broken} with something to know.`;
    const list = answer.findings.map(finding);
    return [el("p", { class: "sums" }, el("strong", {}, sum), answer.truncated ? " Only the first of many are shown." : ""), findingList(answer.findings),
      list.length ? el("ul", { class: "pointedlist" }, list) : null, games(answer.games)];
  }
}
