// What stands where an answer is awaited, is empty, or has failed.

import { button, el } from "./dom.js";

/** Returns words for an answer that is on its way. */
export function loading(text) {
  return el("p", { class: "loading", role: "status" }, el("span", { class: "wait", "aria-hidden": "true" }), `${text}…`);
}

/** Returns words for an answer that is empty, and what to do. */
export function empty(...words) {
  return el("div", { class: "empty" }, ...words);
}

/** Returns a failure in words: what, what to do, and a button to try again. */
export function failure(error, again) {
  const words = error.code ? error.message : `The page met an error of its own: ${error.message}`;
  return el("div", { class: "failure", role: "alert", "data-code": error.code ?? "page" }, el("p", {}, words),
    error.help ? el("p", { class: "dim" }, error.help) : null,
    again ? button("Try again", again) : null);
}

/** Runs work that fills an element; shows that it is awaited, and in words that it failed. */
export async function fillWith(element, text, signal, work) {
  element.replaceChildren(loading(text));
  element.setAttribute("aria-busy", "true");
  try {
    const content = await work();
    if (signal.aborted) return;
    element.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    element.replaceChildren(failure(error, () => fillWith(element, text, signal, work)));
  } finally {
    element.removeAttribute("aria-busy");
  }
}

/** Returns what marks the place of an error in a text: the text with the span underlined, and the words. */
export function pointed(text, error) {
  const span = error.columns ?? error.span;
  if (!span) return failure(error);
  const letters = [...text];
  const [start, end] = [span.start, Math.max(span.end, span.start + 1)];
  return el("div", { class: "pointed", role: "alert" },
    el("pre", {}, el("code", {}, letters.slice(0, start).join(""),
      el("mark", {}, letters.slice(start, end).join("") || "\u00a0"), letters.slice(end).join(""))),
    el("p", {}, error.message), error.help ? el("p", { class: "dim" }, error.help) : null);
}
