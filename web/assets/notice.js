// Notices in place of an answer that is loading, is empty, or has failed.

import { button, el, withCode } from "./dom.js";
import { pageHelp } from "./pagehelp.js";

/** Returns the notice of an answer that is loading. */
export function loading(text) {
  return el("p", { class: "loading", role: "status" }, el("span", { class: "wait", "aria-hidden": "true" }), `${text}…`);
}

/** Returns the notice of an empty answer. */
export function empty(...content) {
  return el("div", { class: "empty" }, ...content);
}

/** Returns the advice of an error or a finding in the words of the pages; null if there is none. */
export function advice(text) {
  const words = pageHelp(text);
  return words ? el("p", { class: "dim" }, withCode(words)) : null;
}

/** Returns the notice of an error: the message, the advice, and a button to retry. */
export function failure(error, retry) {
  // The banner above the page states the reason.
  if (error.code === "gone") return el("div", { class: "failure", "data-code": error.code }, el("p", {}, "Waiting for the server."), retry ? button("Try again", retry) : null);
  const message = error.code ? error.message : `Error in this page: ${error.message}`;
  return el("div", { class: "failure", role: "alert", "data-code": error.code ?? "page" }, el("p", {}, withCode(pageHelp(message))), advice(error.help),
    retry ? button("Try again", retry) : null);
}

/** Fills an element with the result of `work`; shows notices while it runs and if it fails. */
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

/** Returns the notice of an error in a text: the text with the place marked, and the message. */
export function excerpt(text, error) {
  const span = error.columns ?? error.span;
  if (!span) return failure(error);
  const letters = [...text];
  const [start, end] = [span.start, Math.max(span.end, span.start + 1)];
  return el("div", { class: "excerpt", role: "alert" },
    el("pre", { tabindex: 0 }, el("code", {}, letters.slice(0, start).join(""),
      el("mark", {}, letters.slice(start, end).join("") || "\u00a0"), letters.slice(end).join(""))),
    el("p", {}, withCode(pageHelp(error.message))), advice(error.help));
}
