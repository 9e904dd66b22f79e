/**
 * Players one under the other, each with its picture. The script makes one player with switches of them; without it
 * each plays alone.
 */
import type { Links } from "./context.ts";
import { clock } from "./format.ts";
import { attributes, type Html, html, type Value } from "./html.ts";
import { axis, overlay, strip } from "./report/drawing.ts";
import type { Timeline } from "./report/timeline.ts";

export interface Track {
  readonly title: string;
  /** Seconds. */
  readonly seconds: number;
  /** Path of the audio below the dashboard. */
  readonly audio: string;
  /** Path of its pictures, to which `/<name>` is added. */
  readonly pictures: string;
  readonly timeline: Timeline;
  /** Shown behind the title. */
  readonly beside?: Value;
  readonly has_spectrogram: boolean;
  /** In a mix: not heard until somebody wants it. */
  readonly muted?: boolean;
}

/** `mix`: heard together, each by its own level (stems). `choose`: one at a time (variations, source and result). */
export type Mode = "mix" | "choose";

export function players(links: Links, tracks: readonly Track[], mode: Mode, label: string): Html {
  const kind = tracks.length > 1 ? mode : "single";
  return html`<div ${attributes({ class: "players", "data-players": kind, role: "group", "aria-label": label })}>
${transport(
  kind,
  Math.max(...tracks.map(({ seconds }) => seconds)),
  tracks.length,
  tracks.some(({ timeline }) => hasSpans(timeline)),
)}
${tracks.map((one, index) => track(links, one, kind, index, label))}</div>`;
}

const button = (name: string, text: Value, pressed?: boolean): Html =>
  html`<button ${attributes({ type: "button", class: "small", [`data-${name}`]: true, "aria-pressed": pressed === undefined ? null : String(pressed) })}>${text}</button>`;

/** Wide enough for the chords of a song on a phone. */
const MAGNIFIED = [1, 2, 4, 8] as const;
const hasSpans = ({ sections, chords, events, lines }: Timeline): boolean =>
  [sections, chords, events, lines].some((list) => list.length > 0);

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Of no use without script, and not shown then. */
function transport(kind: Mode | "single", seconds: number, count: number, is_labelled: boolean): Html {
  const keys = kind === "single" ? "" : kind === "choose" ? `, 1 to ${count} choose` : `, 1 to ${count} solo, M mutes`;
  return html`<div class="transport scripted"><button type="button" class="primary play" data-play aria-label="Play"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="to-play" d="M7 4.5v15l13-7.5z"></path><path class="to-pause" d="M6 4.5h4.5v15H6zM13.5 4.5H18v15h-4.5z"></path></svg></button>
<input ${attributes({ type: "range", "data-place": true, min: 0, max: seconds, step: "any", value: 0, "aria-label": "Position" })}><span class="clock" data-clock>${clock(0)} / ${clock(seconds)}</span>
<div class="row tools"><span class="level" data-level aria-hidden="true"><i></i><i></i></span>${button("loop", "Loop", false)}<span class="row" data-region hidden>${button("from", "From here")}${button("to", "To here")}</span>
<label class="inline">Speed <select data-speed>${SPEEDS.map((speed) => html`<option ${attributes({ value: speed, selected: speed === 1 })}>${speed}×</option>`)}</select></label>${is_labelled && html`<label class="inline">Magnify <select data-magnify autocomplete="off">${MAGNIFIED.map((times) => html`<option ${attributes({ value: times })}>${times}×</option>`)}</select></label>`}
<label class="inline">Volume <input ${attributes({ type: "range", "data-volume": true, min: -40, max: 0, step: 1, value: 0 })}></label>${kind === "mix" && button("reset", "Reset the mix")}</div>
<p class="sounding" data-now aria-hidden="true"></p><small class="keys">Space plays, arrows move, L loops, Shift and drag loops a part${keys}</small></div>`;
}

function track(
  links: Links,
  { title, seconds, audio, pictures, timeline, beside = null, has_spectrogram, muted = false }: Track,
  kind: Mode | "single",
  index: number,
  group: string,
): Html {
  const hear = html`<label class="check choice scripted"><input ${attributes({ type: "radio", name: `hear-${group}`, "data-choice": true, checked: index === 0, autocomplete: "off" })}><span><span class="visually-hidden">Hear </span><b>${title}</b></span></label><b data-scriptless>${title}</b>`;
  return html`<div ${attributes({ class: "track", "data-track": muted ? "muted" : "", "data-seconds": seconds, "data-audio": links.to(audio), role: "group", "aria-label": title })}><div class="track-head">${kind === "choose" ? hear : html`<b>${title}</b>`}<span class="row">${kind === "mix" && strips(muted)}${beside}<small>${clock(seconds)}</small></span></div>
<div class="axis-box"><div class="view">${strip("Section", timeline.sections, seconds, false)}${strip("Chord", timeline.chords, seconds, true)}${strip("Sound", timeline.events, seconds, true)}
<div class="wave">${image(links, pictures, "waveform-light", `Waveform of ${title}`, 120)}${overlay(timeline, seconds)}</div>
${strip("Line", timeline.lines, seconds, true)}
${has_spectrogram && html`<div class="spectrogram">${image(links, pictures, "spectrogram", `Spectrogram of ${title}, 40 Hz to 18 kHz from the bottom`, 160)}</div>`}
${axis(seconds)}</div></div>
<noscript><audio ${attributes({ controls: true, preload: "none", src: links.to(audio), "aria-label": title })}></audio></noscript></div>`;
}

function strips(muted: boolean): Html {
  const slider = (name: string, text: string, min: number, max: number, step: number, said: string): Html =>
    html`<label class="inline">${text} <input ${attributes({ type: "range", [`data-${name}`]: true, min, max, step, value: 0, autocomplete: "off" })}><output>${said}</output></label>`;
  return html`<span class="switches scripted">${button("solo", "Solo", false)}${button("mute", "Mute", muted)}${slider("gain-db", "Gain", -40, 6, 0.5, "0 dB")}${slider("pan", "Pan", -1, 1, 0.05, "middle")}</span>`;
}

/** For light and dark pages where there are two, at one and two pixels a point. */
function image(links: Links, pictures: string, name: string, text: string, height: number): Html {
  const sources = (one: string): string =>
    `${links.to(`${pictures}/${one}-1x`)} 1100w, ${links.to(`${pictures}/${one}-2x`)} 2200w`;
  const sizes = "(max-width: 860px) 100vw, 1100px";
  const img = html`<img ${attributes({ src: links.to(`${pictures}/${name}-1x`), srcset: sources(name), sizes, alt: text, width: 1100, height, loading: "lazy", decoding: "async" })}>`;
  if (!name.endsWith("-light")) return img;
  return html`<picture><source ${attributes({ media: "(prefers-color-scheme: dark)", srcset: sources(name.replace("-light", "-dark")), sizes, type: "image/png" })}>${img}</picture>`;
}
