/** Lines of the bench within songs of the studio: band, harmonies and mix as anyone gets them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { VOICES, type Voice, type VoiceName } from "../../runners/music/sing/voice/voices.ts";
import { wav } from "../../test/audio.ts";
import { measureSong } from "../create/songs.ts";
import { LINES } from "./lines.ts";

const PROMPTS = [
  "folk song with acoustic guitar and upright bass, 92 bpm",
  "pop song with piano, drums and bass, 100 bpm",
  "country song, steel guitar, 96 bpm",
] as const;
const LINES_OF_SONG = 8;

export interface SungLine {
  readonly file: string;
  readonly line: string;
  readonly span: readonly [first: number, frames: number];
}

/** Writes the song to a file; its lines with where they are sung. */
export async function renderSong(
  name: VoiceName,
  voice: Voice,
  song: number,
  folder: string,
  prefix: string,
): Promise<SungLine[]> {
  const some = LINES.slice(song * LINES_OF_SONG, (song + 1) * LINES_OF_SONG);
  const lyrics = ["[Verse]", ...some.slice(0, 4), "[Chorus]", ...some.slice(4)].join("\n");
  // The studio takes its voices from this table.
  const table = VOICES as Record<VoiceName, Voice>;
  const usual = table[name];
  table[name] = voice;
  try {
    const made = await measureSong(
      `${PROMPTS[song % PROMPTS.length]}, sung by ${ARTICLE[name]} ${name}`,
      11 + song,
      lyrics,
    );
    const { channels, sample_rate } = made.song;
    const file = join(folder, `${prefix}-mix-${song}.wav`);
    writeFileSync(file, wav(channels, { sample_rate }));
    return made.lines.flatMap(({ line, start, end }) => {
      const words = line.toLowerCase();
      if (!some.some((one) => one === words)) return [];
      const first = Math.max(0, Math.round((start - 0.25) * sample_rate));
      return [{ file, line: words, span: [first, Math.round((end + 0.3) * sample_rate) - first] as const }];
    });
  } finally {
    table[name] = usual;
  }
}

const ARTICLE = { alto: "an", baritone: "a", soprano: "a", tenor: "a" } as const;
