// Conversion of records to another notation, with a list of what it cannot express.

import { post } from "./api.js";
import { button, el, fill, labeled, put, save, select } from "./dom.js";
import { failure, loading } from "./notice.js";
import { counted } from "./format.js";

const MAX_SHOWN = 4000;

/** Returns the form: `getSources` returns the texts to convert, `getOptions` how to read them. */
export function conversion(formats, getSources, getOptions, signal) {
  const to = select(formats.map(({ name, words }) => [name, words ? `${name} (${words})` : name]), "jsonl");
  const out = el("div", { "aria-live": "polite" });
  const go = button("Convert", async () => {
    const sources = getSources();
    fill(out);
    if (sources.length === 0) return put(out, el("p", { class: "empty" }, "Choose files or paste records first."));
    for (const source of sources) {
      const place = el("section", {}, loading("Converting"));
      put(out, place);
      try {
        const answer = await post("/api/convert", { ...getOptions(), to: to.value, name: source.file }, source.body, signal);
        fill(place, conversionResult(source.name, answer, to.value));
      } catch (error) {
        if (error.name !== "AbortError") fill(place, failure(error));
      }
    }
  });
  return el("div", { class: "convert" }, el("h2", {}, "Convert"), el("p", { class: "row" }, labeled("To", to), go), out);
}

/** Returns the list of what a notation cannot express of records; null if nothing was lost. */
export function lossList({ losses }) {
  if (!losses?.length) return null;
  return el("details", { open: losses.length < 8 }, el("summary", {}, `${counted(losses.length, "loss", "losses")}: not expressible in this notation`),
    el("ul", {}, losses.map((loss) => el("li", {}, `${loss.game ? `record ${loss.game}: ` : ""}${loss.what}${loss.count > 1 ? ` (${counted(loss.count, "time")})` : ""}`))));
}

function conversionResult(name, answer, format) {
  const file = `${name.replace(/\.[^.]*$/, "").replace(/\s+/g, "-")}.${answer.extension ?? format}`;
  const isCut = answer.text.length > MAX_SHOWN;
  return [el("h3", {}, name), el("p", { class: "row" }, button(`Download ${file}`, () => save(answer.text, file)),
    answer.skipped ? `${counted(answer.skipped, "record")} could not be written.` : ""),
  lossList(answer) ?? el("p", { class: "dim" }, "Nothing was lost."),
  el("pre", { class: "record", tabindex: 0 }, isCut ? `${answer.text.slice(0, MAX_SHOWN)}\n…` : answer.text)];
}
