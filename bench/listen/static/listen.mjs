/**
 * The page's script: one player at a time, clicks into pictures, keys, and choices. A choice goes to the server that sent the page; where there
 * is none it stays in the browser and can be downloaded. What has not arrived is sent again with the next choice and at the next visit.
 */
const page = document.querySelector("main").dataset.page;
const bar = document.querySelector(".listen-bar");
const pieces = [...document.querySelectorAll("[data-piece]")].map((element) => ({
  element,
  name: element.dataset.piece,
  tracks: [...element.querySelectorAll("[data-track]")].map(trackOf),
}));
let current = pieces[0];
let playing;
let following = false;

const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// ------------------------------------------------------------------------------------------------------------- playing

function trackOf(element) {
  const player = element.querySelector("audio");
  const view = element.querySelector(".view");
  const seconds = Number(element.dataset.seconds);
  player.volume = Number(element.dataset.volume);
  player.hidden = true;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small primary";
  element.querySelector(".track-head").prepend(button);
  const line = document.createElement("div");
  line.className = "playhead";
  line.hidden = true;
  view.append(line);
  view.dataset.seek = "";
  const track = { element, player, button, line, seconds, title: element.dataset.track, heard: false };
  label(track);
  button.addEventListener("click", () => {
    if (player.paused) play(track);
    else player.pause();
  });
  view.addEventListener("click", (event) => {
    const box = view.getBoundingClientRect();
    play(track, (seconds * (event.clientX - box.left)) / box.width);
  });
  for (const event of ["play", "pause", "ended"]) player.addEventListener(event, () => label(track));
  player.addEventListener("playing", () => {
    track.heard = true;
    showChoice(pieceOf(track));
    // Also after each seek.
    if (!following) follow();
  });
  player.addEventListener("error", () => {
    button.textContent = "Cannot be played";
  });
  return track;
}

function label({ player, button, title }) {
  button.textContent = player.paused ? "▶ Play" : "❚❚ Pause";
  button.setAttribute("aria-label", `${player.paused ? "Play" : "Pause"} ${title}`);
}

const pieceOf = (track) => pieces.find(({ tracks }) => tracks.includes(track));

/** From `seconds`, or from where the piece's other side is: a side that is shorter begins anew. */
function play(track, seconds) {
  const piece = pieceOf(track);
  let from = seconds;
  if (from === undefined && playing !== track && piece.tracks.includes(playing)) {
    const { currentTime } = playing.player;
    from = currentTime < track.seconds - 0.5 ? currentTime : 0;
  }
  if (playing !== undefined && playing !== track) playing.player.pause();
  if (from !== undefined) track.player.currentTime = from;
  playing = track;
  enter(piece);
  // Refused where the other side is asked for at once.
  track.player.play().catch(() => undefined);
}

function follow() {
  const { player, line, seconds } = playing;
  for (const { tracks } of pieces) for (const track of tracks) track.line.hidden = track !== playing;
  line.style.left = `${100 * Math.min(1, player.currentTime / seconds)}%`;
  if (bar !== null) {
    const what = `${pieceOf(playing).name} ${playing.title}`;
    bar.querySelector("[data-now]").textContent = `${what}  ${time(player.currentTime)} / ${time(seconds)}`;
  }
  following = !player.paused;
  if (following) requestAnimationFrame(follow);
}

function enter(piece) {
  current = piece;
  for (const { element } of pieces) element.toggleAttribute("data-current", element === piece.element);
}

function go(steps) {
  const next = pieces[pieces.indexOf(current) + steps];
  if (next === undefined) return;
  playing?.player.pause();
  enter(next);
  next.element.scrollIntoView({ block: "start" });
}

// ------------------------------------------------------------------------------------------------------------ choosing

const place = `tonwerk-listen ${page}`;
/** `choices` by piece; `sent`: the server has it. */
const kept = restore() ?? { listener: crypto.randomUUID?.() ?? String(Math.random()).slice(2), choices: {} };

function restore() {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null;
  }
}

function store() {
  try {
    localStorage.setItem(place, JSON.stringify(kept));
  } catch {
    say("This browser keeps nothing: download before you leave");
  }
}

const say = (text) => {
  bar.querySelector("[data-kept]").textContent = text;
};

function choose(piece, chosen) {
  if (kept.choices[piece.name] !== undefined) return;
  if (!piece.tracks.every(({ heard }) => heard)) {
    say("Hear both first");
    return;
  }
  const comment = piece.element.querySelector("input").value.trim();
  kept.choices[piece.name] = { chosen, comment, when: new Date().toISOString(), sent: false };
  store();
  showChoice(piece);
  void send();
}

let sending = Promise.resolve();
const send = () => {
  sending = sending.then(sendAll, sendAll);
  return sending;
};

async function sendAll() {
  const open = Object.entries(kept.choices).filter(([, { sent }]) => !sent);
  if (location.protocol === "file:") {
    if (open.length > 0) say("Kept in this browser");
    return;
  }
  for (const [piece, choice] of open) {
    const body = JSON.stringify({ piece, listener: kept.listener, chosen: choice.chosen, comment: choice.comment });
    const answer = await fetch("choices", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }).catch(() => undefined);
    if (answer?.status !== 200 && answer?.status !== 201) {
      say("Kept in this browser; the server has not taken it");
      return;
    }
    choice.sent = true;
    store();
  }
  if (Object.keys(kept.choices).length > 0) say("Kept in the folder");
}

/** What stands below a piece: buttons until one has chosen, then what was chosen and what the sides are. */
function showChoice({ element, name, tracks }) {
  if (page === undefined) return;
  const choice = kept.choices[name];
  const ready = choice === undefined && tracks.every(({ heard }) => heard);
  for (const button of element.querySelectorAll("[data-choose]")) {
    button.disabled = !ready;
    button.title = choice === undefined && !ready ? "Hear both first" : "";
    button.setAttribute("aria-pressed", String(choice?.chosen === button.dataset.choose));
  }
  const comment = element.querySelector("input");
  comment.readOnly = choice !== undefined;
  const done = Object.keys(kept.choices).length;
  bar.querySelector("[data-done]").textContent = `${done} of ${pieces.length} chosen`;
  bar.querySelector("[data-download]").hidden = done === 0;
  if (choice === undefined || element.dataset.told !== undefined) return;
  comment.value = choice.comment;
  element.dataset.told = "";
  // Only now: the page does not know before.
  const script = document.createElement("script");
  script.src = `key/${name}.js`;
  document.body.append(script);
}

addEventListener("told", ({ detail }) => {
  const { element } = pieces.find(({ name }) => name === detail.piece);
  const { chosen } = kept.choices[detail.piece];
  const line = (text, tag = "p") => {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  };
  const sides = ["a", "b"].map((letter) => {
    const row = document.createElement("p");
    row.className = "facts";
    row.append(line(`${letter.toUpperCase()} is ${detail[letter]}`, "b"), ` ${detail.facts[letter].join(" · ")}`);
    return row;
  });
  kept.choices[detail.piece].side = chosen === "same" ? null : detail[chosen];
  store();
  const differs = detail.differs === undefined ? [] : [line(`They differ: ${detail.differs}`)];
  const verdict = chosen === "same" ? "You found no difference." : `You chose ${detail[chosen]}.`;
  element.querySelector(".told").replaceChildren(line(verdict), ...differs, ...sides);
});

function download() {
  const lines = Object.entries(kept.choices).map(([piece, { chosen, side, comment, when }]) =>
    JSON.stringify({ piece, listener: kept.listener, chosen, side: side ?? null, comment, when }),
  );
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
  link.download = "choices.jsonl";
  link.click();
}

if (page !== undefined) {
  for (const piece of pieces) {
    for (const button of piece.element.querySelectorAll("[data-choose]"))
      button.addEventListener("click", () => choose(piece, button.dataset.choose));
    piece.element.addEventListener("focusin", () => enter(piece));
    showChoice(piece);
  }
  bar.querySelector("[data-download]").addEventListener("click", download);
  addEventListener("online", () => void send());
  void send();
}

// ---------------------------------------------------------------------------------------------------------------- keys

const toggle = () => {
  const track = current.tracks.includes(playing) ? playing : current.tracks[0];
  if (track.player.paused) play(track);
  else track.player.pause();
};
const chooseNow = (chosen) => page !== undefined && choose(current, chosen);
const KEYS = {
  a: () => play(current.tracks[0]),
  b: () => current.tracks[1] !== undefined && play(current.tracks[1]),
  " ": toggle,
  1: () => chooseNow("a"),
  2: () => chooseNow("b"),
  "=": () => chooseNow("same"),
  n: () => go(1),
  p: () => go(-1),
  c: () => current.element.querySelector("input")?.focus(),
};

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, textarea")) {
    if (key === "Escape" || key === "Enter") target.blur();
    return;
  }
  // A button or a summary that has the focus takes the space itself.
  if (key === " " && target.matches("button, summary, a")) return;
  const press = KEYS[key];
  if (press === undefined) return;
  event.preventDefault();
  press();
});

enter(current);
