/** Parts of a page, of which one is shown at a time. Without this they stand one under the other. */

/** By the name of the group, so that fresh content shows what was chosen before. */
const chosen = new Map();

export function showTabs(root = document) {
  for (const nav of root.querySelectorAll("[data-tabs]")) {
    nav.dataset.tabs = "shown";
    const group = nav.getAttribute("aria-label");
    const links = [...nav.querySelectorAll("a")];
    const show = (wanted) => {
      chosen.set(group, wanted.hash);
      for (const link of links) {
        if (link === wanted) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
        document.getElementById(link.hash.slice(1)).hidden = link !== wanted;
      }
    };
    nav.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (link === null) return;
      event.preventDefault();
      show(link);
      if (nav.closest("[data-code]") === null) history.replaceState(null, "", link.hash);
    });
    const by = (hash) => links.find((link) => link.hash === hash);
    show(by(location.hash) ?? by(chosen.get(group)) ?? links[0]);
  }
}
showTabs();
