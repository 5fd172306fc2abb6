// The page for playing: against the engine, or between two people at one board.

import { change, complete, params } from "./address.js";
import { get } from "./api.js";
import { GameClock, CLOCKS } from "./gameclock.js";
import { announce, button, el, fill, labeled, select } from "./dom.js";
import { LEVELS, chooseLine, levelName, levelStrength } from "./levels.js";
import { failure } from "./notice.js";
import { PositionPage } from "./positionpage.js";
import { recordDownloads, recordText } from "./record.js";
import { capitalize, moveCells, opponent, splitMoves } from "./format.js";

/** The variant of the first visit: its games are short. */
const FIRST_VARIANT = "brandubh7";
const SIDES = [["attackers", "the attackers"], ["defenders", "the defenders"], ["both", "both sides (two people)"]];
/** The shortest time that the engine seems to think, so that its moves can be followed. */
const MIN_MILLISECONDS = 350;
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
    super({ signal, page: "play", label: "Board to play on", outside: ".chooser, .board" });
    this.lost = null;
    this.thinking = null;
    this.clock = new GameClock((side) => this.lose(side, "time"), signal);
    this.levels = labeled("Level", select(LEVELS.map((one) => [String(one.level), levelStrength(one)]), String(this.level()), (value) => change({ level: value }, { replace: true })));
    this.back = button("Take back", () => this.takeBack(), { title: "Take your last move back" });
    this.hintButton = button("Hint", () => this.hint(), { title: "Show the move that the engine prefers" });
    this.resignButton = button("Resign", () => this.lose(this.answer.to_move, "resignation"));
    this.error = el("div", { "aria-live": "polite" });
    fill(main, el("h1", {}, "Play"), el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.clock.top, this.host, this.clock.bottom, this.status, el("div", { class: "controls" }, this.back, this.hintButton, this.resignButton, button("Flip", () => this.board.flip())),
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
    this.lost = null;
    this.go({ ...values, moves: null });
  }

  prepare() {
    this.thinking?.abort();
    this.levels.hidden = this.you() === "both";
  }

  report(error) {
    fill(this.error, failure(error, () => this.follow()));
  }

  update(pos, answer) {
    document.title = `Play ${pos.variant ?? "rules"} · Taflbase`;
    fill(this.error);
    this.pos = pos;
    const n_moves = splitMoves(pos.moves).length;
    if (n_moves === 0) this.lost = null;
    const isOver = Boolean(answer.outcome || this.lost);
    const isYours = this.isYours(answer.to_move);
    if (isOver || !isYours) this.input.moves = {};
    this.clock.set(params().get("clock"), { toMove: isOver ? null : answer.to_move, bottom: this.you() === "attackers" ? "attackers" : "defenders", n_moves });
    this.back.disabled = n_moves === 0;
    this.hintButton.disabled = isOver || !isYours;
    this.resignButton.disabled = isOver || !isYours;
    if (this.lost) fill(this.status, this.endText());
    else if (!isOver) fill(this.status, isYours && this.you() !== "both" ? `Your move: you play the ${answer.to_move}.` : `The ${answer.to_move} are to move.`);
    if (!isOver && !isYours) this.reply(pos, answer);
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
      if (line) this.play([line.moves[0]]);
    } catch (error) {
      if (error.name !== "AbortError" && !thinking.signal.aborted) fill(this.error, failure(error, () => this.reply(pos, answer)));
    }
  }

  /** Takes moves back to the user's last one. */
  takeBack() {
    const moves = splitMoves(params().get("moves"));
    const isYourTurn = this.isYours(this.answer.to_move);
    const n_back = this.you() === "both" || !isYourTurn ? 1 : 2;
    this.lost = null;
    this.go({ moves: moves.slice(0, Math.max(0, moves.length - n_back)).join(",") });
  }

  async hint() {
    this.hintButton.disabled = true;
    try {
      const found = await get("/api/analysis", { ...this.pos, nodes: HINT_NODES, format: "json" }, this.signal);
      const move = found.lines[0]?.moves[0];
      if (!move) return;
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
    this.lost = { side, reason };
    this.update(this.pos, this.answer);
    announce(this.endText());
  }

  endText() {
    const { side, reason } = this.lost;
    return reason === "time" ? `Time is over: the ${opponent(side)} won.` : `The ${side} resigned: the ${opponent(side)} won.`;
  }

  /** Returns the record of the game. */
  record() {
    const you = this.you();
    const names = ["attackers", "defenders"].map((side) => [capitalize(side), you === "both" ? "" : you === side ? "You" : `Taflbase, ${levelName(this.level())}`]);
    const end = this.lost ? `${this.lost.side} ${this.lost.reason === "time" ? "lost on time" : "resign"}` : "";
    return recordText(this.layout, this.pos, [...names, ["Date", new Date().toISOString().slice(0, 10)]], end);
  }
}
