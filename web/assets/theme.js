// The color scheme: that of the system, or the one chosen here.

const NAMES = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" };
const NEXT = { auto: "dark", dark: "light", light: "auto" };

function stored() {
  try {
    const value = localStorage.getItem("taflbase-theme");
    return value in NAMES ? value : "auto";
  } catch {
    // Browsers may forbid storage; then the choice lasts until the page is closed.
    return "auto";
  }
}

function apply(choice, button) {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  button.textContent = NAMES[choice];
}

/** Makes a button change the theme: auto, dark, light. */
export function theme(button) {
  let choice = stored();
  // The button is hidden in the page's HTML, because it doesn't work without scripts.
  button.hidden = false;
  apply(choice, button);
  button.addEventListener("click", () => {
    choice = NEXT[choice];
    apply(choice, button);
    try {
      localStorage.setItem("taflbase-theme", choice);
    } catch {
      // Storage is forbidden.
    }
  });
}
