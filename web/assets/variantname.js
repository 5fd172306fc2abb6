// Titles of variants, also of rules that the catalog doesn't have.

import { variants } from "./api.js";

/** Returns the titles of variants by their names. */
export async function variantTitles() {
  return new Map((await variants()).map(({ name, title }) => [name, title]));
}

/** Returns the name that a rules string has for its rules: `Five-men`; null without one. */
function ruleLabel(rules) {
  const [, label] = /(?:^| )name:(\S+)/.exec(rules ?? "") ?? [];
  return label ? label.replaceAll("_", " ") : null;
}

/** Returns the title of the rules of a game or of a row: that of the catalog, or the name in the rules string. */
export function rulesTitle({ variant, rules }, titles) {
  if (variant) return titles.get(variant) || variant;
  const label = ruleLabel(rules);
  return label ? `${label} (custom rules)` : "custom rules";
}
