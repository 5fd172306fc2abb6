// The page for playing: against the engine, or between two people at one board.

import { change, complete, params } from "./address.js";
import { get } from "./api.js";
import { GameClock, CLOCKS } from "./gameclock.js";
import { announce, button, el, fill, labeled, link, select } from "./dom.js";
import { LEVELS, chooseLine, levelStrength } from "./levels.js";
import { failure } from "./notice.js";
import { RECORD_NAME, lostGame, playedRecord } from "./playedgame.js";
import { movesOf, positionHref } from "./position.js";
import { PositionPage } from "./positionpage.js";
import { recordDownloads } from "./record.js";
import { DECLINE, moveCells, opponent, splitMoves } from "./format.js";
import { addGames } from "./writing.js";

/** The variant of the first visit: its games are short. */
const FIRST_VARIANT = "brandubh7";
const SIDES = [["attackers", "the attackers"], ["defenders", "the defenders"], ["both", "both sides (two people)"]];
/** The shortest time that the engine seems to think, so that its moves can be followed. */
const MIN_MILLISECONDS = 350;
/** The number of positions of each search of a review. */
const REVIEW_NODES = 1000;
/** The number of positions that the engine searches for a hint. */
const HINT_NODES = 100_000;

/** Opens the page. */
export async function open(main, { signal }) {
  if (!params().get("variant") && !params().get("rules")) complete({ variant: FIRST_VARIANT });
  const page = new PlayPage(main, signal);
  await page.follow();
  return page;
}

class PlayPage extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "play", label: "Board to play on", outside: ".chooser" });
    this.lost = null;
    this.thinking = null;
    this.clock = new GameClock((side) => this.lose(side, "time"), signal);
    this.levels = labeled("Level", select(LEVELS.map((one) => [String(one.level), levelStrength(one)]), String(this.level()), (value) => change({ level: value }, { replace: true })));
    this.back = button("Take back", () => this.takeBack(), { title: "Take your last move back" });
    this.hintButton = button("Hint", () => this.hint(), { title: "Show the move that the engine prefers" });
    this.declineButton = button("End turn", () => this.play([DECLINE]), { title: "Decline to continue the chain", hidden: true });
    this.resignButton = button("Resign", () => this.lose(this.answer.to_move, "resignation"));
    this.error = el("div", { "aria-live": "polite" });
    this.after = el("div", {});
    fill(main, el("h1", {}, "Play"), el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.clock.top, this.host, this.clock.bottom, this.status, this.after, el("div", { class: "controls" }, this.declineButton, this.back, this.hintButton, this.resignButton, button("Flip", () => this.board.flip())),
        this.trail),
      el("div", { class: "right" }, el("div", { class: "fields" }, this.chooser.host,
        labeled("You play", select(SIDES, this.you(), (side) => this.restart({ you: side }))), this.levels,
        labeled("Clock", select(CLOCKS, params().get("clock") ?? "", (clock) => this.restart({ clock })))),
      el("p", {}, button("New game", () => this.restart({}), { class: "main" })), this.error, this.links, recordDownloads(() => this.record(), signal), this.rules.host)));
  }

  you() {
    const you = params().get("you");
    return SIDES.some(([side]) => side === you) ? you : "defenders";
  }

  level() {
    const level = Number(params().get("level"));
    return LEVELS.some((one) => one.level === level) ? level : 3;
  }

  /** Arrow keys don't take moves back, since the engine would answer. */
  handlesKeys() {
    return false;
  }

  isYours(side) {
    return this.you() === "both" || this.you() === side;
  }

  restart(values) {
    this.clock.reset();
    this.go({ ...values, moves: null, lost: null });
  }

  prepare() {
    this.thinking?.abort();
    this.levels.hidden = this.you() === "both";
  }

  report(error) {
    fill(this.error, this.problem(error));
  }

  update(pos, answer) {
    document.title = `Play ${this.variantTitle()} · Taflbase`;
    fill(this.error);
    this.pos = pos;
    const nMoves = splitMoves(pos.moves).length;
    this.lost = lostGame();
    const isOver = Boolean(answer.outcome || this.lost);
    const isYours = this.isYours(answer.to_move);
    if (isOver || !isYours) this.input.moves = {};
    // The engine chooses its own moves, even where the user may decline to continue a chain.
    else if (this.you() !== "both") this.input.moves = movesOf(answer, answer.to_move);
    const clock = params().get("clock");
    const game = positionHref("/play", pos, { moves: null, you: this.you(), clock });
    this.clock.set(clock, { game, toMove: isOver ? null : answer.to_move, bottom: this.you() === "attackers" ? "attackers" : "defenders", nMoves: answer.ply });
    this.back.disabled = nMoves === 0;
    this.hintButton.disabled = isOver || !isYours;
    this.declineButton.hidden = isOver || !isYours || !answer.may_decline;
    this.resignButton.disabled = isOver || !isYours;
    if (this.lost) fill(this.status, this.endText());
    else if (!isOver) fill(this.status, isYours && this.you() !== "both" ? `Your move: you play the ${answer.to_move}.${this.chainText(answer)}` : `The ${answer.to_move} are to move.`);
    fill(this.after, isOver && nMoves ? this.offers(pos) : null);
    if (!isOver && !isYours) this.reply(pos, answer);
  }

  /** Returns what the user should know about a chain that may be declined, or that the engine has declined. */
  chainText(answer) {
    if (answer.may_decline) return " You may end your turn instead of continuing the chain.";
    return this.isDeclined() ? " The engine declined to continue its chain." : "";
  }

  /** Returns whether the chain of the last move was declined. */
  isDeclined() {
    return splitMoves(params().get("moves")).pop() === DECLINE;
  }

  /** Returns what can be done with a finished game. */
  offers(pos) {
    const review = positionHref("/review", pos, { you: this.you(), level: this.level(), lost: params().get("lost"), annotate: REVIEW_NODES });
    return [el("p", { class: "row center" }, link("Review this game", review, { class: "button" })),
      addGames({ body: this.record(), params: { name: RECORD_NAME }, signal: this.signal })];
  }

  /** Lets the engine move. */
  async reply(pos, answer) {
    const thinking = new AbortController();
    this.thinking = thinking;
    this.signal.addEventListener("abort", () => thinking.abort(), { signal: thinking.signal });
    fill(this.status, `The engine plays the ${answer.to_move}…`);
    const { nodes, lines } = LEVELS.find(({ level }) => level === this.level());
    try {
      const shown = new Promise((resolve) => { setTimeout(resolve, MIN_MILLISECONDS); });
      const [found] = await Promise.all([get("/api/analysis", { ...pos, nodes, lines, format: "json" }, thinking.signal), shown]);
      if (thinking.signal.aborted || this.lost) return;
      const line = chooseLine(found.lines, answer.to_move);
      // The Back button goes to the user's last turn: at a position where the engine is to move, it would move again. If the engine
      // declines to continue a chain, the user chooses the reply.
      if (line) this.play([line.moves[0]], { replace: true });
    } catch (error) {
      if (error.name !== "AbortError" && !thinking.signal.aborted) fill(this.error, failure(error, () => this.reply(pos, answer)));
    }
  }

  /** Takes moves back to the user's last one. */
  takeBack() {
    const moves = splitMoves(params().get("moves"));
    // A side moves several times in a turn with a chain.
    const yourLast = this.answer.history.findLastIndex(({ side }) => this.isYours(side));
    const isYourDecline = this.isDeclined() && (this.you() === "both" || !this.isYours(this.answer.to_move));
    this.go({ moves: moves.slice(0, Math.max(0, isYourDecline ? moves.length - 1 : yourLast)).join(","), lost: null });
  }

  async hint() {
    this.hintButton.disabled = true;
    try {
      const found = await get("/api/analysis", { ...this.pos, nodes: HINT_NODES, format: "json" }, this.signal);
      const move = found.lines[0]?.moves[0];
      if (!move) return;
      if (move === DECLINE) {
        fill(this.status, "The engine prefers to end the turn.");
        return announce("The engine prefers to end the turn");
      }
      this.board.show({ ...this.board.shown, arrows: [{ ...moveCells(move), kind: "best" }] });
      announce(`The engine prefers ${move}`);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.error, failure(error));
    } finally {
      this.hintButton.disabled = false;
    }
  }

  /** Ends the game: a side resigns, or its time is over. */
  lose(side, reason) {
    this.thinking?.abort();
    // The address has the end of the game, so that it also holds after the page is loaded again.
    complete({ lost: `${side},${reason},${splitMoves(this.pos.moves).length}` });
    this.update(this.pos, this.answer);
    announce(this.endText());
  }

  endText() {
    const { side, reason } = this.lost;
    return reason === "time" ? `Time is over: the ${opponent(side)} won.` : `The ${side} resigned: the ${opponent(side)} won.`;
  }

  /** Returns the record of the game. */
  record() {
    return playedRecord(this.layout, this.pos, { you: this.you(), level: this.level(), date: new Date().toISOString().slice(0, 10) });
  }
}
