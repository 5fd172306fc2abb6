// The review of a game: remarks on its plies, better moves, both sides in numbers, and errors to try again.

import { stream } from "./api.js";
import { BoardInput } from "./boardinput.js";
import { announce, button, el, fill } from "./dom.js";
import { failure } from "./notice.js";
import { fetchPosition, movesOf, positionScene } from "./position.js";
import { DECLINE, capitalize, joinMoves, moveCells, percent, splitMoves } from "./format.js";

const ERRORS = ["inaccuracy", "mistake", "blunder"];

/** The expectation that a second try may lose: less than an inaccuracy does. */
const MAX_LOSS = 0.05;

/** Returns the finding about a ply if it is an error. */
export function errorAt(evals, ply) {
  const finding = evals?.plies?.find((one) => one.ply === ply);
  return finding && ERRORS.includes(finding.judgement) ? finding : null;
}

/** Returns the plies of a game that are errors, of one side or of both. */
export function errorPlies(evals, side = null) {
  return (evals?.plies ?? []).filter((one) => ERRORS.includes(one.judgement) && (!side || one.side === side)).map(({ ply }) => ply);
}

/** Returns the arrow of the move that was better than a ply, if the ply is an error. */
export function betterMoveArrows(evals, ply) {
  const best = errorAt(evals, ply)?.best;
  return best && best !== DECLINE ? [{ ...moveCells(best), kind: "best" }] : [];
}

/** Returns the remark on a ply, with a button for another try if it is an error; null for an ordinary ply. */
export function remark(evals, ply, retry) {
  const finding = evals?.plies?.find((one) => one.ply === ply);
  if (!finding?.words) return null;
  const error = errorAt(evals, ply);
  const lost = error?.loss ? ` It lost ${percent(error.loss)} of the expected score.` : "";
  return el("p", { class: `remark ${error?.judgement ?? ""}` }, `${capitalize(finding.words)}.${lost} `,
    error?.best ? button("Retry", retry, { title: "Find a better move from the position before" }) : null);
}

/** Returns the accuracy and the errors of both sides, and where the game was decided; `go` is called with a ply. */
export function reviewSummary(evals, go) {
  const { attackers, defenders } = evals.sides ?? {};
  if (!attackers || !defenders) return null;
  const rows = [["Accuracy", ({ accuracy }) => (accuracy === null ? "–" : accuracy.toFixed(1))], ["Inaccuracies", (one) => one.inaccuracies], ["Mistakes", (one) => one.mistakes],
    ["Blunders", (one) => one.blunders], ["Missed wins", (one) => one.missed_wins]].map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), [attackers, defenders].map((one) => el("td", {}, value(one)))));
  const decided = evals.words?.decided;
  return el("section", { class: "review", "aria-label": "Review" }, el("table", { class: "moves numbers" },
    el("thead", {}, el("tr", {}, el("td", {}), ["Attackers", "Defenders"].map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows)), decided ? el("p", {}, `${capitalize(decided)}. `,
    evals.turning_point ? button("Show", () => go(evals.turning_point), { "aria-label": `Show ply ${evals.turning_point}` }) : null) : null);
}

/** Returns a move as it is called in sentences. */
function nameOf(move) {
  return move === DECLINE ? "ending the turn" : move;
}

/** Another try at an error: the position before it, on which the user plays. */
export class Retry {
  /** `pos` are the parameters of the position, `best` is the engine's move, `next` tries the next error (null if there is none), and `done` is called at the end. */
  constructor(board, { pos, finding, expected, nodes, signal, next, done }) {
    Object.assign(this, { board, pos, best: finding.best, side: finding.side, expected, nodes, signal, next, done });
    this.status = el("p", { class: "status", role: "status" });
    this.buttons = el("p", { class: "row center" });
    this.host = el("div", { class: "retry" }, this.status, this.buttons);
    this.declineButton = button("End turn", () => this.attempt(DECLINE), { title: "Decline to continue the chain", hidden: true });
    this.showButtons(this.declineButton, button("Hint", () => this.hint()), button("Solution", () => this.solve()));
  }

  showButtons(...others) {
    fill(this.buttons, others, button("Back to the game", () => this.end()));
  }

  /** Shows the position before the error. */
  async start() {
    // One input for each board, because its listeners stay.
    this.board.input ??= new BoardInput(this.board, (from, to) => this.board.retry?.attempt(`${from}-${to}`));
    this.board.retry = this;
    await this.reset(`Find a better move for the ${this.side}.`);
  }

  async reset(text) {
    try {
      this.answer ??= await fetchPosition(this.pos, this.signal);
    } catch (error) {
      fill(this.status, failure(error));
      return;
    }
    if (this.isOver) return;
    this.board.show({ ...positionScene(this.answer), captured: [] });
    this.board.input.moves = movesOf(this.answer, this.side);
    this.declineButton.hidden = !this.answer.may_decline || this.answer.to_move !== this.side;
    this.say(text);
  }

  say(text) {
    fill(this.status, text);
    announce(text);
  }

  /** Judges a move by a search of the position after it. */
  async attempt(move) {
    this.board.input.moves = {};
    this.declineButton.hidden = true;
    const next = { ...this.pos, moves: joinMoves([...splitMoves(this.pos.moves), move]) };
    try {
      const answer = await fetchPosition(next, this.signal);
      if (this.isOver) return;
      this.board.show(positionScene(answer, new Map(this.answer.pieces.map(({ cell, code }) => [cell, code]))), { glide: true });
      if (move === this.best.split("x")[0]) return this.succeed("That is the best move.");
      this.say("The engine is looking at your move…");
      const loss = await this.loss(next, answer);
      if (this.isOver) return;
      if (loss <= MAX_LOSS) this.succeed(`Good: ${nameOf(move)} is as good as the best move, ${nameOf(this.best)}.`);
      else await this.reset(`${move === DECLINE ? capitalize(nameOf(move)) : move} loses ${percent(loss)} of the expected score. Try again.`);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.status, failure(error, () => this.reset("Try again.")));
    }
  }

  /** Returns the expectation that a move loses, from 0 to 1. */
  async loss(next, answer) {
    let expected = answer.outcome ? Number(answer.outcome.winner === "attackers") : null;
    if (answer.outcome?.winner === "draw") expected = 0.5;
    if (expected === null) {
      await stream("/api/analysis", { ...next, nodes: this.nodes }, this.signal, (_, data) => { expected = data.lines[0]?.expected ?? expected; });
    }
    const lost = this.expected - expected;
    return Math.max(0, this.side === "attackers" ? lost : -lost);
  }

  succeed(text) {
    this.say(this.next ? text : `${text} There is no further error.`);
    this.showButtons(this.next ? button("Next error", this.next, { class: "main" }) : null);
  }

  hint() {
    if (this.best === DECLINE) return this.say("The chain should not be continued.");
    const { from } = moveCells(this.best);
    this.board.show({ ...this.board.shown, marks: [{ cell: from, kind: "note", words: "moves in the solution" }] });
    this.say(`The piece on ${from} moves.`);
  }

  async solve() {
    await this.reset("");
    if (this.isOver) return;
    this.succeed(`The best move is ${nameOf(this.best)}.`);
    this.board.input.moves = {};
    if (this.best !== DECLINE) this.board.show({ ...this.board.shown, arrows: [{ ...moveCells(this.best), kind: "best" }] });
  }

  /** Returns to the game. */
  end() {
    if (this.isOver) return;
    this.isOver = true;
    this.board.retry = null;
    this.board.input.moves = {};
    this.done();
  }
}
