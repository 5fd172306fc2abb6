// <tafl-game>: a game record with its moves, explained captures, and findings.

import { request } from "./taflbase.js";
import { TaflElement } from "./element.js";
import { editor, findingList } from "./records.js";
import { Board, scene } from "../../../web/assets/board.js";
import { button, el, fill, withCode } from "../../../web/assets/dom.js";
import { counted, moveCells, moveNumber, pieceSide, playerNames } from "../../../web/assets/format.js";
import { parsePosition } from "../../../web/assets/geometry.js";

/** The distance of a swipe, in pixels. */
const SWIPE = 40;

/** A viewer of a game. The record is in the file of the attribute `src`, or the text of the element. */
export class TaflGame extends TaflElement {
  static observedAttributes = ["src", "variant", "notation", "game", "ply", "editable", "theme"];

  /** Returns the text with the record. */
  get text() {
    return this.record ?? "";
  }

  /** Sets the text with the record. */
  set text(text) {
    this.record = String(text);
    this.start();
  }

  /** Returns the number of plies before the position that is shown. */
  get ply() {
    return this.at ?? 0;
  }

  async draw(isCurrent) {
    const src = this.getAttribute("src");
    if (this.record === undefined || (src && src !== this.loaded)) {
      const text = src ? await fetchText(src) : this.textContent;
      if (!isCurrent()) return;
      [this.record, this.loaded] = [text, src];
    }
    this.host = el("div", { class: "boardhost" });
    this.names = el("p", { class: "names" });
    this.moveList = el("div", { class: "sheet", role: "group", "aria-label": "Moves of the game" });
    this.status = el("p", { class: "status", "aria-live": "polite" });
    this.explanations = el("div", { class: "explains", "aria-live": "polite" });
    this.findings = el("div", { class: "findings", "aria-live": "polite" });
    const step = (text, label, ply) => button(text, () => this.go(ply()), { "aria-label": label, title: label });
    const controls = el("div", { class: "controls" }, step("|◀", "First position", () => 0), step("◀", "Previous ply", () => this.at - 1),
      step("▶", "Next ply", () => this.at + 1), step("▶|", "Last position", () => Infinity),
      button("⇅", () => this.board?.flip(), { "aria-label": "Rotate the board by 180°", title: "Rotate the board by 180° (f)" }));
    const area = this.hasAttribute("editable") ? editor(this.record, (text) => this.edit(text)) : null;
    fill(this.content, this.names, el("div", { class: "game", tabindex: 0, keydown: (event) => this.key(event) }, el("div", { class: "left" }, this.host, controls),
      el("div", { class: "right" }, this.status, this.explanations, this.moveList)), area, this.findings);
    this.listenToSwipes();
    this.board = null;
    await this.read(isCurrent);
    if (isCurrent()) await this.go(Number(this.getAttribute("ply") ?? 0));
  }

  /** Validates a changed text, and shows its last position. */
  async edit(text) {
    this.record = text;
    this.version += 1;
    const { version } = this;
    try {
      const isCurrent = () => this.version === version;
      await this.read(isCurrent);
      if (isCurrent()) await this.go(Infinity);
    } catch (error) {
      if (this.version === version) fill(this.findings, el("p", { class: "failure" }, error.message));
    }
  }

  /** Validates the text, and draws the moves and the findings. */
  async read(isCurrent) {
    const parameters = { variant: this.getAttribute("variant"), as: this.getAttribute("notation"), name: this.loaded?.split("/").pop() };
    const answer = await request("validate", parameters, this.record);
    if (!isCurrent()) return;
    const number = Number(this.getAttribute("game") ?? 1);
    const game = answer.games[number - 1];
    fill(this.findings, findingList(answer.findings.filter((one) => !one.game || one.game === number)));
    this.emit("tafl-findings", { findings: answer.findings, records: answer.records, sound: answer.sound });
    if (!game) throw new Error(answer.games.length ? `the text has ${counted(answer.games.length, "game")}, but no game ${number}` : "the text has no game");
    this.game = game;
    const hasNames = game.attackers || game.defenders;
    fill(this.names, hasNames ? el("strong", {}, playerNames(game)) : null, hasNames ? " " : null, el("span", { class: "dim" }, [game.variant, game.event, game.date].filter(Boolean).join(", ")));
    this.drawMoves();
    if (!game.rules) return fill(this.host, el("p", { class: "dim" }, "The rules of this record are unknown; name them with the attribute variant."));
    this.layout = await request("board", { variant: game.rules });
    if (!isCurrent()) return;
    if (!this.board) this.board = new Board(fill(this.host), { label: `Board, ${game.variant}` });
    this.board.setBoard(this.layout);
  }

  drawMoves() {
    const { moves, captured } = this.game;
    fill(this.moveList, moves.map((move, index) => {
      const captures = captured[index]?.length ? `x${captured[index].join("x")}` : "";
      return [index % 2 === 0 ? el("span", { class: "movenumber" }, moveNumber(index + 1)) : null,
        button(`${move}${captures}`, () => this.go(index + 1), { class: "ply", "data-ply": index + 1 }), " "];
    }));
  }

  /** Shows the position after a number of plies. */
  async go(ply) {
    if (!this.board || !this.game) return;
    const { game } = this;
    const last = game.moves.length;
    const previous = this.at ?? 0;
    this.at = Math.max(0, Math.min(last, Number.isNaN(ply) ? 0 : ply));
    const { at } = this;
    const { geometry } = this.board;
    const [position, before] = await Promise.all([this.positionAt(at), this.positionAt(Math.max(0, at - 1))]);
    if (this.at !== at || this.game !== game) return;
    const [pieces, old] = [parsePosition(geometry, position), parsePosition(geometry, before)];
    const move = at > 0 ? game.moves[at - 1] : null;
    const captured = (at > 0 ? game.captured[at - 1] : []).map((cell) => ({ cell, code: pieces.has(cell) ? null : old.get(cell) ?? null }));
    this.board.show(scene({ pieces, last: move ? moveCells(move) : null, captured }), { glide: at > previous });
    this.moveList.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.moveList.querySelector(`[data-ply="${at}"]`)?.setAttribute("aria-current", "true");
    const side = move ? pieceSide(old.get(moveCells(move).from) ?? "t") : game.first;
    const end = at === last && game.outcome ? ` ${game.outcome.words}.` : "";
    fill(this.status, move ? `Ply ${at} of ${last}: ${side} ${move}${captured.length ? `, captured ${game.captured[at - 1].join(", ")}` : ""}.${end}` : `Start. The ${side} are to move.`);
    await this.explain({ at, before, side, move });
    this.emit("tafl-ply", { ply: at, position, move });
  }

  /** Explains the captures and the end of a ply in sentences. */
  async explain({ at, before, side, move }) {
    fill(this.explanations);
    if (!move) return;
    const { rules: variant, start: position, first, moves } = this.game;
    const ask = (place) => request("move", { variant, ...place, move, explain: true });
    // Ends by repetition depend on earlier moves. A record can go on after an end or an illegal move; then the position alone
    // explains the captures.
    let answer = await ask({ position, side: first, moves: moves.slice(0, at - 1).join(" ") }).catch(() => null);
    if (!answer?.legal) answer = await ask({ position: before, side });
    if (this.at === at) fill(this.explanations, (answer.explanation ?? []).map((sentence) => el("p", {}, withCode(sentence))));
  }

  /** Returns the position record after a number of plies; those of a long list of games are not in the answer. */
  async positionAt(ply) {
    const { game } = this;
    if (game.positions) return game.positions[ply];
    const moves = game.moves.slice(0, ply).join(" ");
    return (await request("position", { variant: game.rules, position: game.start, side: game.first, moves })).position;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0), End: () => this.go(Infinity), f: () => this.board?.flip() };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  listenToSwipes() {
    let from = null;
    this.host.addEventListener("pointerdown", (event) => { from = event.clientX; });
    this.host.addEventListener("pointercancel", () => { from = null; });
    this.host.addEventListener("pointerup", (event) => {
      const distance = from === null ? 0 : event.clientX - from;
      from = null;
      if (Math.abs(distance) >= SWIPE) this.go(this.at + (distance < 0 ? 1 : -1));
    });
  }
}

async function fetchText(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} cannot be read: status ${response.status}`);
  const file = await response.blob();
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = first === 0x1f && second === 0x8b;
  return isGzip ? new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text() : file.text();
}
