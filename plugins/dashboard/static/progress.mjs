/** An operation at work: asks how far it is and shows it, and what came of it when it has ended, without a new page. */
import { showCopy } from "./page.mjs";
import { startPlayers } from "./players.mjs";
import { announce, fetchPart, put } from "./refresh.mjs";
import { showTabs } from "./tabs.mjs";

const INTERVAL_MS = 800;

/**
 * `target` has the progress, and gets what is `selector` on the operation's page in the end. `leave()`: something else
 * is shown there by now.
 */
export function follow(target, selector, leave = () => false) {
  const box = target.querySelector("[data-progress]");
  if (box === null) return;
  const [bar, said, percent] = ["progress", "[data-said]", "[data-percent]"].map((part) => box.querySelector(part));
  const titled = document.title.replace(/^\d+ % · /u, "");

  const look = async () => {
    if (leave()) return;
    try {
      const response = await fetch(box.dataset.progress, { headers: { accept: "application/json" } });
      if (response.ok) {
        const state = await response.json();
        if (state.status !== "processing") {
          const fresh = await fetchPart(box.dataset.page, selector);
          if (fresh === undefined || leave()) return;
          put(target, fresh);
          startPlayers(target);
          showTabs(target);
          for (const button of target.querySelectorAll("[data-copy]")) showCopy(button);
          document.title = titled;
          announce(state.ended);
          return;
        }
        bar.value = state.progress;
        percent.textContent = `${Math.round(100 * state.progress)} %`;
        // Only when it changes, so that a screen reader does not repeat itself.
        if (said.textContent !== state.said) said.textContent = state.said;
        document.title = `${percent.textContent} · ${titled}`;
      } else if (response.status !== 429 && response.status !== 503) return;
    } catch {
      // The network is away for a moment: look again.
    }
    setTimeout(look, INTERVAL_MS);
  };
  setTimeout(look, INTERVAL_MS);
}

const main = document.querySelector("main:has([data-progress])");
if (main !== null) follow(main, "main");
