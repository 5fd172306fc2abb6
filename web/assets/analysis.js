// Analysis: a board to play on, positions to set up, and what the engine says.

import { board as boardOf } from "./api.js";
import { Board } from "./board.js";
import { begun, chooser } from "./chooser.js";
import { button, el, fill, labeled, say } from "./dom.js";
import { Engine } from "./engine.js";
import { Hand } from "./hand.js";
import { ask, elsewhere, named, outcome, rules, seen, told, trail } from "./line.js";
import { failure } from "./notice.js";
import { change, params } from "./router.js";
import { ruled } from "./ruled.js";
import { Setup } from "./setup.js";
import { Walk } from "./walk.js";
import { ends, moves } from "./words.js";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Analysis · Taflbase";
  const page = new Analysis(main, signal);
  await page.follow();
  return page;
}

class Analysis {
  constructor(main, signal) {
    this.signal = signal;
    this.asked = 0;
    this.walk = new Walk();
    const pos = named(params());
    const host = el("div", { class: "boardhost" });
    this.board = new Board(host, { label: "Board to analyse on" });
    this.setup = new Setup(this.board, (position, side) => this.place(position, side));
    this.hand = new Hand(this.board, (from, to) => this.play([`${from}-${to}`]));
    this.said = el("p", { class: "stand" });
    this.trouble = el("div", { "aria-live": "polite" });
    this.trail = el("div", {});
    this.links = el("div", {});
    this.ruled = ruled();
    this.engine = new Engine({ signal, lines: Number(params().get("lines")) || 1, play: (way) => this.play(way), point: (way) => this.point(way) });
    this.chooser = chooser(pos.rules ? "by a rules string" : pos.variant, (variant) => this.go({ variant, rules: null, position: null, side: null, moves: null }));
    this.edit = button("Set up a position", () => this.toggleSetup(), { "aria-expanded": "false" });
    this.begin = button("Start", () => this.walk.keep(0), { title: "To the start" });
    this.back = button("◀ Back", () => this.walk.step(-1));
    this.forth = button("Forward ▶", () => this.walk.step(1));
    fill(main, el("h1", {}, "Analysis"), el("div", { class: "split" },
      el("div", { class: "left" }, host, el("div", { class: "controls" }, this.begin, this.back, this.forth,
        button("Flip", () => this.board.flip()), this.edit), this.setup.host, this.said, this.trail, this.links),
      el("div", { class: "right" }, this.chooser.host, this.trouble, this.engine.draw((lines) => change({ lines: lines === 1 ? null : lines }, { replace: true })),
        this.paste(), this.ruled.host)));
    document.addEventListener("keydown", (event) => !this.setup.on && this.walk.key(event, this.board, ".chooser, .board"), { signal });
    addEventListener("popstate", () => this.walk.forget(), { signal });
  }

  paste() {
    const area = el("textarea", { rows: 2, spellcheck: "false", placeholder: "/3t3/3t3/…/ or d1-b1 d3-b3 …" });
    const trouble = el("div", { "aria-live": "polite" });
    const take = async () => {
      const text = area.value.trim();
      if (!text) return;
      const pos = rules(named(params()));
      const next = text.includes("/") ? { position: text.split(/\s+/)[0], side: params().get("side"), moves: null } : { position: params().get("position"), side: params().get("side"), moves: moves(text).filter((part) => !/^\d+\.*$/.test(part)).join(",") };
      try {
        await ask({ ...pos, ...next }, this.signal);
        fill(trouble);
        this.go(next);
      } catch (error) {
        fill(trouble, failure(error));
      }
    };
    return el("details", {}, el("summary", {}, "Paste a position or moves"), labeled("A position record, or moves from the start", area, { class: "field wide" }), el("p", {}, button("Take it", take)), trouble);
  }

  toggleSetup(on = !this.setup.on) {
    this.edit.setAttribute("aria-expanded", String(on));
    this.edit.textContent = on ? "Leave the setup" : "Set up a position";
    if (!on) {
      this.setup.end();
      if (this.answer) this.board.show(seen(this.answer));
      return;
    }
    this.engine.stop();
    this.hand.moves = {};
    this.setup.begin(this.drawing, this.answer?.position ?? this.drawing.start, this.answer?.to_move ?? this.drawing.first ?? "attackers");
  }

  async place(position, side) {
    try {
      await ask({ ...rules(named(params())), position, side }, this.signal);
      this.toggleSetup(false);
      fill(this.trouble);
      this.go({ position, side, moves: null });
    } catch (error) {
      fill(this.trouble, failure(error));
    }
  }

  play(way) {
    this.go({ moves: [...moves(params().get("moves")), ...way].join(",") });
  }

  /** Goes to another position: moves that were taken back belong to the one before. */
  go(position) {
    this.walk.forget();
    change(position);
  }

  point(way) {
    const arrows = way.map((move, at) => ({ ...ends(move), kind: at === 0 ? "best" : "alike" }));
    this.board.show({ ...this.board.shown, arrows });
  }

  /** Shows what the address says. */
  async follow() {
    const turn = this.asked += 1;
    try {
      if (await begun(this.signal)) this.walk.forget();
      if (turn !== this.asked || this.signal.aborted) return;
      const pos = named(params());
      this.chooser.set(pos.rules ? "by a rules string" : pos.variant);
      if (this.setup.on) this.toggleSetup(false);
      // The board is drawn first: what is wrong with a position can be mended there.
      const drawing = await boardOf(rules(pos));
      if (turn !== this.asked || this.signal.aborted) return;
      this.drawing = drawing;
      this.board.setBoard(drawing);
      this.ruled.set(drawing);
      const answer = await ask(pos, this.signal);
      if (turn !== this.asked) return;
      fill(this.trouble);
      this.draw(pos, answer);
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.asked) return;
      if (!this.board.geometry) throw error;
      fill(this.trouble, failure(error, () => this.follow()));
    }
  }

  draw(pos, answer) {
    const before = this.board.shown.pieces;
    const lines = this.engine;
    document.title = `Analysis of ${pos.variant ?? "rules"} · Taflbase`;
    this.answer = answer;
    this.board.show(seen(answer, before), { glide: true });
    this.hand.moves = answer.outcome ? {} : answer.moves;
    fill(this.said, answer.outcome ? outcome(answer.outcome) : `Ply ${answer.ply}: the ${answer.to_move} are to move.`);
    const played = moves(pos.moves);
    fill(this.trail, trail(answer.history, played.length, (ply) => this.walk.keep(ply)));
    fill(this.links, elsewhere(pos, answer.position, "analysis"));
    this.begin.disabled = this.back.disabled = played.length === 0;
    this.forth.disabled = this.walk.future.length === 0;
    say(told(answer));
    const asked = JSON.stringify(pos);
    if (asked !== this.looked) lines.at(pos, answer);
    this.looked = asked;
  }
}
