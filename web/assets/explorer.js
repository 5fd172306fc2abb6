// The explorer: the moves played from a position, and their results.

import { change, params, queryParam } from "./address.js";
import { get } from "./api.js";
import { button, check, el, fill } from "./dom.js";
import { noticeIfEmpty } from "./emptycorpus.js";
import { games, heading, moveTable, sameRules } from "./exploreresult.js";
import { filters } from "./filters.js";
import { HeatMapPanel } from "./heatmaps.js";
import { fillWith } from "./notice.js";
import { movesOf, positionParams } from "./position.js";
import { PositionPage } from "./positionpage.js";
import { tree } from "./tree.js";
import { joinMoves, moveCells, splitMoves } from "./format.js";

const DEPTHS = [2, 3, 4, 5, 6];
/** Up to this number of games, the tree also shows moves that were played only once. */
const SMALL_SAMPLE = 50;

/** Returns the error that ends the work for an address that has changed in the meantime. */
const outdated = () => new DOMException("outdated", "AbortError");

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Explore · Taflbase";
  const page = new Explorer(main, signal);
  await page.follow();
  return page;
}

class Explorer extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "explore", label: "Board to play on", outside: ".chooser, .tree" });
    this.moves = el("div", { class: "found" });
    this.games = el("div", { class: "found" });
    this.tree = el("div", { class: "found" });
    this.heat = new HeatMapPanel(signal);
    this.filters = filters(["year", "rating", "player", "tournament", "result"], queryParam() ?? "",
      (query) => change({ query, where: null }), { label: "Query" });
    this.fold = check("Fold mirror images", !params().get("as_it_stands"), (on) => change({ as_it_stands: on ? null : "1" }),
      "Count moves as one if rotating or mirroring the board makes them the same");
    this.details = el("details", { class: "treepanel" }, el("summary", {}, "Opening tree"), this.tree);
    this.details.addEventListener("toggle", () => this.details.open && this.loadTree());
    fill(main, el("h1", {}, "Explore"), el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.host, this.controls(button("Rotate", () => this.board.rotate(1))), this.status, this.trail,
        this.links, this.rules.host),
      el("div", { class: "right" }, el("div", { class: "toolbar" }, this.chooser.host, this.fold),
        el("details", { class: "filterbox later", open: Boolean(queryParam()) }, el("summary", {}, "Filter games"), this.filters.host),
        this.moves, this.games, this.details, this.heat.host)));
  }

  prepare() {
    this.filters.set(queryParam() ?? "");
    this.fold.control.checked = !params().get("as_it_stands");
  }

  report(error) {
    fill(this.moves, this.problem(error));
  }

  async update(pos, answer, request) {
    document.title = `Explore ${this.variantTitle()} · Taflbase`;
    const position = { ...pos, query: queryParam(), as_it_stands: params().get("as_it_stands") };
    this.heat.set(pos, { query: position.query, asItStands: position.as_it_stands });
    await fillWith(this.moves, "Counting games", this.signal, async () => {
      const found = await get("/api/explore", { ...position, limit: 40 }, this.signal);
      if (request !== this.request) throw outdated();
      this.total = found.games;
      fill(this.games, await this.listed(pos, found));
      const isEmpty = found.games === 0 ? await noticeIfEmpty() : null;
      if (isEmpty) return isEmpty;
      return [heading(found), await sameRules(pos), moveTable(found, {
        play: (line) => this.play([line.move]),
        showArrows: (line) => this.showArrows(line),
        isReply: ({ move }) => answer.may_decline === true && !(moveCells(move).from in movesOf(answer, answer.to_move)),
        isFiltered: Boolean(position.query),
      })];
    });
    if (this.details.open && request === this.request) this.loadTree();
  }

  /** Returns the games of a position. All games have the start, so that notable ones are listed there. */
  async listed(pos, found) {
    const isStart = !pos.position && !pos.moves && pos.variant && found.top.length > 0;
    const notable = isStart ? (await get("/api/games", { variant: pos.variant, query: queryParam(), sort: "notable", limit: 5 }, this.signal)).games : [];
    return games({ ...found, top: notable.length ? notable : found.top }, { isSetUp: Boolean(pos.position) });
  }

  showArrows(line) {
    const moves = line ? [line.move, ...(line.alike ?? [])] : [];
    const arrows = moves.map((move, index) => ({ ...moveCells(move), kind: index === 0 ? "played" : "alike" }));
    this.board.show({ ...this.board.shown, arrows });
  }

  loadTree() {
    const pos = positionParams(params());
    const depth = Number(params().get("depth")) || 3;
    const request = this.request;
    fillWith(this.tree, "Building the tree", this.signal, async () => {
      const found = await get("/api/tree", { ...pos, query: queryParam(), depth, min_games: this.total < SMALL_SAMPLE ? 1 : 2 }, this.signal);
      if (request !== this.request) throw outdated();
      const before = splitMoves(pos.moves);
      return tree(found, { depth, depths: DEPTHS, deeper: (value) => change({ depth: value }),
        go: (path) => this.go({ moves: joinMoves([...before, ...path]) }) });
    });
  }
}
