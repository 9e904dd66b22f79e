/**
 * Players: one transport for the tracks of a group, which sound in step; pictures show the place and take the pointer,
 * marks follow. Without this each track has the browser's own.
 */
import { clock } from "./clock.mjs";
import { magnify } from "./magnify.mjs";
import { followMarks } from "./marks.mjs";
import { Buffers, Elements, Mixer, SECONDS_MAX } from "./mixer.mjs";

/** Seconds of an arrow key, with and without shift. */
const STEPS = [5, 1];
/** Of audio, some 10 MB: loaded whole before anything is heard. */
const PATIENT_SECONDS = 90;
const factor = (db) => (db <= -40 ? 0 : 10 ** (db / 20));
const pressed = (button) => button?.getAttribute("aria-pressed") === "true";
const press = (button, on) => button.setAttribute("aria-pressed", String(on));

class Player {
  constructor(box) {
    this.box = box;
    this.choosing = box.dataset.players === "choose";
    const part = (name) => box.querySelector(`[data-${name}]`);
    this.parts = Object.fromEntries(
      ["play", "place", "clock", "loop", "speed", "volume", "level", "from", "to", "region", "reset"].map((name) => [
        name,
        part(name),
      ]),
    );
    this.tracks = [...box.querySelectorAll("[data-track]")].map((element) => this.#track(element));
    this.seconds = Math.max(...this.tracks.map(({ seconds }) => seconds));
    this.magnified = magnify(box, this.tracks, ({ seconds }) => seconds / this.seconds);
    this.region = { from: 0, to: this.seconds };
    this.marks = followMarks(box);
    this.#wire();
    this.hear();
    this.show();
  }

  #track(element) {
    const one = (selector) => element.querySelector(selector);
    const track = {
      element,
      seconds: Number(element.dataset.seconds),
      player: document.createElement("audio"),
      view: one(".view"),
      choice: one("[data-choice]"),
      solo: one("[data-solo]"),
      mute: one("[data-mute]"),
      gain: one("[data-gain-db]"),
      pan: one("[data-pan]"),
      head: document.createElement("div"),
      loop: document.createElement("div"),
    };
    track.player.preload = this.box.dataset.players === "single" ? "metadata" : "none";
    track.player.src = element.dataset.audio;
    element.append(track.player);
    track.head.className = "playhead";
    track.loop.className = "loop-region";
    track.loop.hidden = true;
    track.view.append(track.loop, track.head);
    this.#pointer(track);
    track.choice?.addEventListener("change", () => this.hear());
    track.mute?.addEventListener("click", () => {
      press(track.mute, !pressed(track.mute));
      this.hear();
    });
    track.solo?.addEventListener("click", () => {
      const on = !pressed(track.solo);
      press(track.solo, on);
      // Whoever solos a track that is muted wants to hear it; it goes back behind its mute afterwards.
      if (on ? pressed(track.mute) : track.lifted) {
        press(track.mute, !on);
        track.lifted = on;
      }
      this.hear();
    });
    for (const slider of [track.gain, track.pan]) slider?.addEventListener("input", () => this.hear());
    return track;
  }

  /** A click or a drag is a place; with shift a drag is what is looped. */
  #pointer({ view, seconds }) {
    view.dataset.seek = "";
    let began;
    const at = (event) => {
      const box = view.getBoundingClientRect();
      return Math.max(0, Math.min(seconds, (seconds * (event.clientX - box.left)) / box.width));
    };
    const moved = (event) => {
      const now = at(event);
      if (!event.shiftKey) return void this.seek(now);
      if (Math.abs(now - began) > 0.05) this.loop({ from: Math.min(now, began), to: Math.max(now, began) });
    };
    view.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      began = at(event);
      // A finger that drags the page or the picture along is no click: of one that does not, the end is heard.
      if (event.pointerType === "touch") return;
      view.setPointerCapture(event.pointerId);
      moved(event);
    });
    view.addEventListener("pointerup", (event) => event.pointerType === "touch" && moved(event));
    view.addEventListener("pointermove", (event) => view.hasPointerCapture(event.pointerId) && moved(event));
  }

  #wire() {
    const { play, place, loop, speed, volume, from, to, reset } = this.parts;
    place.max = String(this.seconds);
    play.addEventListener("click", () => this.toggle());
    place.addEventListener("input", () => this.seek(Number(place.value)));
    loop.addEventListener("click", () => this.loop(pressed(loop) ? undefined : { from: 0, to: this.seconds }));
    from.addEventListener("click", () =>
      this.loop({ ...this.region, from: Math.min(this.time, this.region.to - 0.1) }),
    );
    to.addEventListener("click", () => this.loop({ ...this.region, to: Math.max(this.time, this.region.from + 0.1) }));
    speed.addEventListener("change", () => this.change());
    volume.addEventListener("input", () => this.hear());
    reset?.addEventListener("click", () => {
      for (const track of this.tracks) {
        const { element, solo, mute, gain, pan } = track;
        track.lifted = false;
        press(solo, false);
        press(mute, element.dataset.track === "muted");
        gain.value = pan.value = "0";
      }
      this.hear();
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("pointerdown", () => {
      Player.current = this;
    });
  }

  /** True where it was one of its keys. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
    const { target, key, shiftKey } = event;
    const is_place = target === this.parts.place;
    const takes_arrows = target.matches("select, input:not([data-place])");
    if (key === " " && !target.matches("button, select, summary, a, input[type=radio]")) void this.toggle();
    else if ((key === "ArrowLeft" || key === "ArrowRight") && !takes_arrows)
      void this.seek(this.time + (key === "ArrowLeft" ? -1 : 1) * STEPS[Number(shiftKey)]);
    else if (key === "Home" && is_place) void this.seek(0);
    else if (key === "l") this.parts.loop.click();
    else if (/^[1-9]$/u.test(key) && this.tracks.length > 1 && this.tracks[Number(key) - 1] !== undefined) {
      const { choice, solo } = this.tracks[Number(key) - 1];
      (choice ?? solo).click();
    } else if (key === "m" && target.closest("[data-track]") !== null)
      target.closest("[data-track]").querySelector("[data-mute]")?.click();
    else return false;
    event.preventDefault();
    return true;
  }

  get time() {
    return this.deck?.time ?? 0;
  }

  /** From memory where tracks must fit to the sample or a loop has no gap; by elements at once, and at other speeds. */
  #wanted() {
    const fits = this.#total() <= SECONDS_MAX;
    return fits && this.speed === 1 && (this.tracks.length > 1 || pressed(this.parts.loop)) ? Buffers : Elements;
  }
  #total() {
    return this.tracks.reduce((sum, { seconds }) => sum + seconds, 0);
  }
  get speed() {
    return Number(this.parts.speed.value);
  }

  /** While sound is still being loaded, the page says so. */
  async #ready() {
    this.box.classList.toggle("loading", this.deck === undefined);
    try {
      return await this.#prepare();
    } finally {
      this.box.classList.remove("loading");
    }
  }

  async #prepare() {
    if (this.mixer === undefined) {
      this.mixer = new Mixer(this.tracks.length);
      this.hear();
    }
    const wanted = this.#wanted();
    if (wanted === Buffers && this.buffers === undefined) {
      const loaded = this.#load();
      // Of alternatives one is heard: what takes long to come is not waited for.
      if (this.choosing && this.#total() > PATIENT_SECONDS) loaded.catch(() => undefined);
      else await loaded;
    }
    const has_all = wanted === Buffers && this.buffers !== undefined;
    if (!has_all)
      this.elements ??= new Elements(
        this.mixer,
        this.tracks.map(({ player }) => player),
      );
    const next = has_all ? this.buffers : this.elements;
    if (next !== this.deck) {
      const [playing, time] = [this.deck?.playing, this.time];
      this.deck?.pause();
      this.deck = next;
      next.seek(time);
      if (playing) await next.play();
    }
    next.speed = this.speed;
    return next;
  }

  /** Once, whoever asks. */
  #load() {
    const count = (done) => this.deck === undefined && this.say(`Loading ${done} of ${this.tracks.length}`);
    if (this.loading === undefined) count(0);
    this.loading ??= Buffers.load(
      this.mixer,
      this.tracks.map(({ player }) => player.src),
      count,
    ).then(
      (buffers) => {
        this.buffers = buffers;
      },
      (error) => {
        this.loading = undefined;
        this.say(error.message);
        throw error;
      },
    );
    return this.loading;
  }

  async toggle() {
    Player.current = this;
    const deck = await this.#ready();
    if (deck.playing) deck.pause();
    else {
      for (const other of Player.all) if (other !== this && other.deck?.playing) other.toggle();
      try {
        await deck.play();
      } catch (error) {
        deck.pause();
        return this.say(error.message);
      }
    }
    this.show();
  }

  async seek(seconds) {
    const wanted = Math.max(0, Math.min(this.seconds, seconds));
    // Where it will be, before there is anything to hear.
    this.#point(wanted);
    const deck = await this.#ready();
    deck.seek(wanted);
    this.show();
  }

  #point(now) {
    this.parts.place.value = String(now);
    for (const { head, seconds } of this.tracks) {
      head.hidden = now <= 0 || now > seconds;
      head.style.left = `${(100 * now) / seconds}%`;
    }
    this.magnified.follow(now / this.seconds);
  }

  /** Undefined: none. */
  async loop(region) {
    press(this.parts.loop, region !== undefined);
    this.region = region ?? { from: 0, to: this.seconds };
    this.parts.region.hidden = region === undefined;
    for (const { loop, seconds } of this.tracks) {
      loop.hidden = region === undefined || (region.from === 0 && region.to === this.seconds);
      loop.style.left = `${(100 * this.region.from) / seconds}%`;
      loop.style.width = `${(100 * Math.max(0, Math.min(this.region.to, seconds) - this.region.from)) / seconds}%`;
    }
    await this.change();
  }

  async change() {
    if (this.deck === undefined) return;
    const deck = await this.#ready();
    deck.loop(pressed(this.parts.loop) ? this.region : undefined);
    this.show();
  }

  /** What is heard follows the switches, and the switches say so. */
  hear() {
    const any = this.tracks.some(({ solo }) => pressed(solo));
    this.mixer?.volume(factor(Number(this.parts.volume.value)));
    for (const [index, { element, choice, solo, mute, gain, pan }] of this.tracks.entries()) {
      const on = this.choosing ? choice.checked : !pressed(mute) && (!any || pressed(solo));
      element.classList.toggle("silenced", !on);
      const [db, place] = [Number(gain?.value ?? 0), Number(pan?.value ?? 0)];
      if (gain !== null) {
        const said = db <= -40 ? "silent" : `${db > 0 ? "+" : ""}${db} dB`;
        gain.setAttribute("aria-valuetext", said);
        gain.nextElementSibling.textContent = said;
        const side = place === 0 ? "middle" : `${Math.abs(Math.round(100 * place))} % ${place < 0 ? "left" : "right"}`;
        pan.setAttribute("aria-valuetext", side);
        pan.nextElementSibling.textContent = side;
      }
      this.mixer?.set(index, on ? factor(db) : 0, place);
    }
    this.marks.of(this.tracks.find(({ element }) => !element.classList.contains("silenced"))?.element);
  }

  say(text) {
    this.parts.clock.textContent = text;
  }

  show() {
    const { play, place, level } = this.parts;
    const { deck } = this;
    deck?.step();
    if (deck?.playing && !pressed(this.parts.loop) && deck.ended) {
      deck.pause();
      deck.seek(0);
    }
    const now = this.time;
    this.box.classList.toggle("playing", deck?.playing === true);
    play.setAttribute("aria-label", deck?.playing ? "Pause" : "Play");
    this.#point(now);
    place.setAttribute("aria-valuetext", `${clock(now)} of ${clock(this.seconds)}`);
    this.say(`${clock(now)} / ${clock(this.seconds)}`);
    this.box.dataset.time = now.toFixed(3);
    this.marks.at(now);
    const peaks = deck?.playing ? this.mixer.peaks() : [0, 0];
    for (const [side, peak] of peaks.entries())
      level.children[side].style.width = `${Math.max(0, 100 + (100 / 60) * 20 * Math.log10(peak + 1e-9))}%`;
    cancelAnimationFrame(this.frame);
    if (deck?.playing) this.frame = requestAnimationFrame(() => this.show());
  }
}

Player.all = [];

/** A picture that did not come, because the server was busy, is asked for once more. */
function askAgain(picture) {
  const again = () => setTimeout(() => picture.setAttribute("src", picture.getAttribute("src")), 3000);
  if (picture.complete && picture.naturalWidth === 0) again();
  else picture.addEventListener("error", again, { once: true });
}

/** Those of `root`; players that were shown before and are gone fall silent. */
export function startPlayers(root) {
  for (const player of Player.all) if (!player.box.isConnected && player.deck?.playing) player.deck.pause();
  const begun = [...root.querySelectorAll("[data-players]")].map((box) => new Player(box));
  for (const picture of root.querySelectorAll(".view img")) askAgain(picture);
  Player.all = [...Player.all.filter(({ box }) => box.isConnected), ...begun];
  Player.current = Player.all[0];
}
startPlayers(document);

// With the focus on nothing, keys are for the player that was used last.
addEventListener("keydown", (event) => {
  if (document.activeElement === document.body || document.activeElement?.id === "main") Player.current?.key(event);
});
