/** Rows of operations, gone through by keys. */
import "./hear.mjs";

const table = document.querySelector("[data-rows]");
const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

if (table !== null) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const row = target.closest("[data-rows] tbody tr");
    const is_free = target === document.body || target.id === "main";
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || (row === null && !is_free)) return;
    const links = [...table.querySelectorAll("tbody th a")];
    const at = links.findIndex((link) => row?.contains(link));
    const step = row === null && key.startsWith("Arrow") ? undefined : STEPS[key];
    if (step !== undefined) (links[at + step] ?? links[Math.max(0, at)]).focus();
    else if (key === " " && target.matches("tbody th a")) row.querySelector("[data-hear]")?.click();
    else return;
    event.preventDefault();
  });
}
