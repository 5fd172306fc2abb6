// The page of a game: its board, moves, evaluation, explanations, and facts.

import { board as boardOf, get, rulesOf } from "./api.js";
import { params } from "./address.js";
import { Board } from "./board.js";
import { copies, downloads, facts, findings } from "./gamefacts.js";
import { annotation } from "./annotation.js";
import { Retry, betterMoveArrows, errorAt, errorPlies, remark, reviewSummary } from "./review.js";
import { announce, button, el, fill, isTyping, link, onWheel } from "./dom.js";
import { GameReplay, withMarks } from "./gamereplay.js";
import { outcomeText, positionLinks } from "./position.js";
import { anchorOf, markCurrent, moveSheet, parseAnchor } from "./movesheet.js";
import { Graph } from "./graph.js";
import { openingText } from "./people.js";
import { pictureLinks } from "./pictures.js";
import { gameTitle } from "./format.js";
import { RECORD_NAME, playedGame } from "./playedgame.js";
import { recordDownloads } from "./record.js";
import { addGames, gameTags } from "./writing.js";

/** Opens the page. */
export async function open(main, { parts: [id], signal }) {
  const answer = id ? await storedGame(id, signal) : await playedGame(signal);
  const page = new GamePage(main, id, answer, signal);
  await page.follow();
  return page;
}

async function storedGame(id, signal) {
  const answer = await get(`/api/game/${encodeURIComponent(id)}`, {}, signal);
  // The board of the rules; the one in the answer may have another start, that of this game.
  answer.board = await boardOf(rulesOf(answer.game)).catch(() => answer.board);
  return answer;
}

class GamePage {
  /** `id` is the number of a stored game, and undefined for the game of the address. */
  constructor(main, id, answer, signal) {
    this.id = id;
    this.answer = answer;
    this.signal = signal;
    this.timer = 0;
    const { game } = answer;
    const title = id ? gameTitle(game) : "Review of your game";
    document.title = `${title} · Taflbase`;
    // The errors of the user's side if it played one.
    this.you = id ? null : ["attackers", "defenders"].find((side) => side === params().get("you")) ?? null;
    const host = el("div", { class: "boardhost" });
    this.board = new Board(host, { label: `Board of ${title}` });
    this.board.setBoard(answer.board);
    this.replay = new GameReplay(answer, signal);
    this.caption = el("div", { class: "plytext" });
    this.losses = { attackers: el("div", { class: "losses" }), defenders: el("div", { class: "losses" }) };
    this.links = el("div", {});
    this.graphHost = el("div", { class: "graphhost" });
    this.graph = new Graph(this.graphHost, (ply) => this.go({ ply, variation: null, step: 0 }));
    this.summaryHost = el("div", {});
    this.sheetHost = el("div", { class: "sheethost" });
    const step = (text, label, press, key) => button(text, press, { "aria-label": label, title: `${label} (${key})` });
    this.play = button("Play", () => this.toggle(), { title: "Play the game (space)" });
    this.errorButtons = [["Previous error", -1, "E"], ["Next error", 1, "e"]].map(([text, by, key]) => button(text, () => this.goToError(by), { title: `${text} (${key})` }));
    this.errorRow = el("div", { class: "controls", hidden: true }, this.errorButtons);
    fill(main, el("h1", { title }, title), facts(game, answer.board ?? {}), id ? gameTags(game) : null, answer.opening ? el("p", { class: "opening" }, "Opening: ", openingText(answer.opening), link(` from ply ${answer.opening.ply}`, `#${answer.opening.ply}`)) : null, el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.losses.defenders, host, this.losses.attackers, el("div", { class: "controls" },
        step("|◀", "First position", () => this.goToPly(0), "Home"), step("◀", "Previous ply", () => this.stepBy(-1), "left arrow"), this.play,
        step("▶", "Next ply", () => this.stepBy(1), "right arrow"), step("▶|", "Last position", () => this.goToPly(this.last()), "End"),
        button("Flip", () => this.board.flip(), { title: "Rotate the board by 180° (f)" })), this.errorRow, this.caption),
      el("div", { class: "right" }, this.sheetHost, this.graphHost, this.summaryHost, this.links,
        id ? [downloads(this.id, answer, signal), findings(game), copies(game)] : [recordDownloads(() => answer.text, signal), addGames({ body: answer.text, params: { name: RECORD_NAME }, signal })], record(answer))));
    onWheel(host, (by) => this.retry || this.stepBy(by));
    host.addEventListener("click", (event) => this.explainCell(event));
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("hashchange", () => this.follow(), { signal });
    signal.addEventListener("abort", () => clearInterval(this.timer));
    annotation(this.id, answer, signal, (offer) => fill(this.graphHost, offer), (evals) => this.showEvaluations(evals));
    this.showEvaluations(answer.evals);
  }

  /** Shows the graph and the judgments of evaluations; null if the game has none. */
  showEvaluations(evals) {
    this.evals = evals;
    if (evals) {
      this.graph.draw(evals, this.last());
      fill(this.summaryHost, reviewSummary(evals, (ply) => this.goToPly(ply)));
      this.errorRow.hidden = false;
    }
    this.sheet = moveSheet(this.answer, evals, (at) => this.go(at));
    fill(this.sheetHost, this.sheet);
    if (!this.view) return;
    this.showView();
    this.markPly();
  }

  last() {
    return this.answer.plies.length;
  }

  go(at) {
    history.replaceState(null, "", anchorOf(at));
    return this.follow();
  }

  goToPly(ply) {
    return this.go({ ply: Math.max(0, Math.min(this.last(), ply)), variation: null, step: 0 });
  }

  /** Returns the ply of the next error (1), or of the one before (-1); undefined if there is none. */
  errorFrom(ply, by) {
    const plies = errorPlies(this.evals, this.you);
    return by > 0 ? plies.find((one) => one > ply) : plies.reverse().find((one) => one < ply);
  }

  goToError(by) {
    const ply = this.errorFrom(this.at.ply, by);
    return ply === undefined ? null : this.goToPly(ply);
  }

  stepBy(plies) {
    const { ply, variation, step } = this.at;
    if (variation === null) return this.goToPly(ply + plies);
    const length = this.answer.plies[ply - 1].variations[variation].moves.length;
    if (step + plies < 1) return this.goToPly(ply - 1);
    return this.go({ ply, variation, step: Math.min(length, step + plies) });
  }

  /** Shows the position of the address. */
  async follow() {
    const at = this.replay.clamp(parseAnchor(location.hash));
    const before = this.board.shown.pieces;
    const previous = this.at;
    this.at = at;
    const view = await this.replay.viewAt(at, this.board.geometry, before);
    if (this.at !== at || this.signal.aborted) return;
    this.view = view;
    this.retry?.end();
    this.showView({ glide: previous && at.ply >= previous.ply });
    this.markPly();
    if (at.ply === this.last() && this.timer) this.toggle();
  }

  /** Shows the position and its description, and the move that was better than the last one. */
  showView({ glide = false } = {}) {
    const arrows = this.at.variation === null ? betterMoveArrows(this.evals, this.at.ply) : [];
    this.board.show({ ...this.view.scene, arrows }, { glide });
    this.describe();
  }

  /** Lets the user look for a better move than an error. */
  startRetry() {
    const { ply } = this.at;
    const [finding, before] = [errorAt(this.evals, ply), this.evals.positions.find((one) => one.ply === ply - 1)];
    if (!finding || before?.expected === undefined || before.expected === null) return;
    if (this.timer) this.toggle();
    const next = this.errorFrom(ply, 1);
    const tryNext = async () => {
      await this.goToPly(next);
      this.startRetry();
    };
    this.retry = new Retry(this.board, { pos: this.replay.pos(ply - 1), finding, expected: before.expected, nodes: before.nodes || 10_000, signal: this.signal, next: next === undefined ? null : tryNext, done: () => {
      this.retry = null;
      this.showView();
    } });
    fill(this.caption, this.retry.host);
    this.retry.start();
  }

  markPly() {
    markCurrent(this.sheet, this.at);
    this.graph.setPly(this.at.ply);
    this.errorButtons.forEach((one, at) => { one.disabled = this.errorFrom(this.at.ply, at === 0 ? -1 : 1) === undefined; });
  }

  /** Describes the position below the board. */
  describe() {
    const { view } = this;
    const explain = view.explain.map((one) => button(one.words, () => this.explain(one), { class: "explain", title: "Show the cells" }));
    const end = this.at.ply === this.last() && this.at.variation === null ? this.answer.outcome : null;
    fill(this.caption, el("p", { class: "status" }, view.words), end ? el("p", { class: "end" }, outcomeText(end)) : null,
      this.at.variation === null ? remark(this.evals, this.at.ply, () => this.startRetry()) : null,
      // The list of moves has the comments of moves.
      view.comment && this.at.ply === 0 ? el("p", { class: "comment" }, view.comment) : null, explain.length ? el("p", { class: "explains" }, explain) : null, view.problem);
    fill(this.links, positionLinks(view.pos, view.record), pictureLinks(view.pos, this.board));
    this.namePlay();
    for (const side of ["attackers", "defenders"]) fill(this.losses[side], this.replay.losses(view.scene.pieces, side, this.board.geometry));
    announce(view.words);
  }

  /** Marks the cells of an explanation and announces it. */
  explain(one) {
    this.board.show(withMarks(this.view.scene, one));
    for (const entry of this.caption.querySelectorAll(".explain")) entry.setAttribute("aria-pressed", String(entry.textContent === one.words));
    announce(one.words);
  }

  /** Explains the capture on a clicked cell, or the end of the game that the cell decided. */
  explainCell(event) {
    if (this.retry) return;
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]")?.dataset.cell : null;
    const one = cell ? this.view?.explain.find(({ captured }) => captured === cell) ?? this.view?.explain.find(({ cells }) => cells.includes(cell)) : null;
    if (one) this.explain(one);
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else {
      if (this.at.ply >= this.last()) this.goToPly(0);
      this.timer = setInterval(() => this.stepBy(1), 900);
    }
    this.namePlay();
  }

  /** Names the button that plays the game; at the end, it starts again. */
  namePlay() {
    this.play.textContent = this.timer ? "Pause" : this.at.ply >= this.last() ? "Play again" : "Play";
  }

  key(event) {
    if (this.retry || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.key === " " && target.closest("button, summary, a, [role=button]")) return;
    if (target.closest(".board") && event.key === "Enter") {
      this.explainCell({ target });
      return;
    }
    const keys = { ArrowRight: () => this.stepBy(1), ArrowLeft: () => this.stepBy(-1), Home: () => this.goToPly(0), End: () => this.goToPly(this.last()),
      " ": () => this.toggle(), f: () => this.board.flip(), e: () => this.goToError(1), E: () => this.goToError(-1) };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

function record(answer) {
  if (!answer.text) return null;
  return el("details", {}, el("summary", {}, "The original record"), el("pre", { class: "record", tabindex: 0 }, answer.text));
}
