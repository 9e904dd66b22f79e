/**
 * Buttons that play a sound where they stand, one at a time; what is said beside one is the length, and the time while
 * it plays. A place (`[data-place]`) behind them is moved along, and moves the sound.
 */
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
    const is_begun = button === heard && audio.currentTime > 0 && !audio.ended;
    place.textContent = is_playing ? clock(audio.currentTime) : button.dataset.length;
    const slider = button.parentElement.querySelector("[data-place]");
    if (slider !== null) slider.value = String(is_begun ? audio.currentTime : 0);
    button.dispatchEvent(new CustomEvent("heard", { detail: is_begun ? audio.currentTime : 0 }));
  }
}
for (const event of ["play", "pause", "ended", "timeupdate", "seeking"]) audio.addEventListener(event, show);

function hear(button) {
  if (button === heard && !audio.paused) return audio.pause();
  hearAt(button, 0);
}

/** From this second on. */
export function hearAt(button, seconds) {
  if (button !== heard) audio.src = button.dataset.hear;
  heard = button;
  audio.currentTime = seconds;
  // What was stopped before it began says so.
  audio.play().catch(show);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-hear]");
  if (button !== null) hear(button);
});
document.addEventListener("input", ({ target }) => {
  if (target.matches(".sound [data-place]"))
    hearAt(target.parentElement.querySelector("[data-hear]"), Number(target.value));
});

/** Silent again, where it was this button's sound. */
export function hush(button) {
  if (button === heard) audio.pause();
}
