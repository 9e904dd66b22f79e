/** Prompts as people write them, with what any reader would take from them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { understand } from "../../../../runners/music/compose/brief/mod.ts";
import { readPrompt } from "../../../../runners/music/compose/composer.ts";
import type { Brief } from "../../../../runners/music/compose/mod.ts";

interface Facts {
  readonly genre?: string;
  /** Where several genres would do. */
  readonly one_of?: string;
  readonly second?: string;
  readonly bpm?: number | readonly [low: number, high: number];
  readonly key?: string;
  readonly mode?: string;
  readonly metre?: string;
  readonly wants?: string;
  readonly lacks?: string;
  readonly without_roles?: string;
  readonly without?: string;
  readonly era?: number;
  readonly scene?: string;
  readonly traits?: string;
  readonly moods?: string;
  readonly explicit?: string;
  readonly not_explicit?: string;
  readonly energy?: readonly [number, number];
  readonly valence?: readonly [number, number];
  readonly unknown?: string;
}

const LOW = [0, 0.4] as const;
const HIGH = [0.6, 1] as const;

const TABLE: readonly (readonly [prompt: string, facts: Facts])[] = [
  // Tags of generators and stock libraries
  ["uplifting corporate", { genre: "corporate", valence: HIGH, mode: "major" }],
  ["dark trap beat", { genre: "trap", valence: LOW, moods: "dark" }],
  ["chill lofi study beats", { genre: "lofi", energy: LOW }],
  ["emotional piano", { genre: "piano_solo", wants: "piano" }],
  ["upbeat funk with slap bass", { genre: "funk", wants: "slap_bass", energy: HIGH }],
  ["80s synthwave night drive", { genre: "synthwave", era: 1980 }],
  ["celtic harp and flute, gentle", { genre: "celtic", wants: "harp flute", energy: LOW }],
  [
    "heavy metal, drop D, double bass drum",
    { genre: "metal", wants: "rock_kit", not_explicit: "key", lacks: "upright_bass" },
  ],
  ["tropical house", { genre: "deep_house", wants: "marimba pluck", bpm: [100, 120] }],
  ["phonk", { genre: "trap", valence: LOW }],
  ["afro house", { genre: "afrobeat", second: "deep_house", bpm: [116, 126] }],
  ["bossa nova guitar, 70s", { genre: "bossa_nova", wants: "nylon_guitar", era: 1970 }],
  ["bluegrass banjo", { genre: "bluegrass", wants: "banjo" }],
  ["psytrance 145 bpm", { genre: "trance", bpm: 145, explicit: "bpm genre" }],
  ["liquid drum and bass", { genre: "drum_and_bass", bpm: [168, 180] }],
  ["d'n'b", { genre: "drum_and_bass" }],
  ["d&b", { genre: "drum_and_bass" }],
  ["D N B", { genre: "drum_and_bass" }],
  ["EDM", { genre: "edm" }],
  ["R&B", { genre: "rnb" }],
  ["K-Pop", { genre: "kpop" }],
  ["8-bit", { genre: "chiptune" }],
  ["boom-bap", { genre: "boom_bap" }],
  ["uk garage, 2-step", { genre: "uk_garage" }],
  ["lo-fi hip-hop", { genre: "lofi" }],
  ["hip hop", { genre: "hip_hop" }],
  ["minimal techno", { genre: "techno", traits: "minimal" }],
  ["new jack swing", { genre: "rnb" }],
  ["big band", { genre: "swing" }],
  ["doom metal", { genre: "metal", bpm: [50, 95] }],
  ["gregorian chant", { genre: "classical", wants: "choir" }],
  ["spy thriller", { genre: "cinematic" }],
  ["90s hip hop", { genre: "boom_bap", era: 1990 }],
  ["80s pop", { genre: "synthpop", era: 1980 }],
  ["fifties rock", { genre: "rockabilly" }],
  // Heads, adjectives, second genres
  ["jazzy hip hop", { genre: "hip_hop", second: "jazz" }],
  ["cinematic ambient", { genre: "ambient", second: "cinematic" }],
  ["jazz, hip hop", { genre: "jazz", second: "hip_hop" }],
  ["funky house", { genre: "house" }],
  ["cinematic, orchestral, epic trailer", { genre: "trailer" }],
  ["jazz waltz", { genre: "jazz", metre: "3/2" }],
  ["epic metal", { genre: "metal" }],
  ["ambient techno", { genre: "techno", second: "ambient" }],
  // Tempo
  ["techno at 132", { genre: "techno", bpm: 132 }],
  ["92bpm", { bpm: 92 }],
  ["tempo: 100, folk", { bpm: 100, genre: "folk" }],
  ["BPM 174", { bpm: 174 }],
  ["house, 120-ish", { bpm: 120, genre: "house" }],
  ["hip hop 90-100 bpm", { bpm: 95 }],
  ["rock at around 140 beats per minute", { bpm: 140 }],
  ["uk drill 142", { bpm: 142 }],
  ["techno with a 909 and a 303", { not_explicit: "bpm", wants: "house_kit acid_bass" }],
  ["432 hz meditation", { not_explicit: "bpm", genre: "new_age" }],
  ["slow jazz", { genre: "jazz", bpm: [50, 92] }],
  ["very fast punk", { genre: "punk", bpm: [200, 260] }],
  ["andante for strings", { bpm: [40, 110], wants: "strings" }],
  ["folk, not too fast", { genre: "folk", bpm: [70, 104] }],
  ["half time trap 140", { bpm: 140, traits: "half time" }],
  // Keys
  ["ballad in F# minor", { key: "6 minor", explicit: "key" }],
  ["Bb major waltz", { key: "10 major", metre: "3/2", explicit: "key metre" }],
  ["techno in A-flat minor", { key: "8 minor" }],
  ["key of D", { explicit: "tonic", not_explicit: "key" }],
  ["c-moll", { key: "0 minor" }],
  ["h-moll Präludium", { key: "11 minor" }],
  ["Es-Dur Klavier", { key: "3 major", wants: "piano" }],
  ["A dorian funk groove", { key: "9 dorian", genre: "funk" }],
  ["A minor pentatonic guitar", { key: "9 minor", explicit: "key" }],
  ["marimba, C pentatonic", { key: "0 major", explicit: "key" }],
  ["a pentatonic melody on koto", { not_explicit: "key tonic" }],
  ["giro di basso in mi, 4 battute", { explicit: "tonic" }],
  ["ピアノのCメジャーコード", { key: "0 major", explicit: "key" }],
  ["drum and bass 174, no vocals", { bpm: 174, explicit: "bpm" }],
  ["indie folk song with a string quartet", { genre: "folk", wants: "strings" }],
  ["add a choir and a string quartet", { wants: "choir strings" }],
  ["hihta loop", { wants: "acoustic_kit" }],
  ["la mineur, piano", { key: "9 minor", wants: "piano" }],
  ["si bémol majeur", { key: "10 major" }],
  ["do mayor, guitarra", { key: "0 major" }],
  ["a minor setback, slow piano", { not_explicit: "key mode tonic" }],
  ["slow piano in minor and darker", { explicit: "mode", not_explicit: "tonic" }],
  ["slow piano in a minor", { key: "9 minor", explicit: "key" }],
  ["in a minor key", { mode: "minor", explicit: "mode", not_explicit: "key" }],
  ["A-minor techno", { genre: "techno", key: "9 minor" }],
  ["rock opera", { genre: "rock" }],
  ["post punk bassline", { genre: "punk" }],
  ["jazz suave con saxofón", { genre: "jazz", wants: "tenor_sax", moods: "gentle" }],
  ["lofi, Gm, 80 bpm", { key: "7 minor", bpm: 80 }],
  ["trap in C#m", { key: "1 minor" }],
  ["rock in E", { explicit: "tonic", genre: "rock" }],
  ["I am in a good place, happy pop", { not_explicit: "key tonic mode", genre: "pop" }],
  ["blues in a bar", { not_explicit: "key tonic mode", genre: "blues" }],
  ["E phrygian flamenco", { key: "4 phrygian" }],
  // Metre
  ["3/4 ballad", { metre: "3/2", explicit: "metre" }],
  ["ballad in 6/8", { metre: "2/3" }],
  ["12/8 blues", { metre: "4/3" }],
  ["irish jig", { metre: "2/3", genre: "celtic" }],
  ["folk song in three", { metre: "3/2" }],
  ["a waltz for strings", { metre: "3/2" }],
  ["available 24/7", { not_explicit: "metre" }],
  // Negations
  ["ambient, no drums", { without_roles: "drums percussion" }],
  ["no drums, bass or vocals, ambient", { genre: "ambient", without_roles: "drums bass" }],
  ["hip hop with live drums, not a drum machine", { wants: "acoustic_kit", without: "electronic_kit" }],
  ["jazz trio minus piano", { without: "piano", lacks: "piano" }],
  ["rock without guitars", { genre: "rock", without: "electric_guitar distorted_guitar" }],
  ["drumless lofi guitar", { without_roles: "drums", wants: "electric_guitar", genre: "lofi" }],
  ["nothing but piano", { wants: "piano", traits: "solo" }],
  ["pop without drums but with strings", { without_roles: "drums", wants: "strings" }],
  ["no drums and soft piano", { without_roles: "drums", wants: "piano" }],
  ["a cappella", {}],
  ["instrumental rock, no vocals", { genre: "rock", traits: "instrumental" }],
  ["techno, not dark", { genre: "techno", valence: [0.35, 1] }],
  // Scenes
  ["rainy night cafe", { one_of: "lofi jazz smooth_jazz", scene: "rain" }],
  ["for a car chase", { one_of: "cinematic drum_and_bass techno trailer", energy: HIGH }],
  ["video game boss", { genre: "game", energy: HIGH }],
  ["wedding", { one_of: "cinematic piano_solo singer_songwriter romantic pop classical" }],
  ["workout", { energy: HIGH, one_of: "edm hardstyle rock trap house drum_and_bass" }],
  ["haunted house", { genre: "horror", valence: LOW }],
  ["sunset at the beach", { one_of: "chillout deep_house bossa_nova", scene: "sea" }],
  ["space exploration", { scene: "space" }],
  ["soft jazz for a cafe on a rainy evening", { one_of: "jazz smooth_jazz", scene: "rain" }],
  // Moods without a genre
  ["I am sad", { mode: "minor", valence: LOW, energy: LOW }],
  ["angry", { energy: HIGH, valence: LOW }],
  ["happy", { mode: "major", valence: HIGH }],
  // Spelling
  ["cinamatic orchastral", { genre: "cinematic", traits: "orchestral" }],
  ["saxaphone solo", { one_of: "jazz smooth_jazz", wants: "tenor_sax" }],
  ["symfonic metal", { genre: "metal" }],
  ["synth wave, dreamy and colourful", { genre: "synthwave" }],
  // Other languages
  [
    "música triste con guitarra sin batería",
    { wants: "steel_guitar", without_roles: "drums", mode: "minor", valence: LOW },
  ],
  ["valse triste au piano", { metre: "3/2", valence: [0, 0.5] }],
  ["fröhliche Akkordeonmusik", { wants: "accordion", valence: HIGH }],
  ["schneller Techno ohne Gesang", { genre: "techno", bpm: [135, 165] }],
  ["musica allegra con chitarra", { wants: "steel_guitar" }],
  ["samba alegre para o verão", { genre: "samba", valence: HIGH }],
  ["грустное пианино", { wants: "piano", valence: LOW }],
  ["悲しいピアノ", { wants: "piano", mode: "minor", valence: LOW }],
  ["ドラムなしのジャズ", { genre: "jazz", without_roles: "drums" }],
  ["슬픈 피아노", { wants: "piano", valence: LOW }],
  ["史诗管弦乐", { genre: "epic" }],
  ["没有鼓的氛围音乐", { genre: "ambient", without_roles: "drums" }],
  ["موسيقى جاز", { genre: "jazz" }],
  ["शांत सितार", { wants: "sitar" }],
  ["🎹😢", { wants: "piano", valence: LOW }],
  // Sentences
  [
    "An upbeat, energetic EDM track with big drops and supersaws, around 128 bpm",
    { genre: "edm", bpm: 128, wants: "supersaw", traits: "drop" },
  ],
  [
    "Please write a slow blues in E with harmonica and upright bass",
    { genre: "blues", wants: "harmonica upright_bass", explicit: "tonic" },
  ],
  ["flurgle snorbid jazz", { genre: "jazz", unknown: "flurgle snorbid" }],
];

for (const [prompt, facts] of TABLE) {
  test(`"${prompt}" is understood`, () => check(understand(prompt), facts));
}

test("how a guitar is strung, how long a fade takes and verbs in two halves are read as what they are", () => {
  const read = (prompt: string) => understand(readPrompt(prompt));
  for (const prompt of ["guitar riff in drop D", "Gitarre in Drop-D-Stimmung", "electric guitar, drop D tuning"]) {
    const { key, cues = [], unknown } = read(prompt);
    assert.deepEqual([key.tonic, cues, unknown], [2, [], []], prompt);
  }
  assert.deepEqual(read("acoustic guitar in standard tuning").unknown, []);
  assert.ok(!read("acoustic guitar in drop D").wanted.includes("distorted_guitar"));
  const { bars, fade, traits } = read("lofi piano, fade out over 8 bars");
  assert.deepEqual([bars, fade, traits.includes("fade out")], [undefined, { bars: 8, seconds: null }, true]);
  assert.equal(read("füge ein Klavier hinzu, Jazz").genre, "jazz");
  assert.equal(read("eine Fuge für Klavier").genre, "baroque");
  assert.deepEqual(read("jazz trio, ends with a fade over 10 seconds").fade, { bars: null, seconds: 10 });
  for (const prompt of [
    "metal, stops dead",
    "ruhiger Jazz, bricht plötzlich ab",
    "rock rapide, guitare et batterie, s'arrête net",
  ])
    assert.equal(read(prompt).cues?.[0]?.what, "abrupt", prompt);
  const half = read("rock song, half time in the middle");
  assert.deepEqual([half.cues?.[0]?.what, half.traits], ["half time", []]);
  assert.equal(read("synthwave, piano, stops suddenly").cues?.[0]?.what, "abrupt");
});

function check(brief: Brief, facts: Facts): void {
  const words = (text: string | undefined): string[] => (text === undefined ? [] : text.split(" "));
  if (facts.genre !== undefined) assert.equal(brief.genre, facts.genre);
  if (facts.one_of !== undefined) assert.ok(words(facts.one_of).includes(brief.genre), brief.genre);
  if (facts.second !== undefined) assert.equal(brief.second_genre, facts.second);
  if (typeof facts.bpm === "number") assert.equal(brief.bpm, facts.bpm);
  else if (facts.bpm !== undefined) assert.ok(brief.bpm >= facts.bpm[0] && brief.bpm <= facts.bpm[1], `${brief.bpm}`);
  if (facts.key !== undefined) assert.equal(`${brief.key.tonic} ${brief.key.mode}`, facts.key);
  if (facts.mode !== undefined) assert.equal(brief.key.mode, facts.mode);
  if (facts.metre !== undefined) assert.equal(`${brief.metre.beats_per_bar}/${brief.metre.division}`, facts.metre);
  if (facts.era !== undefined) assert.equal(brief.era, facts.era);
  const all = (wanted: string | undefined, given: readonly string[]): void => {
    for (const word of words(wanted)) assert.ok(given.includes(word), `${word} in ${given.join(" ")}`);
  };
  all(facts.wants, brief.wanted);
  all(facts.without_roles, brief.unwanted.roles);
  all(facts.without, brief.unwanted.instruments);
  all(facts.scene, brief.scene);
  all(facts.moods, brief.moods);
  all(facts.explicit, brief.explicit);
  if (facts.traits !== undefined) assert.ok(brief.traits.includes(facts.traits), brief.traits.join(", "));
  for (const word of words(facts.lacks)) assert.ok(!(brief.wanted as readonly string[]).includes(word), word);
  for (const field of words(facts.not_explicit)) assert.ok(!brief.explicit.includes(field), field);
  if (facts.unknown !== undefined) assert.deepEqual(brief.unknown, words(facts.unknown));
  for (const field of ["energy", "valence"] as const) {
    const range = facts[field];
    if (range !== undefined)
      assert.ok(brief[field] >= range[0] && brief[field] <= range[1], `${field} ${brief[field]}`);
  }
}
