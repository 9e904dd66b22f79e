/** An operation at work: asks how far it is and shows it; loads the page anew when it has ended. */
const box = document.querySelector("[data-progress]");
const bar = box.querySelector("progress");
const said = box.querySelector("[data-said]");
const percent = box.querySelector("[data-percent]");
const INTERVAL_MS = 800;

async function look() {
  try {
    const response = await fetch(box.dataset.progress, { headers: { accept: "application/json" } });
    if (response.ok) {
      const state = await response.json();
      if (state.status !== "processing") {
        location.reload();
        return;
      }
      bar.value = state.progress;
      const text = `${Math.round(100 * state.progress)} %`;
      percent.textContent = text;
      // Only when it changes, so that a screen reader does not repeat itself.
      if (said.textContent !== state.said) said.textContent = state.said;
      document.title = `${text} · ${document.title.replace(/^\d+ % · /, "")}`;
    } else if (response.status !== 429 && response.status !== 503) return;
  } catch {
    // The network is away for a moment: look again.
  }
  setTimeout(look, INTERVAL_MS);
}
setTimeout(look, INTERVAL_MS);
