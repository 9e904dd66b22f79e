/** What is seen of a piece: its sections, waveform and spectrogram, drawn as the dashboard draws them. */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { clock } from "../../plugins/dashboard/format.ts";
import { attributes, type Html, html } from "../../plugins/dashboard/html.ts";
import { axis, overlay, strip } from "../../plugins/dashboard/report/drawing.ts";
import { timelineOf } from "../../plugins/dashboard/report/timeline.ts";
import type { ScoreReport } from "../../runners/music/studio/score_report.ts";
import { makePictures } from "../../runners/signal/picture/picture.ts";

export interface Seen {
  readonly title: string;
  /** What its files in the page's folder are called, without their extension. */
  readonly name: string;
  /** The file that is drawn. */
  readonly file: string;
  /** The one that is played, where that is another. */
  readonly played?: string;
  readonly seconds: number;
  readonly report: Readonly<Record<string, unknown>> | null;
  /** Factor by which the player turns it down. */
  readonly volume?: number;
}

const job = { signal: new AbortController().signal, progress: () => undefined };

/** Writes the pictures and the audio into the page's folder; resolves to the player with its pictures. */
export async function writeTrack(folder: string, seen: Seen): Promise<Html> {
  const { name, file, played = file, seconds } = seen;
  const audio = `${name}${extname(played)}`;
  await mkdir(join(folder, "audio"), { recursive: true });
  await mkdir(join(folder, "pictures"), { recursive: true });
  await copyFile(played, join(folder, "audio", audio));
  for (const [kind, bytes] of Object.entries(await makePictures({ path: file, seconds }, job)))
    if (kind.endsWith("-2x")) await writeFile(join(folder, "pictures", `${name}-${kind}.png`), bytes);
  return trackOf(seen, audio);
}

function trackOf({ title, name, seconds, report, volume = 1 }: Seen, audio: string): Html {
  const timeline = timelineOf(withKinds(report), seconds);
  return html`<div ${attributes({ class: "track", role: "group", "data-track": title, "data-seconds": seconds, "data-volume": volume, "aria-label": title })}>
<div class="track-head"><b>${title}</b><small>${clock(seconds)}</small></div>
<div class="view">${strip("Section", timeline.sections, seconds, false)}
<div class="wave">${waveform(name, title)}${overlay({ ...timeline, beats: [], downbeats: [] }, seconds)}</div>
${strip("Line", timeline.lines, seconds, true)}
<div class="spectrogram"><img src="pictures/${name}-spectrogram-2x.png" ${LAZY} alt="Spectrogram of ${title}, 40 Hz to 18 kHz from the bottom"></div>
${axis(seconds)}</div>
<audio controls preload="none" src="audio/${audio}" aria-label="${title}"></audio></div>`;
}

/** Labels say which sections share their material, kinds what each is for: a verse may be played rather than sung. */
function withKinds(report: Seen["report"]): Seen["report"] {
  const composed = report?.composed as Pick<ScoreReport, "sections"> | undefined;
  if (composed === undefined) return report;
  const sections = composed.sections.map(({ kind, label, ...section }) => ({
    ...section,
    label: label.startsWith(kind) ? label : `${kind}, ${label}`,
  }));
  return { ...report, composed: { ...composed, sections } };
}

const LAZY = attributes({ loading: "lazy", decoding: "async" });

/** Each on nothing, one for light pages and one for dark ones; the style shows the one that fits. */
const waveform = (name: string, title: string): readonly Html[] => [
  html`<img class="on-light" src="pictures/${name}-waveform-light-2x.png" ${LAZY} alt="Waveform of ${title}">`,
  html`<img class="on-dark" src="pictures/${name}-waveform-dark-2x.png" ${LAZY} alt="Waveform of ${title}">`,
];
