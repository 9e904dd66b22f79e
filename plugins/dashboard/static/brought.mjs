/**
 * What an uploaded file looks like, before anything is run: a player, and its waveform, drawn here, from which it is
 * heard.
 */
import { clock } from "./clock.mjs";
import { hearAt } from "./hear.mjs";

/** Longer ones would take too much memory to decode. */
const SECONDS_MAX = 720;
/** Enough for a picture; a whole number of samples stands for each column. */
const RATE = 8000;
const COLUMNS = 800;

/** Button, time and place, as `hear.mjs` plays them. */
export function playerOf(name, seconds, address) {
  const player = document.createElement("div");
  player.className = "row sound";
  const [button, time, place] = ["button", "small", "input"].map((tag) => document.createElement(tag));
  Object.assign(button, { type: "button", className: "hear", ariaLabel: `Play ${name}` });
  button.dataset.hear = address;
  time.textContent = clock(seconds);
  Object.assign(place, {
    type: "range",
    max: String(seconds),
    step: "any",
    value: "0",
    ariaLabel: `Position in ${name}`,
  });
  place.dataset.place = "";
  player.append(button, time, place);
  return player;
}

/** Resolves to nothing where the browser cannot decode it, or had better not. */
export async function drawBrought(file, seconds, button) {
  if (seconds > SECONDS_MAX) return undefined;
  const decoder = new OfflineAudioContext(1, 1, RATE);
  const audio = await file
    .arrayBuffer()
    .then((bytes) => decoder.decodeAudioData(bytes))
    .catch(() => undefined);
  if (audio === undefined) return undefined;
  const peaks = peaksOf(audio);
  const canvas = document.createElement("canvas");
  canvas.width = COLUMNS;
  canvas.height = 128;
  canvas.setAttribute("role", "img");
  canvas.ariaLabel = `Waveform of ${file.name}`;
  canvas.addEventListener("click", ({ offsetX }) => {
    hearAt(button, (seconds * offsetX) / canvas.clientWidth);
  });
  let heard = 0;
  const draw = () => paint(canvas, peaks, heard / seconds);
  button.addEventListener("heard", ({ detail }) => {
    heard = detail;
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // Its colour is the page's, which it only has once it stands there.
  requestAnimationFrame(draw);
  return canvas;
}

function peaksOf(audio) {
  const peaks = new Float32Array(COLUMNS);
  for (let channel = 0; channel < audio.numberOfChannels; channel++) {
    const samples = audio.getChannelData(channel);
    for (let index = 0; index < samples.length; index++) {
      const column = Math.floor((index * COLUMNS) / samples.length);
      peaks[column] = Math.max(peaks[column], Math.abs(samples[index]));
    }
  }
  return peaks;
}

/** What was heard is full, what is to come is lighter. */
function paint(canvas, peaks, heard) {
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = getComputedStyle(canvas).color;
  for (const [column, peak] of peaks.entries()) {
    const height = Math.max(1, Math.min(1, peak) * canvas.height);
    pen.globalAlpha = heard > 0 && column > heard * COLUMNS ? 0.4 : 1;
    pen.fillRect(column, (canvas.height - height) / 2, 1, height);
  }
}
