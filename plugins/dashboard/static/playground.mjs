/**
 * The playground's form: uploads while it is filled in, the cost and what the words are heard as while they change, and
 * counted characters.
 */
import { drawBrought, playerOf } from "./brought.mjs";
import { clock } from "./clock.mjs";
import { hush } from "./hear.mjs";
import { announce, parsePage, put } from "./refresh.mjs";

const form = document.querySelector("[data-playground]");
const cost = form.querySelector("[data-cost]");
const run = form.querySelector("button[value=run]");
const csrf = form.elements.csrf.value;

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
    // Somebody types faster than may be asked.
    if (response.status === 429 || response.status === 503) {
      waiting = setTimeout(price, 1000 * Number(response.headers.get("retry-after") ?? 2));
      return;
    }
    const answer = await response.json();
    showHeard(answer.heard ?? []);
    for (const { name, text } of answer.code ?? [])
      document.querySelector(`[data-snippet="${name}"]`).textContent = text;
    const credits = answer.cost === 1 ? "1 credit" : `${answer.cost} credits`;
    const has_cost = response.ok && typeof answer.cost === "number";
    const few = answer.sufficient ? "." : ", which is too few.";
    const costs = has_cost
      ? `Costs ${answer.cost_max === undefined ? "" : "at most "}${credits}; you have ${answer.balance.toLocaleString("en")}${few}`
      : "";
    const said = [costs, answer.missing].filter(Boolean).join(" ");
    tell(said === "" ? "The cost cannot be told right now." : said);
    run.textContent = has_cost ? `Run for ${credits}` : "Run";
  } catch (error) {
    if (error.name !== "AbortError") tell("The cost cannot be told right now.");
  }
}

/** Only what has changed is written, for what is written is read out. */
function tell(text) {
  if (cost.textContent !== text) cost.textContent = text;
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
      request.open("PUT", `${form.dataset.uploads}?name=${encodeURIComponent(file.name)}`);
      request.responseType = "json";
      request.setRequestHeader("accept", "application/json");
      request.setRequestHeader("x-csrf-token", csrf);
      request.send(file);
    });

  const clear = () => {
    for (const button of place.querySelectorAll(".sound [data-hear]")) hush(button);
    for (const element of place.querySelectorAll(".sound, canvas")) element.remove();
    said.replaceChildren();
    field("upload").value = field("filename").value = "";
  };
  const choices = box.querySelectorAll("input[type=radio]");
  // What was chosen last counts.
  for (const choice of choices) choice.addEventListener("change", () => choice.value !== "" && clear());

  const bring = async (file) => {
    uploads++;
    run.disabled = true;
    clear();
    for (const choice of choices) choice.checked = choice.value === "";
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
      const player = playerOf(file.name, body.seconds, body.play);
      place.append(player);
      const drawn = await drawBrought(file, body.seconds, player.querySelector("[data-hear]"));
      // Another one may be there by now.
      if (drawn !== undefined && player.isConnected) player.before(drawn);
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

  const bringChosen = () => {
    if (input.files.length > 0) void bring(input.files[0]);
  };
  input.addEventListener("change", bringChosen);
  // Somebody may have been faster than this script.
  bringChosen();
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

// ---------------------------------------------------------------------------------------------------------------- result

const pane = document.querySelector("[data-pane]");
/** The operation that is shown beside the form. */
let shown;

/** A version-4 UUID, also on pages that are not secure contexts. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, "$1-$2-$3-$4-");
}

form.addEventListener("submit", async (event) => {
  // Files that are still in the form go with it, the ordinary way.
  const has_files = [...form.querySelectorAll("input[type=file]")].some(({ files }) => files.length > 0);
  if (event.submitter?.value !== "run" || has_files) return;
  event.preventDefault();
  run.disabled = true;
  try {
    const body = new FormData(form, event.submitter);
    const response = await fetch(form.action, { method: "POST", body, headers: { "x-csrf-token": csrf } });
    const id = response.redirected
      ? /\/operations\/(op_[0-9a-z]+)$/u.exec(new URL(response.url).pathname)?.[1]
      : undefined;
    // Sent once more, by the same key, it is the page that says what is wrong.
    if (id === undefined) return sendPlainly(event.submitter);
    const fresh = parsePage(await response.text()).querySelector("[data-result]");
    form.elements.idempotency_key.value = newKey();
    await show(id, response.url, fresh);
    priced();
  } catch {
    sendPlainly(event.submitter);
  } finally {
    run.disabled = uploads > 0;
    delete form.dataset.sent;
  }
});

function sendPlainly(submitter) {
  const intent = document.createElement("input");
  Object.assign(intent, { type: "hidden", name: "intent", value: submitter.value });
  form.append(intent);
  form.submit();
}

async function show(id, address, fresh) {
  shown = id;
  // Not needed before there is a result; they begin with what is on the page, so before it is shown.
  const [{ startPlayers }, { follow }] = await Promise.all([import("./players.mjs"), import("./progress.mjs")]);
  const result = document.createElement("div");
  result.className = "stack-of";
  const head = document.createElement("p");
  const link = document.createElement("a");
  link.href = address;
  link.textContent = "Report, request and code of this result";
  head.append(link);
  pane.replaceChildren(result, head);
  pane.hidden = false;
  put(result, fresh);
  startPlayers(pane);
  announce("It was accepted");
  pane.scrollIntoView({ block: "nearest" });
  follow(result, "[data-result]", () => shown !== id);
}

// ----------------------------------------------------------------------------------------------------------------- pairs

for (const box of form.querySelectorAll("[data-pairs]")) {
  const add = box.querySelector("[data-add]");
  const rows = () => box.querySelectorAll(".pair");
  const most = Number(box.dataset.most ?? Number.POSITIVE_INFINITY);
  add.hidden = rows().length >= most;
  add.addEventListener("click", () => {
    const count = rows().length;
    const row = rows()[count - 1].cloneNode(true);
    for (const input of row.querySelectorAll("input")) {
      input.removeAttribute("id");
      input.value = "";
      input.name = input.name.replace(/\.\d+\./u, `.${count}.`);
      input.ariaLabel = input.ariaLabel.replace(/\d+$/u, count + 1);
    }
    rows()[count - 1].after(row);
    row.querySelector("input").focus();
    add.hidden = count + 1 >= most;
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
