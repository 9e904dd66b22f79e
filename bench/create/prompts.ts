/** Prompts with what they plainly ask for. Octave-tolerant where a tempo is asked. */
export interface Asked {
  readonly prompt: string;
  readonly bpm?: number;
  readonly key?: { readonly tonic: number; readonly mode: "major" | "minor" | "dorian" };
  /** Beats a bar. */
  readonly metre?: 3 | 4 | 6;
}

const major = (tonic: number) => ({ tonic, mode: "major" }) as const;
const minor = (tonic: number) => ({ tonic, mode: "minor" }) as const;

export const PROMPTS: readonly Asked[] = [
  { prompt: "upbeat pop with bright synths and claps, 118 bpm, in G major", bpm: 118, key: major(7) },
  { prompt: "lo-fi hip hop, rainy night, mellow rhodes, 78 bpm", bpm: 78 },
  { prompt: "epic orchestral trailer with taiko and brass, D minor, 140 bpm", bpm: 140, key: minor(2) },
  { prompt: "deep house, warm pads, groovy bass, 122 bpm, A minor", bpm: 122, key: minor(9) },
  { prompt: "driving techno, dark and hypnotic, 132 bpm", bpm: 132 },
  { prompt: "uplifting trance in F# minor at 138 bpm", bpm: 138, key: minor(6) },
  { prompt: "solo piano, melancholic and slow, in C minor", key: minor(0) },
  { prompt: "smooth jazz with saxophone, brushed drums and upright bass, 96 bpm", bpm: 96 },
  { prompt: "bossa nova guitar and flute, gentle, 130 bpm, in D major", bpm: 130, key: major(2) },
  { prompt: "a cheerful ukulele and whistle tune for a children's video", metre: 4 },
  { prompt: "heavy metal with double bass drums and distorted guitars, E minor, 160 bpm", bpm: 160, key: minor(4) },
  { prompt: "punk rock, fast and loud, 180 bpm, A major", bpm: 180, key: major(9) },
  { prompt: "80s synthwave night drive, 100 bpm, in A minor", bpm: 100, key: minor(9) },
  { prompt: "liquid drum and bass, 174 bpm, in E minor, airy pads", bpm: 174, key: minor(4) },
  { prompt: "trap beat, 808s, dark bells, 140 bpm", bpm: 140 },
  { prompt: "funk with slap bass, clavinet and horns, 108 bpm, E minor", bpm: 108, key: minor(4) },
  { prompt: "disco with strings, octave bass and four on the floor, 120 bpm", bpm: 120 },
  { prompt: "roots reggae, laid back, 74 bpm, G major", bpm: 74, key: major(7) },
  { prompt: "celtic jig with fiddle, whistle and bodhran in D major", key: major(2), metre: 6 },
  { prompt: "a Viennese waltz for strings in Bb major", key: major(10), metre: 3 },
  { prompt: "country with banjo and steel guitar, 112 bpm, in G", bpm: 112, key: major(7) },
  { prompt: "slow blues in A with electric guitar and organ, 70 bpm", bpm: 70 },
  { prompt: "ambient soundscape, warm drones, no drums" },
  { prompt: "8-bit chiptune boss battle, 150 bpm, C minor", bpm: 150, key: minor(0) },
  { prompt: "baroque harpsichord and strings, allegro, in F major", key: major(5) },
  { prompt: "classical string quartet, andante, Eb major", key: major(3) },
  { prompt: "salsa with piano montuno, congas and trumpets, 180 bpm", bpm: 180 },
  { prompt: "afrobeat with horns and polyrhythmic guitars, 110 bpm", bpm: 110 },
  { prompt: "dubstep with heavy wobble bass, 140 bpm, F minor", bpm: 140, key: minor(5) },
  { prompt: "corporate motivational background, piano, muted guitar, 120 bpm, C major", bpm: 120, key: major(0) },
  { prompt: "tense horror underscore, dissonant strings" },
  { prompt: "western with harmonica and twangy guitar at sunset, in E minor", key: minor(4) },
  { prompt: "gospel choir-like organ and piano, hand claps, 92 bpm, Ab major", bpm: 92, key: major(8) },
  { prompt: "swing big band, 168 bpm, Bb major", bpm: 168, key: major(10) },
  { prompt: "indie folk with acoustic guitar and glockenspiel, warm, 100 bpm, D major", bpm: 100, key: major(2) },
  { prompt: "reggaeton, dembow, 95 bpm, B minor", bpm: 95, key: minor(11) },
  { prompt: "música flamenca con guitarra y palmas, apasionada" },
  { prompt: "ruhige Klaviermusik in Es-Dur, langsam", key: major(3) },
  { prompt: "tropical house, summer beach, 110 bpm, in F major", bpm: 110, key: major(5) },
  { prompt: "christmas sleigh bells and celesta, cheerful, in C major", key: major(0) },
];

/** Twenty genres that are plainly different, each asked for in three ways that share as few words as they can, for telling them apart. */
export const GENRE_PROMPTS: readonly (readonly [string, string, string])[] = [
  ["deep house", "soulful house groove for a late night club", "house music with warm rhodes stabs, A minor"],
  ["trap", "dark trap beat with 808s and rolling hats", "aggressive trap instrumental, C minor"],
  ["heavy metal", "brutal metal riffs with double bass", "thrash metal, furious"],
  ["solo classical piano", "a melancholic piece for piano alone", "gentle solo piano nocturne in E flat"],
  ["bossa nova", "relaxed bossa with nylon guitar and flute", "Brazilian cafe bossa nova, soft brushes"],
  ["drum and bass", "liquid dnb, airy", "fast jungle drum and bass roller"],
  ["ambient", "slow ambient drones for sleep", "ambient soundscape, floating and wide"],
  ["orchestral trailer", "epic trailer with huge percussion and brass", "cinematic trailer music, heroic"],
  ["bluegrass", "fast bluegrass picking with banjo and fiddle", "mandolin driven bluegrass breakdown"],
  ["reggae", "roots reggae, sunny", "laid back reggae skank with organ"],
  ["lo-fi hip hop", "lofi beats to study to", "dusty lo-fi chillhop with jazzy keys"],
  ["chiptune", "8-bit video game melody", "NES style chiptune adventure"],
  ["swing jazz", "big band swing with brass", "up tempo swing for dancing, saxophones"],
  ["trance", "uplifting trance anthem with supersaws", "hands in the air trance, euphoric"],
  ["string quartet", "chamber piece for string quartet, tender", "string quartet, lively allegro"],
  ["funk", "slap bass funk with clavinet", "tight funk groove with horns"],
  ["waltz for strings", "Viennese waltz, elegant ballroom", "romantic orchestral waltz"],
  ["synthwave", "80s retrowave night drive", "neon synthwave with gated drums"],
  ["salsa", "fiery salsa with piano montuno and trumpets", "salsa dura with congas and timbales"],
  ["indie folk", "warm indie folk with acoustic guitar", "intimate folk song with banjo and glockenspiel"],
];
