/**
 * Marks that follow: what of the strips is sounding has a bar below it, and is said in one line, also where its label
 * had no room.
 */
import { clock } from "./clock.mjs";

const SVG = "http://www.w3.org/2000/svg";
const strips = new WeakMap();

/** A strip with its spans, read when somebody first asks. */
function stripOf(element) {
  if (!strips.has(element)) strips.set(element, new Strip(element));
  return strips.get(element);
}

class Strip {
  constructor(element) {
    this.element = element;
    this.what = element.dataset.what;
    this.seconds = Number(element.closest("[data-track]").dataset.seconds);
    // `12.5 Am`, up to where the next begins, or `12.5-14 Am`.
    this.spans = element.dataset.spans.split("\n").map((line, index, lines) => {
      const [, from, to, text] = /^([\d.]+)(?:-([\d.]+))? (.*)$/u.exec(line);
      return { from: Number(from), to: Number(to ?? Number.parseFloat(lines[index + 1])), text };
    });
    this.bar = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ class: "sounds", y: 21, height: 3 }))
      this.bar.setAttribute(name, value);
  }
  at(seconds) {
    return this.spans.find(({ from, to }) => seconds >= from && seconds < to);
  }
  /** Undefined: none. */
  mark(span) {
    if (span === this.marked) return;
    this.marked = span;
    if (span === undefined) return this.bar.remove();
    this.bar.setAttribute("x", `${(100 * span.from) / this.seconds}%`);
    this.bar.setAttribute("width", `${(100 * (span.to - span.from)) / this.seconds}%`);
    this.element.append(this.bar);
  }
}

/** Who points at a span is told what it is, and from when to when. */
function tellPointed({ target, clientX }) {
  const view = target.closest(".view");
  if (view === null) return;
  const element = target.closest("[data-spans]");
  const { left, width } = view.getBoundingClientRect();
  const strip = element && stripOf(element);
  const span = strip?.at((strip.seconds * (clientX - left)) / width);
  const text = span === undefined ? "" : `${strip.what} ${span.text}, ${clock(span.from)} to ${clock(span.to)}`;
  if (view.title !== text) view.title = text;
}

export function followMarks(box) {
  const line = box.querySelector("[data-now]");
  let followed = [];
  let gain = [];
  box.addEventListener("pointermove", tellPointed);
  return {
    /** Of this track from now on. */
    of(track) {
      for (const strip of followed) strip.mark(undefined);
      followed = [...(track?.querySelectorAll("[data-spans]") ?? [])].map(stripOf);
      const corners = track?.querySelector("[data-gain]")?.dataset.gain.split(" ") ?? [];
      gain = corners.map((corner) => corner.split(":").map(Number));
    },
    at(now) {
      const said = [];
      for (const strip of followed) {
        const span = now > 0 ? strip.at(now) : undefined;
        strip.mark(span);
        if (span !== undefined && span.text !== "") said.push(`${strip.what} ${span.text}`);
      }
      const after = gain.findIndex(([time]) => time > now);
      const db = after > 0 ? between(gain[after - 1], gain[after], now) : gain.at(-1)?.[1];
      if (db !== undefined && now > 0) said.push(`Music ${db.toFixed(1)} dB`);
      line.textContent = said.join(" · ");
    },
  };
}

/** The raised cosine that the gain is drawn with. */
function between([start, low], [end, high], now) {
  return low + ((high - low) * (1 - Math.cos((Math.PI * (now - start)) / (end - start)))) / 2;
}
