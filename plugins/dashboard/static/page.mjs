/** On every page: copying, local times, forms that are sent once, and fields that send their form. Nothing here is needed. */

for (const button of document.querySelectorAll("[data-copy]")) {
  if (navigator.clipboard === undefined) continue;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}

for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = `${new Date(time.dateTime).toLocaleString()} (your time), ${time.title}`;
}

for (const select of document.querySelectorAll("select[data-submits]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

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
    const response = await fetch(watched.dataset.watch);
    if (!response.ok) return;
    const fresh = new DOMParser()
      .parseFromString(await response.text(), "text/html")
      .querySelector("main > :last-child");
    if (fresh === null) return;
    watched.replaceChildren(...fresh.childNodes);
    if (fresh.dataset.watch !== undefined) setTimeout(look, 1500);
  };
  setTimeout(look, 1500);
}
