// The engine panel of the analysis page: the evaluation bar, the button that starts and stops the engine, and its lines.

import { stream } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { failure } from "./notice.js";
import { DECLINE, counted, integer, percent, scoreText } from "./format.js";

const STOP_REASONS = { nodes: "Node limit reached.", time: "Time limit reached.", proven: "The result is proven.", client: "Stopped.", forced: "There is only one legal move.", over: "The game is over." };

/** Returns what the button of a move does: `Play d1-d3, f4-f2`. */
function playText(moves) {
  const [first, ...others] = moves;
  if (first !== DECLINE) return `Play ${moves.join(", ")}`;
  return `Decline to continue the chain${others.length ? `, then play ${others.join(", ")}` : ""}`;
}

/** Returns the bar of the attackers' expected score; `set` changes it. */
function evaluationBar() {
  const part = el("span", { class: "part attackers" });
  const caption = el("span", {});
  const host = el("div", { class: "evalbar", role: "img", "aria-label": "No evaluation yet" }, el("span", { class: "track" }, part), caption);
  return { host, set(line) {
    const expected = line?.expected ?? null;
    part.style.width = `${(expected ?? 0.5) * 100}%`;
    const text = expected === null ? "" : `Attackers ${percent(expected)}, defenders ${percent(1 - expected)} (${scoreText(line)})`;
    caption.textContent = text;
    host.setAttribute("aria-label", text || "No evaluation yet");
    host.classList.toggle("unknown", expected === null);
  } };
}

/**
 * The engine panel. `play` is called with the moves of a line up to the one that was clicked, `showArrows` with moves to
 * draw on the board.
 */
export class Engine {
  constructor({ signal, play, showArrows, lines }) {
    this.signal = signal;
    this.play = play;
    this.showArrows = showArrows;
    this.count = lines;
    this.isRunning = false;
    this.abort = null;
    this.bar = evaluationBar();
    this.toggle = button("Start the engine", () => (this.isRunning ? this.stop() : this.start()), { class: "main" });
    this.state = el("p", { class: "dim enginestate", role: "status" }, "The engine is off.");
    // Updates replace the lines, so a press during one could play another move, or none.
    this.isPressed = false;
    this.list = el("ol", { class: "lines" });
    this.list.addEventListener("pointerdown", () => {
      clearTimeout(this.timer);
      this.isPressed = true;
    });
    this.list.addEventListener("click", () => this.release());
    // A press that ends elsewhere causes no click.
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, () => { if (this.isPressed) this.timer = setTimeout(() => this.release(), 300); }, { signal });
    }
    signal.addEventListener("abort", () => this.abort?.abort());
  }

  /** Returns the elements of the panel; `onLines` gets a new number of lines. */
  draw(onLines) {
    const count = labeled("Lines", select(["1", "2", "3", "4", "5"], String(this.count), (value) => {
      this.count = Number(value);
      onLines(this.count);
      if (this.isRunning) this.search(this.pos);
    }));
    return el("section", { class: "engine", "aria-label": "Engine" }, el("p", { class: "row" }, this.toggle, count), this.bar.host, this.state, this.list);
  }

  /** Sets the position to search. */
  setPosition(pos, answer) {
    this.pos = pos;
    this.answer = answer;
    this.abort?.abort();
    this.held = null;
    fill(this.list);
    this.bar.set(null);
    if (this.isRunning) this.search(pos);
  }

  start() {
    this.isRunning = true;
    this.toggle.textContent = "Stop the engine";
    this.search(this.pos);
  }

  stop() {
    this.setStopped();
    this.abort?.abort();
    this.state.textContent = this.list.children.length ? "Stopped. The lines are the best found so far." : "The engine is off.";
  }

  async search(pos) {
    this.abort?.abort();
    if (this.answer?.outcome) {
      this.state.textContent = "The game is over in this position.";
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.state.textContent = "Searching…";
    try {
      await stream("/api/analysis", { ...pos, lines: this.count, seconds: 60 }, abort.signal, (name, data) => {
        if (abort.signal.aborted) return;
        this.show(data);
        if (name === "done") this.state.textContent = `${this.progress(data)} ${STOP_REASONS[data.stopped] ?? ""}`;
      });
      if (!abort.signal.aborted) this.setStopped();
    } catch (error) {
      if (error.name === "AbortError" || abort.signal.aborted) return;
      this.setStopped();
      fill(this.state, failure(error, () => this.start()));
    }
  }

  setStopped() {
    this.isRunning = false;
    this.toggle.textContent = "Start the engine";
  }

  /** Returns depth, nodes, and speed in words. */
  progress(data) {
    const speed = data.nps ? `, ${integer(data.nps)} nodes/s` : "";
    return `Depth ${data.depth ?? 0}, ${counted(data.nodes ?? 0, "node")}${speed}.`;
  }

  show(data) {
    this.state.textContent = this.progress(data);
    if (!data.lines?.length) return;
    this.bar.set(data.lines[0]);
    this.held = this.isPressed ? data : null;
    if (!this.isPressed) this.showLines(data);
  }

  /** Ends a press, and shows the lines received during it. */
  release() {
    clearTimeout(this.timer);
    this.isPressed = false;
    if (this.held) this.showLines(this.held);
    this.held = null;
  }

  showLines(data) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(this.list, data.lines.map((line) => el("li", {}, el("strong", { class: "score", title: "From the attackers’ point of view" }, scoreText(line)),
      el("span", { class: "dim expected" }, percent(line.expected)),
      el("span", { class: "linemoves" }, line.moves.map((move, at) => button(move, () => this.play(line.moves.slice(0, at + 1)),
        { class: "ply", "data-key": `${line.rank}.${at}`, mouseenter: () => this.showArrows([line.moves[at]]), mouseleave: () => this.showBestMoves(data), "aria-label": playText(line.moves.slice(0, at + 1)) }))))));
    if (focused) this.list.querySelector(`[data-key="${focused}"]`)?.focus();
    this.showBestMoves(data);
  }

  showBestMoves(data) {
    this.showArrows(data.lines.map((line) => line.moves[0]).filter(Boolean));
  }
}
