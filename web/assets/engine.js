// The engine beside the board: lines as they come, start and stop, the bar of expectations.

import { stream } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { failure } from "./notice.js";
import { percent, score, whole } from "./words.js";

const STOPS = { nodes: "It looked at as many positions as it was asked to.", time: "Its time is over.", proven: "The result is proven.", client: "Stopped.", forced: "There is only one move.", over: "The game is over here." };

/** Returns the bar that says what the attackers may expect; `set` changes it. */
function expectation() {
  const part = el("span", { class: "part attackers" });
  const words = el("span", { class: "words" });
  const host = el("div", { class: "expect", role: "img", "aria-label": "No evaluation yet" }, el("span", { class: "track" }, part), words);
  return { host, set(line) {
    const share = line?.expected ?? (line?.wins ? Number(line.wins === "attackers") : null);
    part.style.width = `${(share ?? 0.5) * 100}%`;
    const text = share === null ? "" : `Attackers ${percent(share)}, defenders ${percent(1 - share)} (${score(line)})`;
    words.textContent = text;
    host.setAttribute("aria-label", text || "No evaluation yet");
    host.classList.toggle("unknown", share === null);
  } };
}

/** The engine of the analysis page. `play` is called with the moves of a line up to the one that was clicked. */
export class Engine {
  constructor({ signal, play, point, lines }) {
    this.signal = signal;
    this.play = play;
    this.point = point;
    this.count = lines;
    this.on = false;
    this.stopper = null;
    this.bar = expectation();
    this.toggle = button("Start the engine", () => (this.on ? this.stop() : this.start()), { class: "main" });
    this.state = el("p", { class: "dim enginestate", role: "status" }, "The engine is off.");
    this.list = el("ol", { class: "lines" });
    signal.addEventListener("abort", () => this.stopper?.abort());
  }

  /** Returns the elements of the engine; `change` gets a new number of lines. */
  draw(change) {
    const count = labeled("Lines", select(["1", "2", "3", "4", "5"], String(this.count), (value) => {
      this.count = Number(value);
      change(this.count);
      if (this.on) this.ask(this.pos);
    }));
    return el("section", { class: "engine", "aria-label": "Engine" }, el("p", { class: "row" }, this.toggle, count), this.bar.host, this.state, this.list);
  }

  /** Says which position is looked at now. */
  at(pos, answer) {
    this.pos = pos;
    this.answer = answer;
    this.stopper?.abort();
    fill(this.list);
    this.bar.set(null);
    if (this.on) this.ask(pos);
  }

  start() {
    this.on = true;
    this.toggle.textContent = "Stop the engine";
    this.ask(this.pos);
  }

  stop() {
    this.on = false;
    this.toggle.textContent = "Start the engine";
    this.stopper?.abort();
    this.state.textContent = this.list.children.length ? "Stopped. The lines are those that it had found." : "The engine is off.";
  }

  async ask(pos) {
    this.stopper?.abort();
    if (this.answer?.outcome) {
      this.state.textContent = "The game is over here: there is nothing to look at.";
      return;
    }
    const stopper = new AbortController();
    this.stopper = stopper;
    this.state.textContent = "The engine looks at the position…";
    try {
      await stream("/api/analysis", { ...pos, lines: this.count, seconds: 60 }, stopper.signal, (name, data) => {
        if (stopper.signal.aborted) return;
        this.show(data);
        if (name === "done") this.state.textContent = `${this.spent(data)} ${STOPS[data.stopped] ?? ""}`;
      });
      if (!stopper.signal.aborted) this.rest();
    } catch (error) {
      if (error.name === "AbortError" || stopper.signal.aborted) return;
      this.rest();
      fill(this.state, failure(error, () => this.start()));
    }
  }

  rest() {
    this.on = false;
    this.toggle.textContent = "Start the engine";
  }

  spent(data) {
    const speed = data.nps ? `, ${whole(data.nps)} a second` : "";
    return `Depth ${data.depth ?? 0}, ${whole(data.nodes ?? 0)} positions${speed}.`;
  }

  show(data) {
    this.state.textContent = this.spent(data);
    if (!data.lines?.length) return;
    this.bar.set(data.lines[0]);
    const held = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(this.list, data.lines.map((line) => el("li", {}, el("strong", { class: "score", title: "From the attackers’ view" }, score(line)),
      el("span", { class: "dim expected" }, line.expected === null || line.expected === undefined ? "" : percent(line.expected)),
      el("span", { class: "way" }, line.moves.map((move, at) => button(move, () => this.play(line.moves.slice(0, at + 1)),
        { class: "ply", "data-key": `${line.rank}.${at}`, mouseenter: () => this.point([line.moves[at]]), mouseleave: () => this.arrows(data), "aria-label": `Play ${line.moves.slice(0, at + 1).join(", ")}` }))))));
    if (held) this.list.querySelector(`[data-key="${held}"]`)?.focus();
    this.arrows(data);
  }

  arrows(data) {
    this.point(data.lines.map((line) => line.moves[0]).filter(Boolean));
  }
}
