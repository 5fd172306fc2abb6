// The page of a position for frames of other sites: a board to play on.

import { el, fill } from "./dom.js";
import { failure } from "./notice.js";
import { PositionPage } from "./positionpage.js";

/** Opens the page. */
export async function open(main, { signal }) {
  const page = new Frame(main, signal);
  await page.follow();
  return page;
}

class Frame extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "frame", label: "Board", outside: ".chooser" });
    this.error = el("div", { "aria-live": "polite" });
    this.heading = el("h1", { class: "visually-hidden" }, "A position");
    fill(main, this.heading, this.host, this.controls(), this.status, this.trail, this.error);
  }

  update() {
    document.title = "A position · Taflbase";
    this.heading.textContent = `A position of ${this.variantTitle()}`;
    fill(this.error);
  }

  report(error) {
    fill(this.error, failure(error, () => this.follow()));
  }
}
