/** Lines of the bench within songs of the studio: band, harmonies and mix as anyone gets them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { VOICES, type Voice, type VoiceName } from "../../runners/music/sing/voice/voices.ts";
import { wav } from "../../test/audio.ts";
import { measureSong } from "../create/songs.ts";

const PROMPTS = [
  "folk song with acoustic guitar and upright bass, 92 bpm",
  "pop song with piano, drums and bass, 100 bpm",
  "country song, steel guitar, 96 bpm",
  "rock song with loud guitars, 120 bpm",
  "soul ballad with horns and organ",
] as const;
const LINES_OF_SONG = 8;

export interface SungLine {
  readonly file: string;
  readonly line: string;
  readonly span: readonly [first: number, frames: number];
  /** LU of the voices above the band in the whole song. */
  readonly over: number;
}

/** Writes a song of eight of the lines to a file; its lines with where they are sung. */
export async function renderSong(
  name: VoiceName,
  voice: Voice,
  lines: readonly string[],
  song: number,
  folder: string,
  prefix: string,
): Promise<SungLine[]> {
  const first = (song % Math.floor(lines.length / LINES_OF_SONG)) * LINES_OF_SONG;
  const some = lines.slice(first, first + LINES_OF_SONG);
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
      const span = [first, Math.round((end + 0.3) * sample_rate) - first] as const;
      return [{ file, line: words, span, over: made.whole.over }];
    });
  } finally {
    table[name] = usual;
  }
}

const ARTICLE = { alto: "an", baritone: "a", soprano: "a", tenor: "a" } as const;
