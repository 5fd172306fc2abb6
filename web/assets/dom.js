// Elements of pages. Texts always become text nodes, so that no record can inject markup.

import { inBase } from "./base.js";

const SVG = "http://www.w3.org/2000/svg";
/** Characters in records that are invisible or would reverse the order of the text after them. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Sets attributes: a function becomes an event listener, `null` and `false` are ignored, `true` sets an empty attribute. */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "href" || name === "src") element.setAttribute(name, inBase(String(value)));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Appends children: elements, texts, numbers, and lists of them; `null` and `false` are ignored. */
export function put(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child).replace(CONTROLS, "\ufffd"));
  }
  return element;
}

/** Returns a new HTML element. An attribute whose value is a function is a listener for the event of that name. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  return put(element, ...children);
}

/** Returns a new SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  return put(element, ...children);
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  return put(element, ...children);
}

/** Returns a button. */
export function button(text, press, attributes = {}) {
  return el("button", { type: "button", click: press, ...attributes }, text);
}

/** Returns a link. */
export function link(text, href, attributes = {}) {
  return el("a", { href, ...attributes }, text);
}

let count = 0;

/** Returns a labeled control. */
export function labeled(text, control, attributes = {}) {
  count += 1;
  if (!control.id) control.id = `field-${count}`;
  return el("div", { class: "field", ...attributes }, el("label", { for: control.id }, text), control);
}

/** Returns a checkbox with its label. */
export function check(text, checked, change, title) {
  const box = el("input", { type: "checkbox", change: () => change(box.checked) });
  box.checked = Boolean(checked);
  return el("label", { class: "check", title }, box, el("span", {}, text));
}

/** Returns a drop-down list; options are texts, or pairs of value and text. */
export function select(options, chosen, change) {
  const list = el("select", { change: () => change && change(list.value) });
  for (const option of options) {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    list.append(el("option", { value }, text));
  }
  list.value = chosen ?? "";
  if (list.selectedIndex < 0) list.selectedIndex = 0;
  return list;
}

/** Returns whether a key press goes to an input field. */
export function isTyping(event) {
  const name = event.target instanceof Element ? event.target.tagName : "";
  return name === "INPUT" || name === "TEXTAREA" || name === "SELECT";
}

/** Calls `step` with 1 or -1 for each turn of the wheel over an element, at most every 60 ms. */
export function onWheel(element, step) {
  let last = 0;
  element.addEventListener("wheel", (event) => {
    if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
    event.preventDefault();
    if (event.timeStamp - last < 60) return;
    last = event.timeStamp;
    step(event.deltaY > 0 ? 1 : -1);
  }, { passive: false });
}

/** Returns a text in which parts between backticks are code. */
export function withCode(text) {
  return String(text ?? "").split("`").map((part, at) => (at % 2 === 1 ? el("code", {}, part) : part));
}

/** Returns a function that runs `work` once it hasn't been called for `wait` milliseconds. */
export function debounce(work, wait = 250) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), wait);
  };
}

/** Announces a text to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcements");
  if (region) region.textContent = text;
}

/** Saves a text as a file. */
export function save(text, name, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = el("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
