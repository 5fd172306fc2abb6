// Settings of boards, which the browser remembers: colors, coordinates, and sound.

import { check, el, labeled, select } from "./dom.js";
import { recall, remember } from "./memory.js";

const TOPIC = "settings";
const BOARDS = [["wood", "Wood"], ["slate", "Slate"], ["contrast", "High contrast"]];

let audio = null;

/** Plays a short sound of a move, if sounds are on. A capture is lower than another move. */
function moveSound({ isCapture = false } = {}) {
  if (!recall(TOPIC).sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.value = isCapture ? 180 : 320;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.12);
}

function apply() {
  const { board = "wood", coordinates = true } = recall(TOPIC);
  const { dataset } = document.documentElement;
  dataset.board = board;
  dataset.coordinates = coordinates ? "on" : "off";
}

function change(name, value) {
  remember(TOPIC, name, value);
  apply();
}

/** Applies the settings, and fills an element with their form. */
export function boardSettings(host) {
  apply();
  const { board = "wood", coordinates = true, sound = false } = recall(TOPIC);
  host.append(el("summary", {}, "Board"), el("div", { class: "settings" }, labeled("Colors", select(BOARDS, board, (value) => change("board", value))),
    check("Coordinates", coordinates, (isOn) => change("coordinates", isOn)), check("Sound of moves", sound, (isOn) => {
      change("sound", isOn);
      moveSound();
    })));
  host.hidden = false;
  document.addEventListener("tafl-move", ({ detail }) => moveSound(detail));
  // A click elsewhere closes the form, as does Escape.
  document.addEventListener("click", (event) => {
    if (host.open && !host.contains(event.target)) host.open = false;
  });
  host.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    host.open = false;
    host.querySelector("summary").focus();
  });
}
