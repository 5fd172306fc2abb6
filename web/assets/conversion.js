// Writing records in another notation, with what it cannot say.

import { post } from "./api.js";
import { button, el, fill, labeled, put, save, select } from "./dom.js";
import { failure, loading } from "./notice.js";
import { counted } from "./words.js";

const SHOWN = 4000;

/** Returns the form: `chosen` gives what to convert, `options` how to read it. */
export function conversion(formats, chosen, options, signal) {
  const to = select(formats.map(({ name, words }) => [name, words ? `${name} (${words})` : name]), "jsonl");
  const out = el("div", { "aria-live": "polite" });
  const go = button("Convert", async () => {
    const sources = chosen();
    fill(out);
    if (sources.length === 0) return put(out, el("p", { class: "empty" }, "Choose files or paste records first."));
    for (const source of sources) {
      const place = el("section", {}, loading("Writing"));
      put(out, place);
      try {
        const answer = await post("/api/convert", { ...options(), to: to.value, name: source.file }, source.body, signal);
        fill(place, written(source.name, answer, to.value));
      } catch (error) {
        if (error.name !== "AbortError") fill(place, failure(error));
      }
    }
  });
  return el("div", { class: "convert" }, el("h2", {}, "Convert"), el("p", { class: "row" }, labeled("To", to), go), out);
}

function written(name, answer, format) {
  const file = `${name.replace(/\.[^.]*$/, "").replace(/\s+/g, "-")}.${answer.extension ?? format}`;
  const cut = answer.text.length > SHOWN;
  return [el("h3", {}, name), el("p", { class: "row" }, button(`Download ${file}`, () => save(answer.text, file)),
    answer.skipped ? `${counted(answer.skipped, "record")} could not be written.` : ""),
  answer.losses.length ? el("details", { open: answer.losses.length < 8 }, el("summary", {}, `${counted(answer.losses.length, "loss", "losses")}: what the notation cannot say`),
    el("ul", {}, answer.losses.map((loss) => el("li", {}, `${loss.game ? `record ${loss.game}: ` : ""}${loss.what}${loss.count > 1 ? ` (${loss.count} times)` : ""}`)))) : el("p", { class: "dim" }, "Nothing was lost."),
  el("pre", { class: "record", tabindex: 0 }, cut ? `${answer.text.slice(0, SHOWN)}\n…` : answer.text)];
}
