/** One transport for the players of a group: they run in step, each can be muted or heard alone; pictures show the place and take clicks. */
import { Buffers, SECONDS_MAX } from "./buffers.mjs";

const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** The same verbs as Buffers, for what is too long to be held in memory: elements that are pulled back into step where they drift. */
class Elements {
  #players;
  playing = false;
  constructor(players) {
    this.#players = players;
  }
  get seconds() {
    return Math.max(...this.#players.map(({ duration }) => duration || 0));
  }
  get time() {
    return this.#players[0].currentTime;
  }
  async play() {
    const from = this.time;
    for (const player of this.#players) player.currentTime = from;
    await Promise.all(this.#players.map((player) => player.play()));
    this.playing = true;
  }
  pause() {
    for (const player of this.#players) player.pause();
    this.playing = false;
  }
  seek(seconds) {
    for (const player of this.#players) player.currentTime = seconds;
  }
  hear(index, on) {
    this.#players[index].muted = !on;
  }
  step() {
    const [first, ...others] = this.#players;
    for (const player of others) {
      const late = first.currentTime - player.currentTime;
      if (Math.abs(late) > 0.25) player.currentTime = first.currentTime;
      else player.playbackRate = Math.abs(late) < 0.01 ? 1 : 1 + Math.max(-0.03, Math.min(0.03, late));
    }
  }
}

function playhead(view) {
  const line = document.createElement("div");
  line.className = "playhead";
  line.hidden = true;
  view.append(line);
  return (share) => {
    line.hidden = share <= 0;
    line.style.left = `${100 * Math.min(1, share)}%`;
  };
}

/** Seconds under the pointer. */
const pointed = (view, event, seconds) => {
  const box = view.getBoundingClientRect();
  return (seconds * (event.clientX - box.left)) / box.width;
};

function alone(track) {
  const player = track.querySelector("audio");
  const view = track.querySelector(".view");
  const seconds = Number(track.dataset.seconds);
  const show = playhead(view);
  player.addEventListener("timeupdate", () => show(player.currentTime / seconds));
  view.dataset.seek = "";
  view.addEventListener("click", (event) => {
    player.currentTime = pointed(view, event, seconds);
    void player.play();
  });
}

function button(text, label, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "small";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}

function group(box) {
  const tracks = [...box.querySelectorAll("[data-track]")].map((element) => ({
    element,
    title: element.dataset.title,
    seconds: Number(element.dataset.seconds),
    player: element.querySelector("audio"),
    view: element.querySelector(".view"),
    muted: false,
    solo: false,
  }));
  const choosing = box.dataset.players === "choose";
  if (choosing) tracks[0].solo = true;
  const longest = Math.max(...tracks.map(({ seconds }) => seconds));
  const fits = tracks.reduce((sum, { seconds }) => sum + seconds, 0) <= SECONDS_MAX;
  let deck;

  const hear = () => {
    const any = tracks.some(({ solo }) => solo);
    for (const [index, track] of tracks.entries()) {
      const on = any ? track.solo : !track.muted;
      track.element.classList.toggle("silenced", !on);
      track.soloButton.setAttribute("aria-pressed", String(track.solo));
      track.muteButton.setAttribute("aria-pressed", String(track.muted));
      deck?.hear(index, on);
    }
  };

  for (const track of tracks) {
    track.show = playhead(track.view);
    track.player.hidden = true;
    track.soloButton = button("Solo", `Solo ${track.title}`, () => {
      const solo = !track.solo;
      // One at a time where they are alternatives.
      if (choosing && solo) for (const other of tracks) other.solo = false;
      track.solo = solo;
      hear();
    });
    track.muteButton = button("Mute", `Mute ${track.title}`, () => {
      track.muted = !track.muted;
      hear();
    });
    const switches = document.createElement("span");
    switches.className = "switches";
    switches.append(track.soloButton, track.muteButton);
    track.element.querySelector(".track-head > .row").append(switches);
    track.view.dataset.seek = "";
    track.view.addEventListener("click", async (event) => {
      await ready();
      deck.seek(pointed(track.view, event, track.seconds));
      show();
    });
  }

  const play = button("Play", "Play all", async () => {
    await ready();
    if (deck.playing) deck.pause();
    else await deck.play();
    show();
  });
  const clock = document.createElement("span");
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(longest);
  slider.step = "0.01";
  slider.value = "0";
  slider.setAttribute("aria-label", "Position in seconds");
  slider.addEventListener("input", async () => {
    await ready();
    deck.seek(Number(slider.value));
    show();
  });
  const bar = document.createElement("div");
  bar.className = "transport";
  play.className = "primary small";
  bar.append(play, slider, clock);
  box.prepend(bar);
  hear();
  clock.textContent = `0:00 / ${time(longest)}`;

  let loading;
  const ready = () => {
    loading ??= load();
    return loading;
  };
  async function load() {
    if (fits) {
      const buffers = new Buffers();
      play.textContent = "Loading…";
      await buffers.load(
        tracks.map(({ player }) => player.src),
        (count) => {
          clock.textContent = `${count} of ${tracks.length} loaded`;
        },
      );
      deck = buffers;
    } else deck = new Elements(tracks.map(({ player }) => player));
    hear();
    show();
  }

  function show() {
    if (deck === undefined) return;
    const now = deck.time;
    if (deck.playing && now >= longest - 0.02) {
      deck.pause();
      deck.seek(0);
    }
    play.textContent = deck.playing ? "Pause" : "Play";
    play.setAttribute("aria-label", deck.playing ? "Pause all" : "Play all");
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `${time(now)} of ${time(longest)}`);
    clock.textContent = `${time(now)} / ${time(longest)}`;
    box.dataset.time = now.toFixed(3);
    for (const track of tracks) track.show(now / track.seconds);
    deck.step?.();
    if (deck.playing) requestAnimationFrame(show);
  }
}

for (const box of document.querySelectorAll("[data-players]")) {
  if (box.dataset.players === "single") for (const track of box.querySelectorAll("[data-track]")) alone(track);
  else group(box);
}
