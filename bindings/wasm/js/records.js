// Records as text: an editor, and the findings about it.

import { debounce, el } from "../../../web/assets/dom.js";
import { findingItem, severityCounts } from "../../../web/assets/findings.js";

/** Returns an area for a record; `change` is called with its text shortly after the last key. */
export function editor(text, change) {
  const area = el("textarea", { rows: 8, spellcheck: "false", "aria-label": "Record" }, text);
  area.addEventListener("input", debounce(() => change(area.value), 200));
  return area;
}

/** Returns findings as a list. */
export function findingList(findings) {
  if (!findings.length) return null;
  const items = findings.map((one) => findingItem(one, el("code", { title: one.name }, one.code)));
  return [severityCounts(findings), el("ul", { class: "excerpts" }, items)];
}
