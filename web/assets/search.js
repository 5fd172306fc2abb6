// The search page: a query that is typed, filled into a form, or drawn on a board, and its hits.

import { address, get } from "./api.js";
import { chooser, mostPlayedVariant } from "./chooser.js";
import { compose, parse } from "./clauses.js";
import { button, debounce, el, fill, labeled, link, select, withCode } from "./dom.js";
import { noticeIfEmpty } from "./emptycorpus.js";
import { filters } from "./filters.js";
import { hitCard, hitCounts } from "./hits.js";
import { empty, excerpt, failure, loading } from "./notice.js";
import { variantTitles } from "./variantname.js";
import { pageHelp } from "./pagehelp.js";
import { PatternEditor } from "./pattern.js";
import { queryHelp } from "./queryhelp.js";
import { change, params } from "./address.js";
import { integer } from "./format.js";

const PAGE_SIZE = 24;
/** The widths at which the hits are below the form, as in the style sheet. */
const NARROW = "(max-width: 60rem)";
/** The orders of hits; the first one is that of an address without an order. */
const ORDERS = [["notable", "notable games first"], ["date", "newest first"], ["rating", "highest ratings first"], ["length", "longest first"], ["relevance", "best matches first"], ["corpus", "order of import"]];
const UNITS = [["", "games"], ["position", "positions"]];
const EXAMPLES = ["pattern corner \"??t/?t?/t??\"", "king_can_escape to_move:attackers", "shieldwall or many_captured", "pattern king \"?x?/.K./?x?\"",
  "result:defenders plies<=40", "capture then capture within 1"];

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Search · Taflbase";
  const page = new Search(main, signal);
  await page.start();
  return page;
}

class Search {
  constructor(main, signal) {
    this.signal = signal;
    this.request = 0;
    this.titles = null;
    this.searchLater = debounce((query) => signal.aborted || this.paint(query), 200);
    // The address of the pattern that is being painted.
    this.painted = null;
    this.results = el("section", { "aria-label": "Hits", tabindex: -1 });
    // On a narrow page, the hits are below the form.
    this.found = el("p", { class: "narrow" });
    const editorHost = el("div", {});
    this.editor = new PatternEditor(editorHost, (pattern) => this.setPattern(pattern));
    this.filters = filters(["player", "won", "tournament", "result", "reason", "year", "rating", "plies", "event"], params().get("query") ?? "",
      (query) => this.search(query), { label: "Query", rows: 2 });
    this.help = queryHelp();
    this.chooser = chooser(null, (name) => this.setVariant(name), { none: "all variants" });
    const hasRoom = !matchMedia(NARROW).matches || !params().get("query");
    fill(main, el("h1", {}, "Search"), this.found, el("div", { class: "split" },
      el("div", { class: "left" }, el("details", { class: "drawbox", open: hasRoom }, el("summary", {}, "Draw a pattern"), editorHost)),
      el("div", { class: "right" }, this.chooser.host, this.filters.host, this.help, this.results)));
  }

  async start() {
    const { variant } = parse(params().get("query") ?? "");
    const shown = variant && !variant.includes("*") ? variant : await mostPlayedVariant();
    try {
      await this.editor.setRules({ variant: shown });
      this.board = shown;
    } catch (error) {
      // The query may name an unknown variant; the editor shows another one then.
      if (error.code !== "unknown-variant") throw error;
      await this.editor.setRules({ variant: await mostPlayedVariant() });
    }
    await this.follow();
  }

  setPattern(pattern) {
    const query = compose({ ...parse(this.filters.text()), position: null, pattern });
    this.filters.set(query);
    this.searchLater(query);
  }

  /** Searches for the painted pattern. The Back button returns to the query before the painting, not to each cell. */
  paint(query) {
    change({ query, offset: null }, { replace: this.painted === location.href });
    this.painted = location.href;
  }

  setVariant(variant) {
    const query = compose({ ...parse(this.filters.text()), variant });
    this.filters.set(query);
    this.search(query);
  }

  search(query) {
    change({ query, offset: null });
  }

  /** Shows the hits of the address. */
  async follow() {
    const query = params().get("query") ?? "";
    const request = this.request += 1;
    this.filters.set(query);
    const { variant, position, pattern } = parse(query);
    this.chooser.set(variant ?? null);
    if (variant && !variant.includes("*") && variant !== this.board) {
      try {
        await this.editor.setRules({ variant });
        this.board = variant;
      } catch {
        // The search reports the unknown variant.
      }
      if (request !== this.request) return;
    }
    this.editor.show(pattern ?? position ?? null);
    if (query) return this.find(query, request);
    const isEmpty = await noticeIfEmpty();
    if (request === this.request) fill(this.results, isEmpty ?? this.examples());
  }

  async find(query, request) {
    const offset = Number(params().get("offset")) || 0;
    fill(this.results, loading("Searching"));
    fill(this.found);
    try {
      this.titles ??= await variantTitles();
      const answer = await this.ask({ query, offset, limit: PAGE_SIZE, ...this.order() });
      const isEmpty = answer.hits.length === 0 ? await noticeIfEmpty() : null;
      if (request !== this.request) return;
      if (isEmpty) return fill(this.results, isEmpty);
      fill(this.results, this.hits(answer, query, offset));
      fill(this.found, answer.hits.length ? button(`Show ${hitCounts(answer)}`, () => this.showResults()) : "No hits.");
    } catch (error) {
      if (error.name === "AbortError" || request !== this.request) return;
      fill(this.results, error.code === "bad-query" ? [excerpt(query, { ...error, message: error.message, help: null }), button("Help with queries", () => this.openHelp())] : failure(error, () => this.follow()));
    }
  }

  /** Returns the answer to a search. If there are too many hits to sort in time, they are in the order of import. */
  async ask(search) {
    try {
      return await get("/api/search", search, this.signal);
    } catch (error) {
      if (error.code !== "too-slow" || params().get("sort")) throw error;
      return { ...await get("/api/search", { ...search, sort: "corpus" }, this.signal), isUnsorted: true };
    }
  }

  showResults() {
    this.results.scrollIntoView({ block: "start" });
    this.results.focus({ preventScroll: true });
  }

  openHelp() {
    this.help.open = true;
    this.help.querySelector("summary").focus();
    this.help.scrollIntoView({ block: "start" });
  }

  /** Returns the order and the unit of hits in the address. */
  order() {
    const chosen = (name, options) => options.some(([value]) => value === params().get(name)) ? params().get(name) : options[0][0];
    return { sort: chosen("sort", ORDERS), per: chosen("per", UNITS) };
  }

  hits(answer, query, offset) {
    if (answer.hits.length === 0 && offset === 0) {
      return empty(el("p", {}, "No hits."), (answer.notes ?? []).map((note) => el("p", { class: "dim" }, withCode(pageHelp(note)))),
        el("p", { class: "dim" }, "Remove a condition, paint fewer cells, or let the pattern match anywhere."));
    }
    if (answer.hits.length === 0) return empty(el("p", {}, "There are no more hits."), button("First hits", () => change({ offset: null })));
    const isFull = answer.hits.length === PAGE_SIZE;
    const pages = el("p", { class: "pages row" },
      button("◀ Previous", () => change({ offset: Math.max(0, offset - PAGE_SIZE) || null }), { disabled: offset === 0 }),
      `${integer(offset + 1)} to ${integer(offset + answer.hits.length)}`,
      button("Next ▶", () => change({ offset: offset + PAGE_SIZE }), { disabled: !isFull }));
    const { sort, per } = { ...this.order(), ...(answer.isUnsorted ? { sort: "corpus" } : {}) };
    // Without a limit, the server sends as many hits as it allows in the format.
    const download = (format) => link(format, address("/api/search", { query, format, sort, per }), { download: `hits.${format}` });
    const orders = el("div", { class: "row" }, labeled("Sort hits", select(ORDERS, sort, (value) => change({ sort: value === ORDERS[0][0] && !answer.isUnsorted ? null : value, offset: null }))),
      labeled("Show", select(UNITS, per, (value) => change({ per: value || null, offset: null }))));
    return [orders, answer.isUnsorted ? el("p", { class: "dim" }, "There are too many hits to sort in time, so they are in the order of import. Add a condition to sort them.") : null,
      el("p", { class: "row" }, el("strong", { class: "sums" }, hitCounts(answer)), el("span", {}, "Download: ", download("jsonl"), " ", download("csv"))),
      el("ul", { class: "cards" }, answer.hits.map((hit) => hitCard(hit, this.titles))), offset || isFull ? pages : null];
  }

  examples() {
    const list = el("ul", {}, EXAMPLES.map((query) => el("li", {}, link(el("code", {}, query), `/search?query=${encodeURIComponent(query)}`))));
    return el("div", { class: "empty" }, el("p", {}, "Paint pieces on the board, fill in the form, or type a query, for example:"), list);
  }
}
