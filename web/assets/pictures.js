// Links to pictures of the board, which the server draws as `tafl show` does.

import { address } from "./api.js";
import { el, link } from "./dom.js";

const FORMATS = ["svg", "png", "pdf"];

/** Returns links to pictures of a position; `drawings` returns its arrows and marked cells. */
export function pictureLinks(pos, board, drawings = () => ({})) {
  // The board may be rotated after the links were made.
  const href = (more) => address("/api/picture", { ...pos, ...more, flip: board.isFlipped() });
  const picture = (text, more, title) => {
    const anchor = link(text, href(more()), { download: "", title, click: () => { anchor.href = href(more()); } });
    return anchor;
  };
  const links = FORMATS.map((format) => picture(format.toUpperCase(), () => ({ format, ...drawings() }), `The board as ${format.toUpperCase()}`));
  const animated = pos.moves ? [" All moves: ", picture("GIF", () => ({ format: "gif", animate: true }), "All moves as an animation"), " ",
    picture("animated SVG", () => ({ format: "svg", animate: true }), "All moves as an animation")] : null;
  return el("p", { class: "downloads" }, el("span", { class: "dim" }, "Picture:"), links, animated);
}
