/** Fresh content in the place of old, with what a person has open and where they are. */

const keyOf = (element) =>
  [
    element.tagName,
    element.id,
    element.name ?? "",
    (element.querySelector("summary") ?? element).textContent.trim(),
  ].join("|");

const FOCUSABLE = "a, button, summary, input, select, textarea, pre, [tabindex]";

/** The children of `fresh` become those of `target`. */
export function put(target, fresh) {
  const folds = (open) => [...target.querySelectorAll("details")].filter((fold) => fold.open === open);
  const open = new Set(folds(true).map(keyOf));
  const focused = document.activeElement;
  const key = target !== focused && target.contains(focused) ? keyOf(focused) : undefined;
  target.replaceChildren(...fresh.childNodes);
  for (const fold of folds(false)) fold.open = open.has(keyOf(fold));
  if (key === undefined) return;
  const same = [...target.querySelectorAll(FOCUSABLE)].find((element) => keyOf(element) === key);
  const place = same ?? target.querySelector("h1, h2") ?? target;
  if (same === undefined) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** A parser that runs no script takes what is for pages without script for real. */
export function parsePage(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const spare of page.querySelectorAll("noscript")) spare.remove();
  // Which part is shown is said right after (tabs.mjs): until then each can have the focus.
  for (const nav of page.querySelectorAll("[data-tabs]")) nav.dataset.tabs = "shown";
  return page;
}

/** The first `selector` of the page at `address`; undefined where there is none. */
export async function fetchPart(address, selector) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) return undefined;
  return parsePage(await response.text()).querySelector(selector) ?? undefined;
}

/** Read out by screen readers, and seen by nobody. */
export function announce(text) {
  document.querySelector("[data-announce]").textContent = text;
}
