// Evaluation of a game by the engine, with a progress bar.

import { complete, params } from "./address.js";
import { stream } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { failure } from "./notice.js";
import { counted } from "./format.js";
import { recall, remember } from "./memory.js";
import { RECORD_NAME } from "./playedgame.js";

const EFFORTS = [["1000", "quick"], ["10000", "normal"], ["100000", "thorough"]];

/**
 * Offers to evaluate a game without evaluations, the stored one with an ID or else the one of a record: `insert` shows the offer, and `done` gets the evaluations. The effort is
 * kept in the address and in the browser, and the evaluations by the server, so that later visits show them at once.
 */
export function annotation(id, { evals, text }, signal, insert, done) {
  if (evals) return;
  const known = params().get("annotate") ?? (id ? recall("annotated")[id] : null);
  let effort = known ? String(known) : "1000";
  const progress = el("div", { class: "progress" });
  const start = button("Annotate", () => run());
  const offer = el("div", { class: "offer" }, el("p", {}, "This game has no evaluation yet. “Annotate” lets the engine evaluate it and shows a graph and the errors."),
    el("p", { class: "row" }, labeled("Effort", select(EFFORTS, effort, (value) => { effort = value; })), start), progress);
  insert(offer);
  if (known) run();

  async function run() {
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort());
    start.disabled = true;
    const meter = el("progress", { max: 1, value: 0, "aria-label": "Evaluated plies" });
    const status = el("span", {}, "Evaluating…");
    fill(progress, meter, status, button("Stop", () => stop.abort()));
    try {
      const [path, body] = id ? [`/api/game/${encodeURIComponent(id)}/annotate`] : ["/api/annotate", text];
      await stream(path, { nodes: effort, name: id ? null : RECORD_NAME }, stop.signal, (name, data) => {
        if (name === "progress") {
          meter.max = data.of;
          meter.value = data.done;
          status.textContent = `${data.done} of ${counted(data.of, "ply", "plies")}`;
        } else if (name === "done") {
          done(data);
          if (id) remember("annotated", id, effort);
          complete({ annotate: effort });
        }
      }, body);
    } catch (error) {
      fill(progress, error.name === "AbortError" ? "Stopped." : failure(error, run));
    } finally {
      start.disabled = false;
    }
  }
}
