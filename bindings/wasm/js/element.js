// What the elements share: a shadow tree with the styles of the boards, attributes, and errors.

import { css } from "./library.js";
import { el, fill } from "../../../web/assets/dom.js";
import { shapes } from "../../../web/assets/pieces.js";

/** Whether there are elements; Node has none. */
export const HAS_ELEMENTS = typeof HTMLElement !== "undefined";

/** The styles of all elements. Unlike a `style` element, a sheet is allowed by every content security policy. */
const sheet = HAS_ELEMENTS ? new CSSStyleSheet() : null;
sheet?.replaceSync(css);

/** An element with a board. Its content is a shadow tree, which the styles of the page don't reach. */
export class TaflElement extends (HAS_ELEMENTS ? HTMLElement : Object) {
  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    this.content = el("div", { class: "element" });
    this.root.adoptedStyleSheets = [sheet];
    this.root.append(shapes(), this.content);
    this.version = 0;
  }

  connectedCallback() {
    this.setTheme();
    this.schedule();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    if (name === "theme") this.setTheme();
    else this.schedule();
  }

  /** Starts once after all changes of attributes, and after the page is read, since the text of an element follows its start tag. */
  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const start = () => {
      this.isScheduled = false;
      if (this.isConnected) this.start();
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
    else queueMicrotask(start);
  }

  /** Sets the colors: `light`, `dark`, or `auto`, as the system has them. */
  setTheme() {
    const theme = this.getAttribute("theme") ?? "light";
    if (theme === "auto") delete this.dataset.theme;
    else this.dataset.theme = theme === "dark" ? "dark" : "light";
  }

  /** Loads and draws the content again. A later call makes an earlier one stop. */
  async start() {
    this.version += 1;
    const { version } = this;
    try {
      await this.draw(() => this.version === version && this.isConnected);
    } catch (error) {
      if (this.version === version) this.fail(error);
    }
  }

  /** Shows an error in place of the content. */
  fail(error) {
    fill(this.content, el("p", { class: "failure", role: "alert" }, error.message, error.help ? ` (${error.help})` : ""));
    this.emit("tafl-error", { message: error.message, kind: error.kind ?? null });
  }

  /** Sends an event to the page. */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
