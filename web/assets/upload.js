// The page that validates and converts files. They are sent only to this server, which does not store them.

import { info, post } from "./api.js";
import { chooser } from "./chooser.js";
import { conversion } from "./conversion.js";
import { button, el, fill, labeled, put, save, select } from "./dom.js";
import { games } from "./stepper.js";
import { findingItem, severityCounts } from "./findings.js";
import { failure, loading } from "./notice.js";
import { showRepairs } from "./repairs.js";
import { change, params } from "./address.js";
import { counted, mebibytes } from "./format.js";
import { variantTitles } from "./variantname.js";
import { addGames } from "./writing.js";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Check files · Taflbase";
  const [known, titles] = await Promise.all([info(), variantTitles()]);
  return new Upload(main, signal, known, titles);
}

class Upload {
  constructor(main, signal, known, titles) {
    this.signal = signal;
    this.titles = titles;
    this.maxBytes = known.limits?.body_bytes ?? Infinity;
    this.sources = [];
    const formats = known.formats ?? [];
    this.as = select([["", "detect automatically"], ...formats.map(({ name, words }) => [name, words ? `${name} (${words})` : name])], params().get("as") ?? "", (as) => change({ as }, { replace: true }));
    this.variant = chooser(params().get("variant"), (variant) => change({ variant }, { replace: true }), { none: "as in the record" });
    this.text = el("textarea", { rows: 6, spellcheck: "false", placeholder: "Paste records here" });
    this.picker = el("input", { type: "file", multiple: true, class: "visually-hidden", id: "picker", change: () => this.setFiles([...this.picker.files]) });
    this.drop = el("div", { class: "drop" }, el("label", { for: "picker", class: "button" }, "Choose files"), this.picker, " or drop them here.",
      el("p", { class: "dim" }, known.may_write ? "Files are sent only to the server of this page. “Add to the corpus” below a checked file stores its games."
        : "Files are sent only to the server of this page, which does not store them."));
    this.results = el("section", { "aria-label": "Findings", "aria-live": "polite" });
    this.converter = conversion(formats.filter(({ writable }) => writable), () => this.getSources(), () => this.options(), signal);
    for (const name of ["dragover", "dragenter"]) this.drop.addEventListener(name, (event) => this.dragOver(event, true));
    for (const name of ["dragleave", "drop"]) this.drop.addEventListener(name, (event) => this.dragOver(event, false));
    fill(main, el("h1", {}, known.may_write ? "Check and add files" : "Check files"), el("p", {}, "Validate game records, replay their games, and convert them to other notations."),
      el("div", { class: "split even" }, el("div", { class: "left" }, this.drop, labeled("or paste records", this.text, { class: "field wide" }),
        el("div", { class: "toolbar" }, labeled("Notation", this.as), this.variant.host),
        el("p", { class: "row" }, button("Check", () => this.check(), { class: "main" })), this.converter),
      el("div", { class: "right" }, this.results)));
  }

  follow() {}

  options() {
    return { as: params().get("as"), variant: params().get("variant") };
  }

  /** Returns the pasted text, or the files that were chosen last. */
  getSources() {
    const text = this.text.value;
    return text.trim() ? [{ name: "pasted text", body: text, size: new Blob([text]).size }] : this.sources;
  }

  dragOver(event, isOver) {
    event.preventDefault();
    this.drop.classList.toggle("over", isOver);
    if (event.type === "drop") this.setFiles([...event.dataTransfer.files]);
  }

  setFiles(files) {
    if (!files.length) return;
    this.sources = files.map((file) => ({ name: file.name, file: file.name, body: file, size: file.size }));
    this.text.value = "";
    this.check();
  }

  async check() {
    const sources = this.getSources();
    if (sources.length === 0) return fill(this.results, el("p", { class: "empty" }, "Choose files or paste records first."));
    fill(this.results);
    for (const source of sources) {
      const place = el("section", { class: "checked" }, el("h2", {}, source.name), loading("Validating"));
      put(this.results, place);
      await this.read(source, place);
    }
  }

  async read(source, place) {
    const head = [el("h2", {}, source.name), source.file && source.isChanged ? el("p", {}, button(`Download the changed ${source.name}`, () => save(source.body, source.name))) : null];
    if (source.size > this.maxBytes) {
      return fill(place, head, el("p", { class: "failure" }, `The file has ${mebibytes(source.size)}; the server accepts ${mebibytes(this.maxBytes)}. Validate it in a terminal: `, el("code", {}, `tafl validate ${source.name}`)));
    }
    try {
      const answer = await post("/api/validate", { ...this.options(), name: source.file }, source.body, this.signal);
      const items = answer.findings.map((one) => [one, findingItem(one)]);
      const adding = answer.records > 0 ? addGames({ body: source.body, params: { ...this.options(), name: source.file }, signal: this.signal }) : null;
      fill(place, head, this.answer(answer, items.map(([, item]) => item)), adding);
      await showRepairs({ body: source.body, options: { ...this.options(), name: source.file }, items, host: place, signal: this.signal,
        replace: (text) => this.replace(source, place, text) });
    } catch (error) {
      if (error.name !== "AbortError") fill(place, head, failure(error, () => this.read(source, place)));
    }
  }

  /** Checks the changed text of a source, which keeps its name: readers take the variant from the name of a file. */
  replace(source, place, text) {
    if (!source.file) this.text.value = text;
    Object.assign(source, { body: text, size: new Blob([text]).size, isChanged: true });
    return this.read(source, place);
  }

  answer(answer, list) {
    const broken = answer.records - answer.sound;
    const summary = answer.records === 0 ? "No records found." : broken === 0 ? `${counted(answer.records, "record")} without errors or warnings.`
      : `${counted(answer.records, "record")}: ${answer.sound} without errors or warnings, ${broken} with.`;
    return [el("p", { class: "sums" }, el("strong", {}, summary), answer.truncated ? " Only the first findings and games are shown." : ""), severityCounts(answer.findings),
      list.length ? el("ul", { class: "excerpts" }, list) : null, games(answer.games, this.titles)];
  }
}
