/** Players one under the other, each with its picture. The script adds one transport for all, solo and mute; without it each plays alone. */
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
}

/**
 * `mix`: heard together until some are muted (stems). `choose`: one at a time (variations, source and result). A single track has no
 * switches.
 */
export function players(links: Links, tracks: readonly Track[], mode: "mix" | "choose", label: string): Html {
  return html`<div ${attributes({ class: "players", "data-players": tracks.length > 1 ? mode : "single", role: "group", "aria-label": label })}>${tracks.map((one) => track(links, one, tracks.length > 1 ? "none" : "metadata"))}</div>`;
}

function track(
  links: Links,
  { title, seconds, audio, pictures, timeline, beside = null, has_spectrogram }: Track,
  preload: "none" | "metadata",
): Html {
  return html`<div class="track" data-track data-title="${title}" data-seconds="${seconds}"><div class="track-head"><b>${title}</b><span class="row">${beside}<small>${clock(seconds)}</small></span></div>
<div class="view">${strip(timeline.sections, seconds, false)}${timeline.chords.length <= 160 && strip(timeline.chords, seconds, true)}${strip(timeline.events, seconds, true)}
<div class="wave">${image(links, pictures, "waveform-light", `Waveform of ${title}`, 120)}${overlay(timeline, seconds)}</div>
${strip(timeline.lines, seconds, true)}
${has_spectrogram && html`<div class="spectrogram">${image(links, pictures, "spectrogram", `Spectrogram of ${title}, 40 Hz to 18 kHz from the bottom`, 160)}</div>`}
${axis(seconds)}</div>
<audio ${attributes({ controls: true, preload, src: links.to(audio), "aria-label": title })}></audio></div>`;
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
