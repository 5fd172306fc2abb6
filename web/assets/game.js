// A game: board, moves, evaluation, explanations, and what is known of its record.

import { board as boardOf, get, rulesOf } from "./api.js";
import { Board } from "./board.js";
import { copy, facts, findings, took } from "./gamefacts.js";
import { annotation } from "./annotation.js";
import { button, el, fill, say, writing } from "./dom.js";
import { Player, marked } from "./player.js";
import { outcomeText, positionLinks } from "./position.js";
import { current, mark, moveSheet, place } from "./movesheet.js";
import { Graph } from "./graph.js";
import { title } from "./words.js";

/** Opens the page. */
export async function open(main, { parts: [id], signal }) {
  const answer = await get(`/api/game/${encodeURIComponent(id)}`, {}, signal);
  // The board of the rules: that of the answer may have the start of this game in its place.
  answer.board = await boardOf(rulesOf(answer.game)).catch(() => answer.board);
  const page = new GamePage(main, id, answer, signal);
  await page.follow();
  return page;
}

class GamePage {
  constructor(main, id, answer, signal) {
    this.id = id;
    this.answer = answer;
    this.signal = signal;
    this.timer = 0;
    const { game } = answer;
    document.title = `${title(game)} · Taflbase`;
    const host = el("div", { class: "boardhost" });
    this.board = new Board(host, { label: `Board of ${title(game)}` });
    this.board.setBoard(answer.board);
    this.player = new Player(answer, signal);
    this.said = el("div", { class: "said" });
    this.fallen = { attackers: el("div", { class: "fallenlist" }), defenders: el("div", { class: "fallenlist" }) };
    this.links = el("div", {});
    this.graphHost = el("div", { class: "graphhost" });
    this.graph = new Graph(this.graphHost, (ply) => this.go({ ply, variation: null, step: 0 }));
    this.sheetHost = el("div", { class: "sheethost" });
    const step = (text, words, press, key) => button(text, press, { "aria-label": words, title: `${words} (${key})` });
    this.play = button("Play", () => this.toggle(), { title: "Play the game (space)" });
    fill(main, el("h1", {}, title(game)), facts(game), el("div", { class: "split" },
      el("div", { class: "left" }, this.fallen.defenders, host, this.fallen.attackers, el("div", { class: "controls" },
        step("|◀", "To the start", () => this.to(0), "Home"), step("◀", "A ply back", () => this.by(-1), "left arrow"), this.play,
        step("▶", "A ply on", () => this.by(1), "right arrow"), step("▶|", "To the end", () => this.to(this.last()), "End"),
        button("Flip", () => this.board.flip(), { title: "Turn the board by half (f)" })), this.said),
      el("div", { class: "right" }, this.graphHost, this.sheetHost, this.links, took(this.id, answer, signal), findings(game), copy(game), record(answer))));
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    host.addEventListener("click", (event) => this.asked(event));
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("hashchange", () => this.follow(), { signal });
    signal.addEventListener("abort", () => clearInterval(this.timer));
    annotation(this.id, answer.evals, signal, (host_) => fill(this.graphHost, host_), (evals) => this.judge(evals));
    this.judge(answer.evals);
  }

  /** Shows evaluations, where there are some. */
  judge(evals) {
    this.evals = evals;
    if (evals) this.graph.draw(evals, this.last());
    this.sheet = moveSheet(this.answer, evals, (at) => this.go(at));
    fill(this.sheetHost, this.sheet);
    if (this.at) this.mark();
  }

  last() {
    return this.answer.plies.length;
  }

  go(at) {
    history.replaceState(null, "", mark(at));
    return this.follow();
  }

  to(ply) {
    return this.go({ ply: Math.max(0, Math.min(this.last(), ply)), variation: null, step: 0 });
  }

  by(step) {
    const { ply, variation, step: inside } = this.at;
    if (variation === null) return this.to(ply + step);
    const length = this.answer.plies[ply - 1].variations[variation].moves.length;
    if (inside + step < 1) return this.to(ply - 1);
    return this.go({ ply, variation, step: Math.min(length, inside + step) });
  }

  /** Shows what the address says. */
  async follow() {
    const at = this.player.sound(place(location.hash));
    const before = this.board.shown.pieces;
    const was = this.at;
    this.at = at;
    const moment = await this.player.moment(at, this.board.geometry, before);
    if (this.at !== at || this.signal.aborted) return;
    this.moment = moment;
    this.board.show(moment.scene, { glide: was && at.ply >= was.ply });
    this.tell();
    this.mark();
    if (at.ply === this.last() && this.timer) this.toggle();
  }

  mark() {
    current(this.sheet, this.at);
    this.graph.at(this.at.ply);
  }

  tell() {
    const { moment } = this;
    const explain = moment.explain.map((one) => button(one.words, () => this.explain(one), { class: "explain", title: "Show the cells" }));
    const end = this.at.ply === this.last() && this.at.variation === null ? this.answer.outcome : null;
    fill(this.said, el("p", { class: "stand" }, moment.words), end ? el("p", { class: "end" }, typeof end === "string" ? end : outcomeText(end)) : null,
      moment.comment ? el("p", { class: "comment" }, moment.comment) : null, explain.length ? el("p", { class: "explains" }, explain) : null, moment.problem);
    fill(this.links, positionLinks(moment.pos, moment.record));
    for (const side of ["attackers", "defenders"]) fill(this.fallen[side], this.player.lost(moment.scene.pieces, side, this.board.geometry));
    say(moment.words);
  }

  /** Marks the cells of an explanation, and says it. */
  explain(one) {
    this.board.show(marked(this.moment.scene, one));
    for (const entry of this.said.querySelectorAll(".explain")) entry.setAttribute("aria-pressed", String(entry.textContent === one.words));
    say(one.words);
  }

  /** A click on a captured piece, or on a cell that decided the game, explains it. */
  asked(event) {
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]")?.dataset.cell : null;
    const one = cell ? this.moment?.explain.find(({ captured }) => captured === cell) ?? this.moment?.explain.find(({ cells }) => cells.includes(cell)) : null;
    if (one) this.explain(one);
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else {
      if (this.at.ply >= this.last()) this.to(0);
      this.timer = setInterval(() => this.by(1), 900);
    }
    this.play.textContent = this.timer ? "Pause" : "Play";
  }

  wheel(event) {
    if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
    event.preventDefault();
    if (event.timeStamp - (this.wheeled ?? 0) < 60) return;
    this.wheeled = event.timeStamp;
    this.by(event.deltaY > 0 ? 1 : -1);
  }

  key(event) {
    if (writing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target instanceof Element ? event.target : document.body;
    if (event.key === " " && on.closest("button, summary, a, [role=button]")) return;
    if (on.closest(".board") && event.key === "Enter") {
      this.asked({ target: on });
      return;
    }
    const error = (by) => {
      const wrong = (this.evals?.plies ?? []).filter(({ judgement }) => ["inaccuracy", "mistake", "blunder"].includes(judgement)).map(({ ply }) => ply);
      const next = by > 0 ? wrong.find((ply) => ply > this.at.ply) : wrong.reverse().find((ply) => ply < this.at.ply);
      if (next) this.to(next);
    };
    const keys = { ArrowRight: () => this.by(1), ArrowLeft: () => this.by(-1), Home: () => this.to(0), End: () => this.to(this.last()),
      " ": () => this.toggle(), f: () => this.board.flip(), e: () => error(1), E: () => error(-1) };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

function record(answer) {
  if (!answer.text) return null;
  return el("details", {}, el("summary", {}, "The record as it was read"), el("pre", { class: "record" }, answer.text));
}
