/** Buttons that play a sound where they stand, one at a time; what is said beside one is the length, and the time while it plays. */
import { clock } from "./clock.mjs";

const audio = new Audio();
/** The button whose sound it is. */
let heard;

function show() {
  for (const button of document.querySelectorAll("[data-hear]")) {
    const is_playing = button === heard && !audio.paused;
    const place = button.nextElementSibling;
    button.dataset.length ??= place.textContent;
    button.classList.toggle("playing", is_playing);
    button.ariaLabel = button.ariaLabel.replace(/^\w+/u, is_playing ? "Stop" : "Play");
    place.textContent = is_playing ? clock(audio.currentTime) : button.dataset.length;
  }
}
for (const event of ["play", "pause", "ended", "timeupdate"]) audio.addEventListener(event, show);

function hear(button) {
  if (button === heard && !audio.paused) return audio.pause();
  if (button !== heard) audio.src = button.dataset.hear;
  heard = button;
  audio.currentTime = 0;
  // What was stopped before it began says so.
  audio.play().catch(show);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-hear]");
  if (button !== null) hear(button);
});
