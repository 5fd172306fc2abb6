// The page of puzzles: one a day, and as many as the corpus has. Each has one winning first move.

import { inBase } from "./base.js";
import { change, params } from "./address.js";
import { board as boardOf, get, stream } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./boardinput.js";
import { announce, button, el, fill, labeled, link, select } from "./dom.js";
import { copyLink } from "./copylink.js";
import { noticeIfEmpty } from "./emptycorpus.js";
import { empty, failure } from "./notice.js";
import { variantTitles } from "./variantname.js";
import { fetchPosition, movesOf, positionLinks, positionScene, withMove } from "./position.js";
import { counted, moveCells, percent, splitMoves } from "./format.js";

/** The number of positions of the search that judges a move that differs from the solution. */
const JUDGE_NODES = 20_000;
/** The pause before the reply, in milliseconds. */
const REPLY_DELAY = 450;

const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Returns today's date in the user's time zone: `2026-11-24`. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Returns the difficulty in words: the proportion of the variant's puzzles that took the engine fewer positions. */
function difficultyText(proportion) {
  const words = proportion < 1 / 3 ? "easy" : proportion < 2 / 3 ? "medium" : "hard";
  return `${words} (harder than ${percent(proportion)} of the variant’s puzzles)`;
}

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Puzzles · Taflbase";
  const page = new PuzzlePage(main, signal);
  await page.follow();
  return page;
}

class PuzzlePage {
  constructor(main, signal) {
    this.signal = signal;
    this.request = 0;
    this.content = el("div", {});
    this.filters = el("div", { class: "fields" });
    fill(main, el("h1", {}, "Puzzles"), this.filters, this.content);
  }

  /** Shows the puzzle of the address; without a key or a seed, that of the day. */
  async follow() {
    const request = this.request += 1;
    const query = params();
    const wanted = { variant: query.get("variant"), theme: query.get("theme"), key: query.get("key"), seed: query.get("seed") };
    const isDaily = !wanted.key && !wanted.seed;
    try {
      const found = await get("/api/puzzle", isDaily ? { ...wanted, day: today() } : wanted, this.signal);
      if (request !== this.request) return;
      const titles = await variantTitles();
      if (request !== this.request) return;
      this.showFilters(found, titles);
      if (!found.puzzle) return fill(this.content, await noticeIfEmpty() ?? noPuzzle(found, wanted));
      await this.showPuzzle(found, isDaily);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.content, failure(error, () => this.follow()));
    }
  }

  showFilters({ variants, themes }, titles) {
    const options = (counts, none) => [["", none], ...Object.entries(counts).map(([name, n]) => [name, `${titles.get(name) || name.replace(/-/g, " ")} (${n})`])];
    const chosen = (name) => params().get(name) ?? "";
    fill(this.filters, labeled("Variant", select(options(variants, "all variants"), chosen("variant"), (variant) => change({ variant, key: null }))),
      labeled("Theme", select(options(themes, "all themes"), chosen("theme"), (theme) => change({ theme, key: null }))));
  }

  async showPuzzle({ puzzle, harder_than: proportion, total }, isDaily) {
    // The record of rules with a name of their own has only the rules string.
    const rules = await boardOf({ variant: puzzle.variant }).then(() => ({ variant: puzzle.variant }), () => ({ rules: puzzle.rules }));
    this.layout = await boardOf(rules);
    Object.assign(this, { puzzle, start: { ...rules, position: puzzle.position, side: puzzle.side }, nWrong: 0, isOver: false });
    const host = el("div", { class: "boardhost" });
    this.board = new Board(host, { label: "Board of the puzzle" });
    this.board.setBoard(this.layout);
    this.input = new BoardInput(this.board, (from, to) => this.attempt(from, to));
    this.status = el("p", { class: "status", role: "status" });
    this.links = el("div", {});
    this.solution = button("Solution", () => this.solve());
    this.next = button("Next puzzle", () => change({ key: null, seed: String(Math.floor(Math.random() * 1e9)) }), { class: "main" });
    fill(this.content, el("div", { class: "split" }, el("div", { class: "left" }, host, this.status, el("div", { class: "controls" },
      button("Hint", () => this.hint()), this.solution, button("Start again", () => this.restart()), this.next)),
    el("div", { class: "right" }, el("h2", {}, isDaily ? `The puzzle of ${today()}` : "The puzzle"),
      el("p", {}, `The ${puzzle.side} are to move and win. Only one move wins.`),
      el("dl", { class: "facts" }, [["Variant", this.layout.title ?? puzzle.variant], ["Difficulty", difficultyText(proportion)],
        ["Puzzles to choose from", String(total)]].map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])),
      this.links, el("p", {}, copyLink("Copy link to this puzzle", () => `${location.origin}${inBase("/puzzles")}?key=${puzzle.key}`)))));
    await this.restart();
  }

  restart() {
    this.at = 0;
    this.isOver = false;
    fill(this.links);
    return this.show([], `The ${this.puzzle.side} win. Find the move.`);
  }

  /** Shows the position after moves from the start of the puzzle. */
  async show(moves, text, { glide = false } = {}) {
    const before = this.board.shown.pieces;
    const pos = { ...this.start, moves: moves.join(",") };
    const answer = await fetchPosition(pos, this.signal);
    Object.assign(this, { pos, answer });
    this.board.show(positionScene(answer, before), { glide });
    this.input.moves = answer.outcome || this.isOver ? {} : movesOf(answer, this.puzzle.side);
    this.say(text);
  }

  say(text) {
    fill(this.status, text);
    announce(text);
  }

  async attempt(from, to) {
    const { puzzle } = this;
    const wanted = moveCells(puzzle.solution[this.at]);
    const before = splitMoves(this.pos.moves);
    const played = withMove(this.pos, from, to).split(",");
    this.input.moves = {};
    // Until the answers arrive, the status is that of the last move.
    this.status.setAttribute("aria-busy", "true");
    try {
      const isWanted = wanted.from === from && wanted.to === to;
      await this.show(played, isWanted ? "Right." : "Is that as good?", { glide: true });
      this.input.moves = {};
      if (!isWanted && !(await this.wins())) {
        this.nWrong += 1;
        return await this.show(before, `${from}-${to} doesn’t win. Try again.`);
      }
      // After another move that wins, the rest of the solution no longer applies.
      if (!isWanted || this.answer.outcome || this.at + 1 >= puzzle.solution.length) return this.succeed();
      this.at += 1;
      // In a chain of captures, a side moves several times.
      while (!this.answer.outcome && this.isReply(puzzle.solution[this.at])) {
        await wait(REPLY_DELAY);
        const reply = puzzle.solution[this.at].split("x")[0];
        await this.show([...splitMoves(this.pos.moves), reply], "Right. And now?", { glide: true });
        this.at += 1;
      }
      if (this.answer.outcome || this.at >= puzzle.solution.length) return this.succeed();
      if (splitMoves(this.pos.moves).length === played.length) this.say("Right. And now?");
      if (!this.isOver) this.input.moves = movesOf(this.answer, puzzle.side);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.status, failure(error, () => this.restart()));
    } finally {
      this.status.removeAttribute("aria-busy");
    }
  }

  /** Returns whether a move of the solution is one of the other side; there is none after the end. */
  isReply(move) {
    const { from } = moveCells(move);
    return this.answer.pieces.some(({ cell, side }) => cell === from && side !== this.puzzle.side);
  }

  /** Returns whether the side of the puzzle wins in the position that is shown. */
  async wins() {
    if (this.answer.outcome) return this.answer.outcome.winner === this.puzzle.side;
    if (this.at === 0) return false;
    let best = null;
    await stream("/api/analysis", { ...this.pos, nodes: JUDGE_NODES }, this.signal, (_, data) => { best = data.lines[0] ?? best; });
    return best?.wins === this.puzzle.side;
  }

  succeed() {
    this.isOver = true;
    this.input.moves = {};
    const tries = this.nWrong ? `, after ${counted(this.nWrong, "wrong move")}` : "";
    this.say(`Solved${tries}: ${this.puzzle.solution.join(" ")}.`);
    this.showOrigin();
  }

  showOrigin() {
    const { puzzle } = this;
    fill(this.links, el("p", {}, puzzle.number ? ["From ", link("a game of the corpus", `/game/${puzzle.number}#${puzzle.after_ply}`), `, after ply ${puzzle.after_ply}. `] : null,
      `Themes: ${puzzle.themes.join(", ").replace(/-/g, " ") || "none"}.`),
      positionLinks({ ...this.start }, puzzle.position));
  }

  hint() {
    if (this.isOver) return;
    const { from } = moveCells(this.puzzle.solution[this.at]);
    this.board.show({ ...this.board.shown, marks: [{ cell: from, kind: "note", words: "moves in the solution" }] });
    this.say(`The piece on ${from} moves.`);
  }

  async solve() {
    this.isOver = true;
    await this.show([], `The solution: ${this.puzzle.solution.join(" ")}.`);
    this.board.show({ ...this.board.shown, arrows: [{ ...moveCells(this.puzzle.solution[0]), kind: "best" }] });
    this.showOrigin();
  }
}

function noPuzzle({ variants }, { key }) {
  if (key && Object.keys(variants).length > 0) return empty(el("p", {}, "The corpus does not have this puzzle."), el("p", {}, link("The puzzle of the day", "/puzzles")));
  if (Object.keys(variants).length > 0) return empty(el("p", {}, "No puzzle has this variant and this theme."));
  return empty(el("p", {}, "The corpus has no puzzles yet."), el("p", { class: "dim" }, "Create some in a terminal; it takes about a second for each game:"),
    el("pre", { tabindex: 0 }, "tafl puzzles CORPUS --nodes 5000 --store"));
}
