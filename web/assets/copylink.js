// A button that copies an address.

import { announce, button } from "./dom.js";

/** The time for which the button shows the result, in milliseconds. */
const SHOWN = 3000;

/** Returns a button that copies the address that `getAddress` returns. */
export function copyLink(text, getAddress) {
  const share = button(text, async () => {
    try {
      await navigator.clipboard.writeText(getAddress());
      share.textContent = "Copied";
      announce("Link copied");
    } catch {
      // Browsers forbid copying on pages without TLS, and users can forbid it.
      share.textContent = "Not allowed by the browser";
      announce("The browser does not allow copying");
    }
    setTimeout(() => { share.textContent = text; }, SHOWN);
  });
  return share;
}
