/** The top line against the melody of rendered pieces. */
import { topLine } from "../../runners/signal/analyse/melody/top_line.ts";
import { compose } from "../../training/material/compose.ts";
import { render } from "../../training/material/render.ts";
import { STYLES } from "../../training/material/styles.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
/** General-MIDI programmes that take a singer's place: flute, trumpet, alto saxophone, violin, overdriven guitar, clarinet. */
const SINGERS = [73, 56, 65, 40, 29, 71];
const SECONDS = 44;
/** An onset is right within this, seconds. */
const NEAR = 0.1;

/** Prints precision, recall and F of notes (pitch exact, onset within 100 ms) on the true grid of beats. */
export async function measureTunes(genres: readonly string[]): Promise<void> {
  let [sum, steps, count] = [0, 0, 0];
  for (const genre of genres.length > 0 ? genres : Object.keys(STYLES)) {
    const seed = 21 + count;
    const { f, right, line } = await one(genre, seed);
    sum += f;
    steps += right;
    count++;
    console.log(line);
  }
  console.log(`mean F ${(sum / count).toFixed(2)}, steps right ${(steps / count).toFixed(2)}`);
}

async function one(genre: string, seed: number): Promise<{ f: number; right: number; line: string }> {
  const piece = compose(genre, seed, { seconds: SECONDS });
  // The melody is composed last; sung ones are played here, since remixes are of instrumentals.
  const last = piece.parts.length - 1;
  const parts = piece.parts.map((part, index) =>
    index === last && part.program === -2
      ? { ...part, stem: "other" as const, program: SINGERS[seed % SINGERS.length]! }
      : part,
  );
  const stems = await render({ ...piece, parts }, seed % 2 === 0 ? "musescore" : "fluid");
  const channels = [0, 1].map((side) => {
    const mix = new Float32Array(stems.bass[0].length);
    for (const stem of Object.values(stems)) for (let n = 0; n < mix.length; n++) mix[n]! += stem[side]![n]!;
    return mix;
  });
  const { truth } = piece;
  const per_beat = truth.division === 3 ? 6 : 60 / truth.tempo < 0.4 ? 2 : 4;
  const edges: number[] = [];
  for (let beat = 0; beat + 1 < truth.beats.length; beat++)
    for (let k = 0; k < per_beat; k++) {
      const x = k / per_beat;
      const s = truth.division === 2 ? truth.swing : 0.5;
      const bent = x < 0.5 ? 2 * x * s : s + 2 * (x - 0.5) * (1 - s);
      edges.push(truth.beats[beat]! + bent * (truth.beats[beat + 1]! - truth.beats[beat]!));
    }
  const end = Math.min(edges.at(-1)!, truth.ending === null ? Number.POSITIVE_INFINITY : truth.ending - 0.05);
  const notes = await topLine({ audio: { sample_rate: 44_100, channels }, edges }, job);
  const said = notes.filter(({ step }) => edges[step]! < end);
  const sung = parts[last]!.notes.filter(({ at }) => at < end);
  const used = new Set<number>();
  for (const { step, pitch } of said) {
    const at = sung.findIndex(
      (note, n) => !used.has(n) && note.key === pitch && Math.abs(note.at - edges[step]!) < NEAR,
    );
    if (at >= 0) used.add(at);
  }
  const f = (2 * used.size) / Math.max(1, said.length + sung.length);
  let [voiced, right] = [0, 0];
  for (const { at, until, key } of sung) {
    for (let n = 0; n + 1 < edges.length; n++) {
      const middle = (edges[n]! + edges[n + 1]!) / 2;
      if (middle < at || middle >= until) continue;
      voiced++;
      if (said.some(({ step, steps, pitch }) => pitch === key && n >= step && n < step + steps)) right++;
    }
  }
  const line = `${`${genre}-${seed}`.padEnd(16)} F ${f.toFixed(2)}  precision ${(used.size / Math.max(1, said.length)).toFixed(2)}  recall ${(used.size / Math.max(1, sung.length)).toFixed(2)}  steps right ${(right / Math.max(1, voiced)).toFixed(2)}  ${sung.length} notes of programme ${parts[last]!.program}`;
  return { f, right: right / Math.max(1, voiced), line };
}
