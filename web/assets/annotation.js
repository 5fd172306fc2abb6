// Evaluation of a game by the engine, with a progress bar.

import { stream } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { failure } from "./notice.js";
import { counted } from "./format.js";

const EFFORTS = [["1000", "quick"], ["10000", "normal"], ["100000", "thorough"]];

/** Offers to evaluate a game without evaluations: `insert` shows the offer, and `done` gets the evaluations. */
export function annotation(id, evals, signal, insert, done) {
  if (evals) return;
  let effort = "1000";
  const progress = el("div", { class: "progress" });
  const start = button("Annotate", () => run());
  const offer = el("div", { class: "offer" }, el("p", {}, "This game has no evaluation yet. “Annotate” lets the engine evaluate it and shows a graph and the errors."),
    el("p", { class: "row" }, labeled("Effort", select(EFFORTS, effort, (value) => { effort = value; })), start), progress);
  insert(offer);

  async function run() {
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    start.disabled = true;
    const meter = el("progress", { max: 1, value: 0, "aria-label": "Evaluated plies" });
    const status = el("span", {}, "Evaluating…");
    fill(progress, meter, status, button("Stop", () => stop.abort()));
    try {
      await stream(`/api/game/${encodeURIComponent(id)}/annotate`, { nodes: effort }, stop.signal, (name, data) => {
        if (name === "progress") {
          meter.max = data.of;
          meter.value = data.done;
          status.textContent = `${data.done} of ${counted(data.of, "ply", "plies")}`;
        } else if (name === "done") done(data);
      });
    } catch (error) {
      fill(progress, error.name === "AbortError" ? "Stopped." : failure(error, run));
    } finally {
      start.disabled = false;
    }
  }
}
