// Analysis: a board to play on, positions to set up, and what the engine says.

import { change, params } from "./address.js";
import { button, el, fill, labeled } from "./dom.js";
import { Engine } from "./engine.js";
import { failure } from "./notice.js";
import { fetchPosition, positionParams, positionScene, rulesParams } from "./position.js";
import { PositionPage } from "./positionpage.js";
import { Setup } from "./setup.js";
import { ends, moves } from "./words.js";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Analysis · Taflbase";
  const page = new Analysis(main, signal);
  await page.follow();
  return page;
}

class Analysis extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "analysis", label: "Board to analyse on", outside: ".chooser, .board" });
    this.setup = new Setup(this.board, (position, side) => this.place(position, side));
    this.trouble = el("div", { "aria-live": "polite" });
    this.engine = new Engine({ signal, lines: Number(params().get("lines")) || 1, play: (line) => this.play(line), point: (line) => this.point(line) });
    this.edit = button("Set up a position", () => this.toggleSetup(), { "aria-expanded": "false" });
    fill(main, el("h1", {}, "Analysis"), el("div", { class: "split" },
      el("div", { class: "left" }, this.host, this.controls(this.edit), this.setup.host, this.said, this.trail, this.links),
      el("div", { class: "right" }, this.chooser.host, this.trouble, this.engine.draw((lines) => change({ lines: lines === 1 ? null : lines }, { replace: true })),
        this.paste(), this.rules.host)));
  }

  takesKeys() {
    return !this.setup.on;
  }

  paste() {
    const area = el("textarea", { rows: 2, spellcheck: "false", placeholder: "/3t3/3t3/…/ or d1-b1 d3-b3 …" });
    const trouble = el("div", { "aria-live": "polite" });
    const take = async () => {
      const text = area.value.trim();
      if (!text) return;
      const rules = rulesParams(positionParams(params()));
      const side = params().get("side");
      const next = text.includes("/") ? { position: text.split(/\s+/)[0], side, moves: null }
        : { position: params().get("position"), side, moves: moves(text).filter((part) => !/^\d+\.*$/.test(part)).join(",") };
      try {
        await fetchPosition({ ...rules, ...next }, this.signal);
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
      if (this.answer) this.board.show(positionScene(this.answer));
      return;
    }
    this.engine.stop();
    this.input.moves = {};
    this.setup.begin(this.drawing, this.answer?.position ?? this.drawing.start, this.answer?.to_move ?? this.drawing.first ?? "attackers");
  }

  async place(position, side) {
    try {
      await fetchPosition({ ...rulesParams(positionParams(params())), position, side }, this.signal);
      this.toggleSetup(false);
      fill(this.trouble);
      this.go({ position, side, moves: null });
    } catch (error) {
      fill(this.trouble, failure(error));
    }
  }

  point(line) {
    const arrows = line.map((move, at) => ({ ...ends(move), kind: at === 0 ? "best" : "alike" }));
    this.board.show({ ...this.board.shown, arrows });
  }

  prepare() {
    if (this.setup.on) this.toggleSetup(false);
  }

  report(error) {
    fill(this.trouble, failure(error, () => this.follow()));
  }

  update(pos, answer) {
    document.title = `Analysis of ${pos.variant ?? "rules"} · Taflbase`;
    fill(this.trouble);
    const asked = JSON.stringify(pos);
    if (asked !== this.searched) this.engine.at(pos, answer);
    this.searched = asked;
  }
}
