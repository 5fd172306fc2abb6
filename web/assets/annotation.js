// Evaluating a game by the engine, with progress.

import { stream } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { failure } from "./notice.js";

const EFFORTS = [["1000", "quick look"], ["10000", "good look"], ["100000", "long look"]];

/** Offers to evaluate a game that has no evaluations: `place` puts the offer, `done` gets them. */
export function annotation(id, evals, signal, place, done) {
  if (evals) return;
  let effort = "1000";
  const progress = el("div", { class: "progress" });
  const start = button("Annotate", () => run());
  const offer = el("div", { class: "offer" }, el("p", {}, "No engine has looked at this game yet. The graph and the errors are shown once one has."),
    el("p", { class: "row" }, labeled("Effort", select(EFFORTS, effort, (value) => { effort = value; })), start), progress);
  place(offer);

  async function run() {
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    start.disabled = true;
    const meter = el("progress", { max: 1, value: 0, "aria-label": "Plies looked at" });
    const words = el("span", {}, "The engine looks at the game…");
    fill(progress, meter, words, button("Stop", () => stop.abort()));
    try {
      await stream(`/api/game/${encodeURIComponent(id)}/annotate`, { nodes: effort }, stop.signal, (name, data) => {
        if (name === "progress") {
          meter.max = data.of;
          meter.value = data.done;
          words.textContent = `${data.done} of ${data.of} positions`;
        } else if (name === "done") done(data);
      });
    } catch (error) {
      fill(progress, error.name === "AbortError" ? "Stopped." : failure(error, run));
    } finally {
      start.disabled = false;
    }
  }
}
