// The text of a query as clauses joined by `and`: those that forms can show, and the rest as it was written.

/** Returns a text in quotation marks, which the query language can't escape. */
export function quoted(text) {
  return `"${text.replaceAll("\"", " ")}"`;
}

const range = (name) => ({
  read: new RegExp(`^${name}:(\\d*)(\\.\\.)?(\\d*)$`),
  value: ([, low, dots, high]) => (low || high ? [low, dots ? high : low] : null),
  write: ([low, high]) => (low || high ? `${name}:${low === high ? low : `${low}..${high}`}` : null),
});
const text = (name) => ({
  read: new RegExp(`^${name}:(?:"([^"]*)"|([^\\s()"]+))$`),
  value: ([, long, short]) => long ?? short,
  write: (value) => (value ? `${name}:${quoted(value)}` : null),
});
const word = (name) => ({
  read: new RegExp(`^${name}:([\\w*-]+)$`),
  value: ([, value]) => value,
  write: (value) => (value ? `${name}:${value}` : null),
});

/** The events of a ply: the keyword of the query language, and the label. */
export const EVENTS = [
  ["capture", "a capture"], ["many_captured", "two or more pieces captured"], ["shieldwall", "a shieldwall"],
  ["against_throne", "a capture against the throne"], ["against_corner", "a capture against a corner"],
  ["against_camp", "a capture against a camp"], ["linnaean", "a Linnaean capture"], ["jumped", "a jump"],
  ["king_moved", "the king moves"], ["king_danger", "the king can be captured"], ["king_can_escape", "the king can escape"],
  ["king_open_line", "the king has an open line"], ["king_cordon", "a cordon around the king"], ["king_on_edge", "the king on the edge"],
  ["king_escaped", "the king escapes"], ["king_captured", "the king is captured"], ["exit_fort", "an exit fort"],
  ["encirclement", "an encirclement"], ["no_legal_move", "no legal move"], ["repetition", "a repetition"],
];

const names = EVENTS.map(([name]) => name).join("|");

const CLAUSES = {
  variant: word("variant"),
  position: {
    read: /^position((?:\s+as_is)?)\s+"([^"]*)"$/i,
    value: ([, words, rows]) => ({ words: ["board", ...words.trim().split(/\s+/).filter(Boolean)], rows: boardRows(rows) }),
    write: ({ words, rows }) => `position${words.includes("as_is") ? " as_is" : ""} "/${rows}/"`,
  },
  player: text("player"),
  won: text("won"),
  tournament: text("event"),
  result: word("result"),
  reason: text("reason"),
  year: range("year"),
  rating: range("rating"),
  plies: range("plies"),
  event: { read: new RegExp(`^(${names})$`), value: ([, value]) => value, write: (value) => value || null },
  pattern: {
    read: /^pattern((?:\s+(?:as_is|swapped|anywhere|board|corner|edge|throne|king|at\s+[a-z]+\d+))*)\s+"([^"]*)"$/i,
    value: ([, words, rows]) => ({ words: words.trim().split(/\s+/).filter(Boolean), rows }),
    write: (value) => (value ? ["pattern", ...value.words, quoted(value.rows)].join(" ") : null),
  },
};

/** Returns the rows of a position record as a pattern of the whole board. */
function boardRows(record) {
  return record.replace(/^\/|\/$/g, "");
}

/** Splits a text at `and` outside of parentheses; `plain` is false if another operator joins parts. */
function split(text) {
  const parts = [""];
  let depth = 0;
  let plain = true;
  for (const token of text.match(/"[^"]*"?|[()]|\s+|[^\s()"]+/g) ?? []) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    const joins = depth === 0 && /^(and|or|then|before|within)$/i.test(token);
    if (joins && token.toLowerCase() === "and") parts.push("");
    else {
      if (joins) plain = false;
      parts[parts.length - 1] += token;
    }
  }
  return { parts: parts.map((part) => part.trim()).filter(Boolean), plain };
}

/** Splits a part at spaces, which also mean `and`, if each piece is a clause of its own. */
function splitAtSpaces(part) {
  const tokens = part.match(/position(?:\s+as_is)?\s+"[^"]*"|pattern(?:\s+(?:as_is|swapped|anywhere|board|corner|edge|throne|king|at\s+[a-z]+\d+))*\s+"[^"]*"|[^\s()"]+:"[^"]*"|[^\s()"]+/gi) ?? [];
  const whole = tokens.join("").replace(/\s/g, "") === part.replace(/\s/g, "");
  return whole && tokens.every((token) => Object.values(CLAUSES).some(({ read }) => read.test(token))) ? tokens : [part];
}

/** Returns the clauses of a text that forms can show, and the rest as `free`. */
export function parse(text) {
  const found = {};
  const { parts, plain } = split(text.trim());
  if (!plain) return { free: text.trim() };
  const rest = [];
  for (const part of parts.flatMap(splitAtSpaces)) {
    const match = Object.entries(CLAUSES).find(([name, { read }]) => !(name in found) && read.test(part));
    const value = match ? match[1].value(match[1].read.exec(part)) : null;
    if (value) found[match[0]] = value;
    else rest.push(part);
  }
  return { ...found, free: rest.join(" and ") };
}

/** Returns the text of clauses and of the rest. */
export function compose(clauses) {
  const parts = Object.entries(CLAUSES).map(([name, { write }]) => (clauses[name] ? write(clauses[name]) : null)).filter(Boolean);
  const free = (clauses.free ?? "").trim();
  if (free) parts.push(parts.length && !split(free).plain ? `(${free})` : free);
  return parts.join(" and ");
}
