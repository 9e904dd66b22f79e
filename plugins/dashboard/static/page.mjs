/**
 * On every page: copying, local times, forms that are sent once, and parts that are watched. Nothing here is needed.
 */
import { announce, fetchPart, put } from "./refresh.mjs";
import "./tabs.mjs";

/** What is copied: the text given, or that of the code before the button. */
for (const button of document.querySelectorAll("[data-copy]")) showCopy(button);

export function showCopy(button) {
  if (navigator.clipboard === undefined) return;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const code = button.closest(".tab")?.querySelector("code");
    await navigator.clipboard.writeText(button.dataset.copy || code.textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}

// Only who points at a time is told it in theirs: the first date that a page formats takes it some 15 ms.
addEventListener("pointerover", ({ target }) => {
  const time = target.closest("time[datetime]");
  if (time === null || time.title.includes("(your time)")) return;
  time.title = `${new Date(time.dateTime).toLocaleString()} (your time), ${time.title}`;
});

// A second click while the first is on its way would send the form again.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent !== undefined) event.preventDefault();
    form.dataset.sent = "";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// A part of the page that is still changing is fetched again until it says no more that it is.
const watched = document.querySelector("[data-watch]");
if (watched !== null) {
  const look = async () => {
    const fresh = await fetchPart(watched.dataset.watch, "main > :last-child").catch(() => null);
    if (fresh === undefined) return;
    // The network may be away for a moment.
    if (fresh !== null && fresh.innerHTML !== shown) {
      shown = fresh.innerHTML;
      put(watched, fresh);
      if (fresh.dataset.watch === undefined) return announce("It has changed");
    }
    setTimeout(look, every_ms);
  };
  const every_ms = Number(watched.dataset.every ?? 1.5) * 1000;
  let shown = watched.innerHTML;
  setTimeout(look, every_ms);
}
