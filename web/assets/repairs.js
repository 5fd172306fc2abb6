// Repairs of broken records: suggestions beside the findings, and buttons that apply them to the text.

import { post } from "./api.js";
import { button, el, put, withCode } from "./dom.js";
import { failure } from "./notice.js";
import { percent } from "./format.js";

/** The maximum number of repairs that are shown of a record. */
const MAX_SHOWN = 3;

/**
 * Adds the repairs of a text to the items of its findings, and a button that applies all that are unambiguous. `items` are pairs of a
 * finding and its item; `replace` is called with a changed text.
 */
export async function showRepairs({ body, options, items, host, replace, signal }) {
  const errors = items.filter(([finding]) => finding.severity === "error");
  if (errors.length === 0) return;
  const ask = (parameters) => post("/api/repair", { ...options, ...parameters }, body, signal);
  const apply = async (parameters, place) => {
    try {
      replace((await ask(parameters)).text);
    } catch (error) {
      if (error.name !== "AbortError") put(place, failure(error));
    }
  };
  const { records, summary } = await ask({});
  for (const record of records) {
    const [, item] = errors.find(([finding]) => finding.game === record.game) ?? [];
    if (item && record.repairs.length) put(item, suggestions(record, apply));
    if (item && record.other_variants.length) {
      put(item, el("p", { class: "dim" }, `Right as it is, but by other rules: ${record.other_variants.join(", ")}.`));
    }
  }
  if (summary.decided > 1) {
    put(host, el("p", {}, button(`Repair ${summary.decided} records`, () => apply({ apply: "sure" }, host), { title: "Apply every unambiguous repair" })));
  }
}

function suggestions(record, apply) {
  const list = el("ul", { class: "repairs" });
  record.repairs.slice(0, MAX_SHOWN).forEach((repair, at) => {
    const changes = repair.edits.map(({ change }) => change).join("; then ");
    put(list, el("li", {}, button("Apply", () => apply({ record: record.game, repair: at + 1 }, list), { "aria-label": `Apply: ${changes}` }), " ", withCode(changes),
      el("span", { class: "dim" }, ` ${percent(repair.confidence)} likely; ${repair.agree.moves} more moves fit`)));
  });
  return [el("p", { class: "dim" }, record.standing === "decided" ? "Suggested repair:" : "Possible repairs:"), list];
}
