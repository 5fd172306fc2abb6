// The analysis page: a board to play on, the position editor, and the engine.

import { change, params } from "./address.js";
import { button, el, fill, labeled } from "./dom.js";
import { Engine } from "./engine.js";
import { failure } from "./notice.js";
import { pastedPosition } from "./paste.js";
import { fetchPosition, positionParams, positionScene, rulesParams } from "./position.js";
import { PositionPage } from "./positionpage.js";
import { recordDownloads, recordText } from "./record.js";
import { Setup } from "./setup.js";
import { moveCells } from "./format.js";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Analysis · Taflbase";
  const page = new Analysis(main, signal);
  await page.follow();
  return page;
}

class Analysis extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "analysis", label: "Analysis board", outside: ".chooser, .board" });
    this.setup = new Setup(this.board, (position, side) => this.setPosition(position, side));
    this.error = el("div", { "aria-live": "polite" });
    this.engine = new Engine({ signal, lines: Number(params().get("lines")) || 1, play: (line) => this.play(line), showArrows: (moves) => this.showArrows(moves) });
    this.edit = button("Set up a position", () => this.toggleSetup(), { "aria-expanded": "false" });
    fill(main, el("h1", {}, "Analysis"), el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.host, this.controls(this.edit), this.setup.host, this.status, this.trail, this.links),
      el("div", { class: "right" }, this.chooser.host, this.error, this.engine.draw((lines) => change({ lines: lines === 1 ? null : lines }, { replace: true })),
        this.paste(), recordDownloads(() => recordText(this.layout, this.searchedPosition), signal), this.rules.host)));
  }

  handlesKeys() {
    return !this.setup.isActive;
  }

  paste() {
    const area = el("textarea", { rows: 3, spellcheck: "false", placeholder: "/3t3/3t3/…/, d1-b1 d3-b3 …, or a record" });
    const errorHost = el("div", { "aria-live": "polite" });
    const show = async () => {
      const text = area.value.trim();
      if (!text) return;
      try {
        const next = await pastedPosition(text, positionParams(params()), this.signal);
        fill(errorHost);
        this.go(next);
      } catch (error) {
        fill(errorHost, failure(error));
      }
    };
    return el("details", {}, el("summary", {}, "Paste a position, moves, or a record"), labeled("A position record, moves from the start, or a record in any notation", area, { class: "field wide" }), el("p", {}, button("Show", show)), errorHost);
  }

  toggleSetup(open = !this.setup.isActive) {
    this.edit.setAttribute("aria-expanded", String(open));
    this.edit.textContent = open ? "Cancel" : "Set up a position";
    if (!open) {
      this.setup.end();
      if (this.answer) this.board.show(positionScene(this.answer));
      return;
    }
    this.engine.stop();
    this.input.moves = {};
    this.setup.start(this.layout, this.answer?.position ?? this.layout.start, this.answer?.to_move ?? this.layout.first ?? "attackers");
  }

  async setPosition(position, side) {
    try {
      await fetchPosition({ ...rulesParams(positionParams(params())), position, side }, this.signal);
      this.toggleSetup(false);
      fill(this.error);
      this.go({ position, side, moves: null });
    } catch (error) {
      fill(this.error, failure(error));
    }
  }

  showArrows(moves) {
    const arrows = moves.map((move, at) => ({ ...moveCells(move), kind: at === 0 ? "best" : "alike" }));
    this.board.show({ ...this.board.shown, arrows });
  }

  prepare() {
    if (this.setup.isActive) this.toggleSetup(false);
  }

  report(error) {
    fill(this.error, failure(error, () => this.follow()));
  }

  update(pos, answer) {
    document.title = `Analysis of ${pos.variant ?? "rules"} · Taflbase`;
    fill(this.error);
    this.searchedPosition = pos;
    const key = JSON.stringify(pos);
    if (key !== this.searched) this.engine.setPosition(pos, answer);
    this.searched = key;
  }
}
