// What the browser remembers between visits. Browsers may forbid storage; then nothing is remembered.

const PREFIX = "taflbase-";
const MAX_ENTRIES = 500;

/** Returns the entries of a topic. */
export function recall(topic) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + topic));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** Remembers an entry of a topic, and forgets the oldest of too many. Returns whether the browser stored it. */
export function remember(topic, name, value) {
  const { [name]: _, ...others } = recall(topic);
  return store(topic, [...Object.entries(others), [name, value]].slice(-MAX_ENTRIES));
}

/** Forgets an entry of a topic. */
export function forget(topic, name) {
  store(topic, Object.entries(recall(topic)).filter(([other]) => other !== name));
}

/** Returns what this tab of the browser remembers until it is closed, or null. */
export function recallInTab(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Remembers a value until this tab of the browser is closed. Returns whether the browser stored it. */
export function rememberInTab(name, value) {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    // Storage is forbidden or full.
    return false;
  }
}

function store(topic, entries) {
  try {
    localStorage.setItem(PREFIX + topic, JSON.stringify(Object.fromEntries(entries)));
    return true;
  } catch {
    // Storage is forbidden or full.
    return false;
  }
}
