// The clocks of a game: the time that is left for each side.

import { el, fill } from "./dom.js";
import { capitalize } from "./format.js";
import { recallInTab, rememberInTab } from "./memory.js";

/** The clocks to choose from: minutes for each side, and seconds for each move. */
export const CLOCKS = [["", "none"], ["1+2", "1 minute + 2 s"], ["3+5", "3 minutes + 5 s"], ["10+10", "10 minutes + 10 s"], ["30+30", "30 minutes + 30 s"]];

const TICK = 200;
/** The entry of the tab's memory with the times of the game. */
const TIMES = "clock";
const SIDES = ["attackers", "defenders"];

/** Returns a time as `4:05`, or `0:07.3` below ten seconds. */
function timeText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return `${minutes}:${seconds < 10 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
}

/** Returns whether the page was loaded again, rather than opened. */
function isReloaded() {
  return performance.getEntriesByType("navigation")[0]?.type === "reload";
}

/** Returns the times of a game that this tab remembers, or null. */
function recallTimes(game) {
  const found = recallInTab(TIMES);
  return found?.game === game && SIDES.every((side) => Number.isFinite(found.left?.[side])) ? found.left : null;
}

/**
 * Two clocks, above and below the board. They start after the first move, and an increment is added after each move. The tab
 * remembers the times, so that loading the page again doesn't give time back. The clocks stand still while the page is closed.
 */
export class GameClock {
  /** `onTimeout` is called with the side whose time is over. */
  constructor(onTimeout, signal) {
    this.onTimeout = onTimeout;
    this.top = el("p", { class: "gameclock" });
    this.bottom = el("p", { class: "gameclock" });
    this.reset();
    this.isNew = false;
    const timer = setInterval(() => this.tick(), TICK);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** Forgets the times: a new game begins. */
  reset() {
    this.left = null;
    this.game = null;
    this.running = null;
    this.nMoves = 0;
    this.isNew = true;
  }

  /**
   * Sets which side is to move (null at the end), after `nMoves` moves. `game` is the address of the game without its moves,
   * so that moves that are taken back don't give time back either.
   */
  set(text, { game, toMove, bottom, nMoves }) {
    const found = /^(\d+)\+(\d+)$/.exec(text ?? "");
    this.bottomSide = bottom;
    if (!found) {
      this.left = this.game = null;
      this.isNew = false;
    } else {
      if (this.game !== game) this.begin(game, found[1] * 60_000, nMoves);
      if (this.running && nMoves > this.nMoves) this.left[this.running] += found[2] * 1000;
    }
    this.nMoves = nMoves;
    this.running = nMoves > 0 ? toMove : null;
    this.since = performance.now();
    this.keep();
    this.draw();
  }

  /** Sets the times of a game: those that the tab remembers, or the full time for a new game. */
  begin(game, full, nMoves) {
    // The start of a game that was played earlier may be opened again, to play another one.
    const isSame = !this.isNew && (nMoves > 0 || (this.game === null && isReloaded()));
    this.left = (isSame && recallTimes(game)) || { attackers: full, defenders: full };
    this.game = game;
    this.running = null;
    this.isNew = false;
  }

  keep() {
    if (this.left) rememberInTab(TIMES, { game: this.game, left: this.left });
  }

  tick() {
    if (!this.left || !this.running) return;
    const now = performance.now();
    this.left[this.running] -= now - this.since;
    this.since = now;
    this.keep();
    this.draw();
    if (this.left[this.running] > 0) return;
    const side = this.running;
    this.running = null;
    this.onTimeout(side);
  }

  draw() {
    const other = this.bottomSide === "attackers" ? "defenders" : "attackers";
    for (const [host, side] of [[this.top, other], [this.bottom, this.bottomSide]]) {
      host.hidden = !this.left;
      if (!this.left) continue;
      host.classList.toggle("running", side === this.running);
      fill(host, capitalize(side), " ", el("strong", { class: "number", role: "timer" }, timeText(this.left[side])));
    }
  }
}
