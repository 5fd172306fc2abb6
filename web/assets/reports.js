// The reports page: the kind, the variants, and the filter; the document in a frame, and links to other formats.

import { Failure, address, variants } from "./api.js";
import { inBase } from "./base.js";
import { chooser, mostPlayedVariant } from "./chooser.js";
import { el, fill, labeled, link, select } from "./dom.js";
import { noticeIfEmpty } from "./emptycorpus.js";
import { filters } from "./filters.js";
import { failure, loading } from "./notice.js";
import { linkRows } from "./reportlinks.js";
import { change, complete, params, queryParam } from "./address.js";

const KINDS = [["balance", "Balance: win rates of the sides"], ["openings", "Openings: first moves and their results"], ["lengths", "Lengths: numbers of plies"],
  ["players", "Players: ratings and results"], ["player", "Player: results, openings, and errors"], ["crosstable", "Crosstable: results between players"], ["map", "Map: similar variants"], ["health", "Health: quality of the records"],
  ["compare", "Compare: two variants"], ["accuracy", "Accuracy: errors of the players"]];
/** The reports that need a variant. */
const NEED_VARIANT = ["openings", "lengths", "accuracy"];
/** The reports that are always about all variants. */
const ALL_VARIANTS = ["map"];
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
    this.request = 0;
    this.document = el("div", { class: "document" });
    this.links = el("p", { class: "downloads" });
    this.kind = select(KINDS, params().get("kind"), (kind) => change({ kind }));
    this.first = chooser(params().get("variant"), (variant) => change({ variant }), { none: "all variants" });
    this.second = chooser(params().get("variant2"), (variant2) => change({ variant2 }), { label: "and" });
    this.nameField = el("input", { type: "text", maxlength: 300, change: () => change({ name: this.nameField.value.trim() }) });
    this.name = labeled("Player", this.nameField);
    this.filters = filters(["year", "rating", "player", "tournament", "result"], queryParam() ?? "", (query) => change({ query, where: null }), { label: "Query" });
    fill(main, el("h1", {}, "Reports"), el("div", { class: "toolbar" }, labeled("Report", this.kind), this.first.host, this.second.host, this.name),
      el("details", { open: Boolean(queryParam()) }, el("summary", {}, "Filter games"), this.filters.host), this.links, this.document);
  }

  url(format) {
    const query = params();
    const kind = query.get("kind") ?? "balance";
    return address("/api/report", { kind, variant: ALL_VARIANTS.includes(kind) ? null : query.get("variant"), variant2: kind === "compare" ? query.get("variant2") : null, query: queryParam(), name: kind === "player" ? query.get("name") : null, against: kind === "player" ? query.get("against") : null, format });
  }

  /** Returns what must be chosen before a report of a kind can be written; null if nothing is missing. */
  missing(kind) {
    const query = params();
    if (kind === "compare" && !query.get("variant")) return "Choose two variants above.";
    if (kind === "compare" && !query.get("variant2")) return "Choose the second variant.";
    if (kind === "player" && !query.get("name")) return "Enter the name of a player above, as it is in the records.";
    if (NEED_VARIANT.includes(kind) && !query.get("variant")) return "Choose a variant above: for all variants, this report is too large for a page.";
    return null;
  }

  /** Shows the report of the address. */
  async follow() {
    const request = this.request += 1;
    const query = params();
    const kind = query.get("kind") ?? "balance";
    this.kind.value = kind;
    this.first.set(query.get("variant"));
    this.second.set(query.get("variant2"));
    this.first.host.hidden = ALL_VARIANTS.includes(kind);
    this.second.host.hidden = kind !== "compare";
    this.name.hidden = kind !== "player";
    if (document.activeElement !== this.nameField) this.nameField.value = query.get("name") ?? "";
    this.filters.set(queryParam() ?? "");
    fill(this.links, "Download as ", FORMATS.map(([format, name]) => link(name, this.url(format), { download: `${kind}.${format}` })));
    const missing = this.missing(kind);
    const nothing = await noticeIfEmpty() ?? (missing ? el("p", { class: "empty" }, missing) : null);
    if (request !== this.request) return;
    if (nothing) {
      fill(this.links);
      fill(this.document, nothing);
      return;
    }
    fill(this.document, loading("Writing the report"));
    const url = this.url("html");
    try {
      // A frame doesn't report errors, so the document is requested once before the frame loads it.
      const response = await fetch(inBase(url), { signal: this.signal });
      if (request !== this.request) return;
      if (!response.ok) throw new Failure((await response.json()).error ?? {}, response.status);
      await response.text();
      if (request === this.request) this.show(url, kind);
    } catch (error) {
      if (error.name === "AbortError" || request !== this.request) return;
      const shown = error instanceof Failure ? error : new Failure({ code: "gone", message: "The report could not be loaded.", help: "Check that the server is running." });
      fill(this.document, failure(shown, () => this.follow()));
    }
  }

  show(url, kind) {
    const frame = el("iframe", { src: url, sandbox: "allow-same-origin allow-popups allow-top-navigation-by-user-activation", title: `Report: ${kind}` });
    frame.addEventListener("load", async () => {
      this.fit(frame);
      linkRows(frame, await variants().catch(() => []));
    });
    fill(this.document, frame);
  }

  /** Makes the frame as high as its document. */
  fit(frame) {
    let page = null;
    try {
      page = frame.contentDocument;
    } catch {
      // The page can't access the document; the frame keeps the height of the style sheet.
    }
    const height = page?.documentElement?.scrollHeight ?? 0;
    if (height > 0) frame.style.height = `${height + 24}px`;
  }
}
