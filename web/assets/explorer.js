// The explorer: what was played from a position, and how it ended. Play on the board or choose a move of the table.

import { board as boardOf, get } from "./api.js";
import { Board } from "./board.js";
import { begun, chooser } from "./chooser.js";
import { button, check, el, fill, say } from "./dom.js";
import { filters } from "./filters.js";
import { Hand } from "./hand.js";
import { games, heading, table } from "./explored.js";
import { ask, elsewhere, longer, named, outcome, rules, seen, told, trail } from "./line.js";
import { failure, fillWith } from "./notice.js";
import { change, params } from "./router.js";
import { ruled } from "./ruled.js";
import { tree } from "./tree.js";
import { Walk } from "./walk.js";
import { moves } from "./words.js";

const DEPTHS = [2, 3, 4, 5, 6];
/** Where so few games came by, the tree shows moves that were played once, too. */
const FEW = 50;

/** Returns what ends the work for an address that has changed in the meantime. */
const overtaken = () => new DOMException("overtaken", "AbortError");

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Explore · Taflbase";
  const page = new Explorer(main, signal);
  await page.follow();
  return page;
}

class Explorer {
  constructor(main, signal) {
    this.signal = signal;
    this.asked = 0;
    this.walk = new Walk();
    const pos = named(params());
    this.said = el("p", { class: "stand" });
    this.trail = el("div", { class: "trailhost" });
    this.moves = el("div", { class: "found" });
    this.games = el("div", { class: "found" });
    this.tree = el("div", { class: "found" });
    this.links = el("div", {});
    this.ruled = ruled();
    const host = el("div", { class: "boardhost" });
    this.board = new Board(host, { label: "Board to play on" });
    this.hand = new Hand(this.board, (from, to) => this.play(from, to));
    this.chooser = chooser(pos.rules ? "by a rules string" : pos.variant, (name) => this.begin(name));
    this.filters = filters(["year", "rating", "player", "result"], params().get("where") ?? "",
      (where) => change({ where }), { label: "Only games with" });
    this.fold = check("Fold mirror images", !params().get("as_it_stands"), (on) => change({ as_it_stands: on ? null : "1" }),
      "Moves that are the same but for turning and mirroring the board count as one");
    this.details = el("details", { class: "treebox" }, el("summary", {}, "Opening tree"), this.tree);
    this.details.addEventListener("toggle", () => this.details.open && this.grow());
    this.first = button("Start", () => this.walk.keep(0), { title: "To the start" });
    this.back = button("◀ Back", () => this.walk.step(-1));
    this.forth = button("Forward ▶", () => this.walk.step(1));
    fill(main, el("h1", {}, "Explore"), el("div", { class: "split" },
      el("div", { class: "left" }, host, el("div", { class: "controls" },
        this.first, this.back, this.forth, button("Flip", () => this.board.flip()),
        button("Turn", () => this.board.turn(1))), this.said, this.trail, this.links, this.ruled.host),
      el("div", { class: "right" }, el("div", { class: "bartop" }, this.chooser.host, this.fold),
        el("details", { class: "filterbox", open: Boolean(params().get("where")) }, el("summary", {}, "Filter games"), this.filters.host),
        this.moves, this.games, this.details)));
    document.addEventListener("keydown", (event) => this.walk.key(event, this.board, ".chooser, .board, .tree"), { signal });
    addEventListener("popstate", () => this.walk.forget(), { signal });
  }

  begin(name) {
    this.go({ variant: name, rules: null, position: null, side: null, moves: null });
  }

  play(from, to) {
    this.go({ moves: longer(named(params()), from, to) });
  }

  /** Goes to another position: moves that were taken back belong to the one before. */
  go(position) {
    this.walk.forget();
    change(position);
  }

  /** Shows what the address says. */
  async follow() {
    const turn = this.asked += 1;
    try {
      if (await begun(this.signal)) this.walk.forget();
      if (turn !== this.asked || this.signal.aborted) return;
      const pos = named(params());
      this.filters.set(params().get("where") ?? "");
      this.chooser.set(pos.rules ? "by a rules string" : pos.variant);
      this.fold.control.checked = !params().get("as_it_stands");
      const [drawing, answer] = await Promise.all([boardOf(rules(pos)), ask(pos, this.signal)]);
      if (turn !== this.asked || this.signal.aborted) return;
      document.title = `Explore ${pos.variant ?? "rules"} · Taflbase`;
      this.board.setBoard(drawing);
      this.ruled.set(drawing);
      this.draw(pos, answer);
      this.explore(pos, answer, turn);
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.asked) return;
      if (!this.board.geometry) throw error;
      fill(this.moves, failure(error, () => this.follow()));
    }
  }

  draw(pos, answer) {
    this.answer = answer;
    const before = this.board.shown.pieces;
    this.board.show(seen(answer, before), { glide: true });
    this.hand.moves = answer.outcome ? {} : answer.moves;
    fill(this.said, answer.outcome ? outcome(answer.outcome) : `Ply ${answer.ply}: the ${answer.to_move} are to move.`);
    const played = moves(pos.moves);
    fill(this.trail, trail(answer.history, played.length, (ply) => this.walk.keep(ply)));
    fill(this.links, elsewhere(pos, answer.position, "explore"));
    this.first.disabled = this.back.disabled = played.length === 0;
    this.forth.disabled = this.walk.future.length === 0;
    say(told(answer));
  }

  async explore(pos, answer, turn) {
    const asked = { ...pos, where: params().get("where"), as_it_stands: params().get("as_it_stands") };
    await fillWith(this.moves, "Counting games", this.signal, async () => {
      const found = await get("/api/explore", { ...asked, limit: 40 }, this.signal);
      if (turn !== this.asked) throw overtaken();
      this.total = found.games;
      fill(this.games, games(found, { set: Boolean(pos.position) }));
      return [heading(found), table(found, {
        play: (line) => this.playWritten(line.move),
        point: (line) => this.point(line),
        asked: Boolean(asked.where),
      })];
    });
    if (this.details.open && turn === this.asked) this.grow();
  }

  playWritten(move) {
    this.go({ moves: [...moves(params().get("moves")), move].join(",") });
  }

  point(line) {
    const arrows = line ? [line.move, ...(line.alike ?? [])].map((move, index) => {
      const [from, to] = move.split("x")[0].split("-");
      return { from, to, kind: index === 0 ? "played" : "alike" };
    }) : [];
    this.board.show({ ...this.board.shown, arrows });
  }

  grow() {
    const pos = named(params());
    const depth = Number(params().get("depth")) || 3;
    const turn = this.asked;
    fillWith(this.tree, "Growing the tree", this.signal, async () => {
      const found = await get("/api/tree", { ...pos, where: params().get("where"), depth, min_games: this.total < FEW ? 1 : 2 }, this.signal);
      if (turn !== this.asked) throw overtaken();
      const before = moves(pos.moves);
      return tree(found, { depth, depths: DEPTHS, deeper: (value) => change({ depth: value }),
        go: (path) => this.go({ moves: [...before, ...path].join(",") }) });
    });
  }
}
