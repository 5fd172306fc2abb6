// Reports: kind, variant and filter; the document in a frame of its own, and the same as data.

import { Failure, address } from "./api.js";
import { chooser, mostPlayedVariant } from "./chooser.js";
import { el, fill, labeled, link, select } from "./dom.js";
import { filters } from "./filters.js";
import { failure, loading } from "./notice.js";
import { change, complete, params, queryParam } from "./address.js";

const KINDS = [["balance", "Balance: who wins, how surely"], ["openings", "Openings: what is played first"], ["lengths", "Lengths: how long games take"],
  ["players", "Players: how strong they are"], ["crosstable", "Crosstable: who played whom"], ["health", "Health: how good the records are"],
  ["compare", "Compare: two variants"], ["accuracy", "Accuracy: how well was played"]];
const FORMATS = [["html", "page"], ["json", "JSON"], ["csv", "CSV"], ["md", "Markdown"]];

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Reports · Taflbase";
  if (!params().get("kind")) {
    const variant = params().get("variant") ?? await mostPlayedVariant();
    if (signal.aborted) return null;
    complete({ kind: "balance", variant });
  }
  const page = new Reports(main, signal);
  await page.follow();
  return page;
}

class Reports {
  constructor(main, signal) {
    this.signal = signal;
    this.asked = 0;
    this.document = el("div", { class: "document" });
    this.links = el("p", { class: "downloads" });
    this.kind = select(KINDS, params().get("kind"), (kind) => change({ kind }));
    this.first = chooser(params().get("variant"), (variant) => change({ variant }), { none: "all variants" });
    this.second = chooser(params().get("variant2"), (variant2) => change({ variant2 }), { label: "and" });
    this.filters = filters(["year", "rating", "player", "result"], queryParam() ?? "", (query) => change({ query, where: null }), { label: "Only games with" });
    fill(main, el("h1", {}, "Reports"), el("div", { class: "bartop" }, labeled("Report", this.kind), this.first.host, this.second.host),
      el("details", { open: Boolean(queryParam()) }, el("summary", {}, "Filter games"), this.filters.host), this.links, this.document);
  }

  asks(format) {
    const said = params();
    const kind = said.get("kind") ?? "balance";
    return address("/api/report", { kind, variant: said.get("variant"), variant2: kind === "compare" ? said.get("variant2") : null, query: queryParam(), format });
  }

  /** Shows what the address says. */
  async follow() {
    const turn = this.asked += 1;
    const said = params();
    const kind = said.get("kind") ?? "balance";
    this.kind.value = kind;
    this.first.set(said.get("variant"));
    this.second.set(said.get("variant2"));
    this.second.host.hidden = kind !== "compare";
    this.filters.set(queryParam() ?? "");
    fill(this.links, "Take it as ", FORMATS.map(([format, name]) => link(name, this.asks(format), { download: `${kind}.${format}` })));
    if (kind === "compare" && !said.get("variant2")) return fill(this.document, el("p", { class: "empty" }, "Choose the second variant."));
    fill(this.document, loading("Writing the report"));
    const url = this.asks("html");
    try {
      // A frame cannot say why it failed, so the document is asked for before it is shown.
      const response = await fetch(url, { signal: this.signal });
      if (turn !== this.asked) return;
      if (!response.ok) throw new Failure((await response.json()).error ?? {}, response.status);
      await response.text();
      if (turn === this.asked) this.show(url, kind);
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.asked) return;
      const gone = error instanceof Failure ? error : new Failure({ code: "gone", message: "The report could not be read.", help: "Is the server still there?" });
      fill(this.document, failure(gone, () => this.follow()));
    }
  }

  show(url, kind) {
    const frame = el("iframe", { src: url, sandbox: "allow-same-origin allow-popups", title: `Report: ${kind}` });
    frame.addEventListener("load", () => this.fit(frame));
    fill(this.document, frame);
  }

  /** Makes the frame as high as its document, where the document may be measured. */
  fit(frame) {
    let page = null;
    try {
      page = frame.contentDocument;
    } catch {
      // A document that is shut off from the page keeps the height of the style sheet.
    }
    const height = page?.documentElement?.scrollHeight ?? 0;
    if (height > 0) frame.style.height = `${height + 24}px`;
  }
}
