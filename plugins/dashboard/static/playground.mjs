/** The playground's form: uploads while it is filled in, the cost and what the words are heard as while they change, and counted characters. */
import { clock } from "./clock.mjs";

const form = document.querySelector("[data-playground]");
const cost = form.querySelector("[data-cost]");
const run = form.querySelector("button[value=run]");
const csrf = form.elements.csrf.value;
for (const element of form.querySelectorAll("[data-scriptless]")) element.hidden = true;

// ------------------------------------------------------------------------------------------------------------------ cost

let asking;
let waiting;
const priced = () => {
  clearTimeout(waiting);
  waiting = setTimeout(price, 350);
};

async function price() {
  asking?.abort();
  asking = new AbortController();
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values.append(name, value);
  try {
    const response = await fetch(form.dataset.price, {
      method: "POST",
      body: values,
      headers: { accept: "application/json", "x-csrf-token": csrf },
      signal: asking.signal,
    });
    const answer = await response.json();
    showHeard(answer.heard ?? []);
    if (response.ok && answer.cost !== null) {
      const credits = answer.cost === 1 ? "1 credit" : `${answer.cost} credits`;
      cost.textContent = `Costs ${credits}; you have ${answer.balance}${answer.sufficient ? "." : ", which is too few."}`;
      run.textContent = `Run for ${credits}`;
    } else {
      cost.textContent = answer.missing ?? "The cost cannot be told right now.";
      run.textContent = "Run";
    }
  } catch (error) {
    if (error.name !== "AbortError") cost.textContent = "The cost cannot be told right now.";
  }
}
form.addEventListener("input", priced);

// ----------------------------------------------------------------------------------------------------------------- heard

const heard = form.querySelector("[data-heard]");
let heard_last = "";

/** Only what has changed is written, for what is written is read out. */
function showHeard(groups) {
  const now = JSON.stringify(groups);
  if (heard === null || now === heard_last) return;
  heard_last = now;
  heard.hidden = groups.length === 0;
  heard.querySelector("dl").replaceChildren(
    ...groups.flatMap(({ tone, title, texts }) => {
      const [term, said, list] = ["dt", "dd", "ul"].map((name) => document.createElement(name));
      term.textContent = title;
      list.append(
        ...texts.map((text) => {
          const [item, chip] = ["li", "span"].map((name) => document.createElement(name));
          item.dir = "auto";
          chip.className = `badge ${tone}`;
          chip.textContent = text;
          item.append(chip);
          return item;
        }),
      );
      said.append(list);
      return [term, said];
    }),
  );
}

priced();

// --------------------------------------------------------------------------------------------------------------- uploads

let uploads = 0;

for (const box of form.querySelectorAll("[data-audio]")) {
  const input = box.querySelector("input[type=file]");
  const place = box.querySelector(".drop");
  const said = box.querySelector("[data-brought]");
  const field = (part) => form.elements[`${box.dataset.audio}.${part}`];

  const send = (file) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const bar = document.createElement("progress");
      bar.max = 1;
      bar.setAttribute("aria-label", "Upload");
      said.replaceChildren(bar);
      request.upload.onprogress = ({ loaded, total }) => {
        bar.value = loaded / total;
      };
      request.onload = () => resolve({ ok: request.status === 200, body: request.response });
      request.onerror = () => reject(new Error("The upload broke off, try again"));
      request.open("PUT", form.dataset.uploads);
      request.responseType = "json";
      request.setRequestHeader("accept", "application/json");
      request.setRequestHeader("x-csrf-token", csrf);
      request.send(file);
    });

  const bring = async (file) => {
    uploads++;
    run.disabled = true;
    place.querySelector("audio")?.remove();
    field("upload").value = "";
    try {
      const { ok, body } = await send(file);
      if (!ok) {
        const detail = body?.detail;
        throw new Error(
          Array.isArray(detail) ? detail.map(({ msg }) => msg).join(". ") : String(detail ?? "It was refused"),
        );
      }
      field("upload").value = body.id;
      field("filename").value = file.name;
      const name = document.createElement("b");
      name.dir = "auto";
      name.textContent = file.name;
      const facts = document.createElement("small");
      facts.textContent = ` ${clock(body.seconds)}, uploaded`;
      said.replaceChildren(name, facts);
      const player = document.createElement("audio");
      player.controls = true;
      player.preload = "none";
      player.src = body.play;
      player.setAttribute("aria-label", file.name);
      place.append(player);
      // It is there already: the form need not carry it again.
      input.value = "";
      priced();
    } catch (error) {
      const problem = document.createElement("span");
      problem.className = "problem";
      problem.textContent = error.message;
      said.replaceChildren(problem);
      input.value = "";
    } finally {
      uploads--;
      run.disabled = uploads > 0;
    }
  };

  input.addEventListener("change", () => {
    if (input.files.length > 0) void bring(input.files[0]);
  });
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("over");
  });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (file !== undefined) void bring(file);
  });
}

// ------------------------------------------------------------------------------------------------------------ characters

for (const area of form.querySelectorAll("textarea[data-characters]")) {
  const most = Number(area.dataset.characters);
  const counter = document.createElement("small");
  const count = () => {
    // Code points, as the service counts.
    const left = most - [...area.value].length;
    counter.hidden = area.value === "";
    counter.textContent = left < 0 ? `${-left} too many` : `${left} left`;
    counter.className = left < 0 ? "problem" : "";
  };
  area.addEventListener("input", count);
  area.after(counter);
  count();
}
