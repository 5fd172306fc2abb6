// Searching: a question in words, or drawn on a board, and what fits it.

import { address, get } from "./api.js";
import { chooser, mostPlayedVariant } from "./chooser.js";
import { compose, parse } from "./clauses.js";
import { button, el, fill, link, put, settled } from "./dom.js";
import { filters } from "./filters.js";
import { hit, sums } from "./hits.js";
import { empty, failure, loading, pointed } from "./notice.js";
import { PatternEditor } from "./pattern.js";
import { change, params } from "./address.js";
import { whole } from "./words.js";

const PAGE = 24;
const EXAMPLES = ["pattern corner \"??t/?t?/t??\"", "king_can_escape to_move:attackers", "shieldwall or many_captured", "pattern king \"?x?/.K./?x?\"",
  "result:defenders plies<=40", "capture then capture within 1"];

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Search · Taflbase";
  const page = new Search(main, signal);
  await page.begin();
  return page;
}

class Search {
  constructor(main, signal) {
    this.signal = signal;
    this.asked = 0;
    this.later = settled((query) => signal.aborted || change({ query, offset: null }, { replace: true }), 200);
    this.results = el("section", { "aria-label": "What was found" });
    const drawing = el("div", {});
    this.editor = new PatternEditor(drawing, (pattern) => this.drawn(pattern));
    this.filters = filters(["player", "won", "result", "reason", "year", "rating", "plies", "event"], params().get("query") ?? "",
      (query) => this.typed(query), { label: "Question", rows: 2 });
    this.chooser = chooser(null, (name) => this.variant(name), { none: "all variants" });
    this.drawBox = el("details", { class: "drawbox", open: true }, el("summary", {}, "Draw a pattern"), drawing);
    fill(main, el("h1", {}, "Search"), el("div", { class: "split" },
      el("div", { class: "left" }, this.drawBox),
      el("div", { class: "right" }, this.chooser.host, this.filters.host, this.results)));
  }

  async begin() {
    const said = parse(params().get("query") ?? "");
    const named = said.variant && !said.variant.includes("*") ? said.variant : await mostPlayedVariant();
    try {
      await this.editor.on({ variant: named });
      this.board = named;
    } catch (error) {
      // A question may name a variant that no catalog has; the board is that of another one then.
      if (error.code !== "unknown-variant") throw error;
      await this.editor.on({ variant: await mostPlayedVariant() });
    }
    await this.follow();
  }

  drawn(pattern) {
    const said = parse(this.filters.text());
    const next = compose({ ...said, pattern });
    this.filters.set(next);
    this.later(next);
  }

  async variant(name) {
    const next = compose({ ...parse(this.filters.text()), variant: name });
    this.filters.set(next);
    change({ query: next, offset: null });
  }

  typed(query) {
    change({ query, offset: null });
  }

  /** Shows what the address says. */
  async follow() {
    const query = params().get("query") ?? "";
    const turn = this.asked += 1;
    this.filters.set(query);
    const said = parse(query);
    this.chooser.set(said.variant ?? null);
    if (said.variant && !said.variant.includes("*") && said.variant !== this.board) {
      try {
        await this.editor.on({ variant: said.variant });
        this.board = said.variant;
      } catch {
        // The search itself says that the variant is unknown.
      }
      if (turn !== this.asked) return;
    }
    this.editor.show(said.pattern ?? null);
    if (!query) return fill(this.results, this.welcome());
    await this.find(query, turn);
  }

  async find(query, turn) {
    const offset = Number(params().get("offset")) || 0;
    fill(this.results, loading("Searching"));
    try {
      const answer = await get("/api/search", { query, offset, limit: PAGE }, this.signal);
      if (turn !== this.asked) return;
      fill(this.results, this.found(answer, query, offset));
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.asked) return;
      fill(this.results, error.code === "bad-query" ? pointed(query, error) : failure(error, () => this.follow()));
    }
  }

  found(answer, query, offset) {
    if (answer.hits.length === 0 && offset === 0) {
      return empty(el("p", {}, "Nothing fits."), (answer.notes ?? []).map((note) => el("p", { class: "dim" }, typeof note === "string" ? note : note.words ?? note.message)),
        el("p", { class: "dim" }, "Take a condition away, paint fewer cells, or let the pattern lie anywhere."));
    }
    const more = answer.hits.length === PAGE;
    const pages = el("p", { class: "pages row" },
      button("◀ Before", () => change({ offset: Math.max(0, offset - PAGE) || null }), { disabled: offset === 0 }),
      `${whole(offset + 1)} to ${whole(offset + answer.hits.length)}`,
      button("More ▶", () => change({ offset: offset + PAGE }), { disabled: !more }));
    const took = (format) => link(format, address("/api/search", { query, format, limit: 100_000 }), { download: `hits.${format}` });
    return [el("p", { class: "row" }, el("strong", { class: "sums" }, sums(answer)), el("span", {}, "Download: ", took("ndjson"), " ", took("csv"))),
      el("ul", { class: "cards" }, answer.hits.map(hit)), offset || more ? pages : null];
  }

  welcome() {
    const list = el("ul", {});
    for (const query of EXAMPLES) put(list, el("li", {}, link("", `/search?query=${encodeURIComponent(query)}`)));
    list.querySelectorAll("a").forEach((anchor, at) => anchor.append(el("code", {}, EXAMPLES[at])));
    return el("div", { class: "empty" }, el("p", {}, "Paint pieces on the board, fill in the form, or write a question. For example:"), list);
  }
}
