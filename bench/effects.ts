/**
 * `create.new_fx` on prompts of every class: what is delivered, measured against what its words promise, and whether sounds can be told
 * apart by their features.
 *
 *   bun bench/effects.ts [prompts|classes|speed]        deno run -A --no-check bench/effects.ts …
 *
 * `prompts`: one line a prompt (CPU, length, loudest moment, centroid, attack, 10 to 90 % of energy, longest hole, events, correlation) and
 * the expectations that fail. `classes`: every recipe by name with 5 seeds; the nearest neighbour of another seed over standardised
 * features names the recipe. `speed`: 30 s of every recipe. No argument: all three. Deterministic but for CPU.
 */

import { run } from "../runners/effects/effect.ts";
import type { Effect } from "../runners/effects/mod.ts";
import { recipes } from "../runners/effects/recipes/all.ts";
import { understand } from "../runners/effects/text/understand.ts";
import { integratedLoudness } from "../runners/signal/dsp/loudness.ts";
import { ownCpuSeconds } from "./measure.ts";
import { type Features, featuresOf } from "./sound.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };

interface Made extends Features {
  readonly cpu: number;
  readonly effect: Effect;
  readonly lufs: number;
}

async function make(prompt: string, seed = 1, seconds?: number): Promise<Made> {
  const before = ownCpuSeconds();
  const effect = await run({ prompt, seconds, seed }, job);
  const cpu = ownCpuSeconds() - before;
  const { channels, sample_rate } = effect.audio;
  const lufs =
    channels[0]!.length > 0.4 * sample_rate ? integratedLoudness(channels, sample_rate) : Number.NEGATIVE_INFINITY;
  return { ...featuresOf(channels, sample_rate), cpu, effect, lufs };
}

type Check = readonly [what: string, holds: (made: Made) => boolean];

const impulsive: Check = ["attack under 10 ms", (made) => made.attack < 0.01];
const decays: Check = ["energy ends in the first 60 %", (made) => made.late < 0.6];
const steady: Check = ["level steady within 4 dB", (made) => made.unsteady_db < 4];
const busy: Check = ["no hole over 0.5 s", (made) => made.hole < 0.5];
const peaksMid: Check = ["loudest in the middle", (made) => made.loudest > 0.25 && made.loudest < 0.75];
const peaksLate: Check = ["loudest at the end", (made) => made.loudest > 0.8];
const rises: Check = ["gets brighter", (made) => made.tilt > 0.2];
const falls: Check = ["gets darker", (made) => made.tilt < -0.2];
const moves: Check = ["pitch moves by a third or more", (made) => made.pitch_span > 0.3];
const low: Check = ["centroid under 900 Hz", (made) => made.centroid < 900];
const high: Check = ["centroid over 2 kHz", (made) => made.centroid > 2000];
const short: Check = ["under 0.5 s", (made) => made.seconds < 0.5];
const events = (count: number): Check => [`${count} events`, (made) => made.events === count];
/** Two contacts and loose ground: some steps count twice. */
const steps = (count: number): Check => [
  `${count} to ${count + 2} rises`,
  (made) => made.events >= count && made.events <= count + 2,
];
const lasts = (seconds: number): Check => [`${seconds} s`, (made) => Math.abs(made.seconds - seconds) < 1e-4];

const PROMPTS: readonly (readonly [prompt: string, sound: string, ...checks: Check[]])[] = [
  ["wooden impact", "impact", impulsive, decays],
  ["heavy metal impact", "impact", impulsive],
  ["stone hit", "impact", impulsive, decays],
  ["three knocks on a wooden door", "knock", impulsive, events(3)],
  ["two knocks", "knock", impulsive, events(2)],
  ["five quick knocks on metal", "knock", impulsive, events(5)],
  ["a knock", "knock", impulsive, events(1)],
  ["dog barks twice", "dog", events(2)],
  ["four gunshots", "gunshot", impulsive, events(4)],
  ["deep cinematic boom", "boom", impulsive, low],
  ["huge explosion", "explosion", impulsive, decays, low],
  ["glass shattering", "glass_break", impulsive, decays, high],
  ["car crash", "crash", impulsive, decays],
  ["punch in the face", "punch", impulsive, decays],
  ["fast whoosh", "whoosh", peaksMid, high],
  ["long tension riser, 6 seconds", "riser", peaksLate, rises, lasts(6)],
  ["power down", "downer", falls],
  ["sub drop", "sub_drop", low],
  ["button click", "click", impulsive, short],
  ["success chime for an app", "success", decays],
  ["error buzzer", "error"],
  ["message notification", "notification", decays],
  ["coin pickup", "coin", impulsive],
  ["typing on a keyboard", "typing", busy],
  ["camera shutter", "camera", short],
  ["laser blast", "laser", falls, decays],
  ["electric zap", "zap", decays],
  ["magic sparkle", "shimmer", high],
  ["wizard casting a spell", "spell"],
  ["footsteps on gravel", "footsteps", steps(6)],
  ["footsteps in snow", "footsteps", steps(6)],
  ["footsteps on a metal floor", "footsteps", steps(6)],
  ["creaky old door", "door_creak"],
  ["door slam", "door_slam", impulsive, decays],
  ["light rain", "rain", steady, busy, high],
  ["heavy rain", "rain", steady, busy],
  ["rain on a tin roof", "rain", steady, busy],
  ["rolling thunder", "thunder", low],
  ["howling wind", "wind", busy],
  ["crackling campfire", "fire", busy],
  ["water dripping", "drip"],
  ["mountain stream", "stream", steady, busy],
  ["big splash", "splash", decays],
  ["ocean waves on a beach", "sea", busy],
  ["car engine idling", "engine", busy, low],
  ["motorcycle revving", "motorbike", busy],
  ["car passing by", "car_pass", peaksMid],
  ["helicopter", "helicopter", busy, low],
  ["train on tracks", "train", busy],
  ["police siren", "siren", busy, moves],
  ["fire alarm", "alarm"],
  ["car horn", "horn"],
  ["church bell", "bell", impulsive],
  ["gong", "gong"],
  ["clock ticking", "clock", events(8)],
  ["heartbeat", "heartbeat", low],
  ["crowd applause", "applause", busy],
  ["birds chirping", "birds", high],
  ["crickets at night", "crickets", high, busy],
  ["frog", "frog"],
  ["cat meow", "cat", moves],
  ["monster roar", "monster"],
  ["robot voice", "robot"],
  ["radio static", "static", steady, busy],
  ["paper crumpling", "paper", high],
  ["zipper", "zipper", high],
  ["rattling chains", "chains", high],
  ["electric drill", "drill"],
  ["steam hiss", "steam", high],
  ["old telephone ringing", "phone"],
  ["dark drone", "drone", busy, low],
  ["underwater bubbles", "bubbles"],
  ["sci-fi door opening", "scifi_door"],
  ["teleport", "teleport", moves],
];

/** Two prompts, and what must be so between them. */
const PAIRS: readonly (readonly [
  one: string,
  other: string,
  what: string,
  holds: (one: Made, other: Made) => boolean,
])[] = [
  ["huge explosion", "small explosion", "big is darker", (one, other) => one.centroid < other.centroid],
  ["big dog bark", "tiny dog bark", "big is lower", (one, other) => one.centroid < other.centroid],
  [
    "large bell",
    "small bell",
    "big is lower and longer",
    (one, other) => one.centroid < other.centroid && one.seconds > other.seconds,
  ],
  ["distant gunshot", "close gunshot", "far is darker", (one, other) => one.centroid < 0.7 * other.centroid],
  ["distant thunder", "thunder", "far is darker", (one, other) => one.centroid < other.centroid],
  ["rain far away", "rain nearby", "far is darker", (one, other) => one.centroid < 0.7 * other.centroid],
  ["heavy rain", "light rain", "heavy is denser", (one, other) => one.crest_db < other.crest_db],
  ["metal hit", "wood hit", "metal rings longer", (one, other) => one.late * one.seconds > other.late * other.seconds],
  [
    "gunshot in a cave",
    "gunshot",
    "a cave rings on",
    (one, other) => one.late * one.seconds > other.late * other.seconds,
  ],
  ["applause underwater", "applause", "water muffles", (one, other) => one.centroid < 0.7 * other.centroid],
  ["crowd through a wall", "crowd", "walls muffle", (one, other) => one.centroid < 0.7 * other.centroid],
  ["fast footsteps", "slow footsteps", "fast is shorter", (one, other) => one.seconds < other.seconds],
  ["high beep", "low beep", "high is higher", (one, other) => one.centroid > other.centroid],
];

const what = process.argv[2] ?? "all";
if (what === "all" || what === "prompts") await prompts();
if (what === "all" || what === "classes") await classes();
if (what === "all" || what === "speed") await speed();

async function prompts(): Promise<void> {
  const columns = ["CPU s", "s", "LUFS", "loudest", "Hz", "att ms", "10-90", "hole", "n", "L/R"];
  console.log(`${"prompt".padEnd(34)}${"sound".padEnd(15)}${columns.map((name) => name.padStart(8)).join("")}`);
  let held = 0;
  let asked = 0;
  for (const [prompt, sound, ...checks] of PROMPTS) {
    const made = await make(prompt);
    const heard = understand(prompt).parts[0]![0]!.recipe.name;
    const cells = [
      made.cpu,
      made.seconds,
      made.lufs,
      made.loudest,
      made.centroid,
      made.attack * 1000,
      made.late - made.early,
      made.hole,
      made.events,
      made.correlation,
    ];
    console.log(
      `${prompt.padEnd(34)}${heard.padEnd(15)}${cells.map((value) => value.toFixed(value >= 100 ? 0 : 2).padStart(8)).join("")}`,
    );
    const all: Check[] = [
      ["the right sound", () => heard === sound],
      ["no offset", ({ dc }) => dc < 1e-3],
      ["soft ends", ({ edge }) => edge < 0.02],
      ...checks,
    ];
    for (const [name, holds] of all) {
      asked++;
      if (holds(made)) held++;
      else console.log(`    FAILS: ${name}`);
    }
  }
  for (const [one, other, name, holds] of PAIRS) {
    asked++;
    if (holds(await make(one), await make(other))) held++;
    else console.log(`    FAILS: ${name}: "${one}" against "${other}"`);
  }
  console.log(`\n${held} of ${asked} expectations hold on ${PROMPTS.length} prompts and ${PAIRS.length} pairs\n`);
}

async function classes(): Promise<void> {
  const seeds = [1, 2, 3, 4, 5];
  const names: string[] = [];
  const vectors: number[][] = [];
  for (const { name } of recipes()) {
    for (const seed of seeds) {
      const made = await make(name.replaceAll("_", " "), seed);
      names.push(made.effect.report.sequence[0]!.layers[0]!.sound);
      vectors.push([...made.vector]);
    }
  }
  const size = vectors[0]!.length;
  for (let d = 0; d < size; d++) {
    const mean = vectors.reduce((sum, vector) => sum + vector[d]!, 0) / vectors.length;
    const spread = Math.sqrt(vectors.reduce((sum, vector) => sum + (vector[d]! - mean) ** 2, 0) / vectors.length) || 1;
    for (const vector of vectors) vector[d] = (vector[d]! - mean) / spread;
  }
  let right = 0;
  const confused = new Map<string, number>();
  vectors.forEach((vector, index) => {
    let nearest = -1;
    let least = Number.POSITIVE_INFINITY;
    vectors.forEach((other, place) => {
      if (place === index) return;
      const distance = other.reduce((sum, value, d) => sum + (value - vector[d]!) ** 2, 0);
      if (distance < least) {
        least = distance;
        nearest = place;
      }
    });
    if (names[nearest] === names[index]) right++;
    else
      confused.set(
        `${names[index]} as ${names[nearest]}`,
        (confused.get(`${names[index]} as ${names[nearest]}`) ?? 0) + 1,
      );
  });
  console.log(
    `nearest neighbour names the recipe: ${right} of ${vectors.length} (${((100 * right) / vectors.length).toFixed(1)} %), ${recipes().length} recipes, chance ${(100 / recipes().length).toFixed(1)} %`,
  );
  console.log(
    [...confused]
      .sort((one, other) => other[1] - one[1])
      .slice(0, 12)
      .map(([pair, count]) => `    ${count} × ${pair}`)
      .join("\n"),
    "\n",
  );
}

async function speed(): Promise<void> {
  const costs: [string, number][] = [];
  for (const { name } of recipes()) costs.push([name, (await make(name.replaceAll("_", " "), 1, 30)).cpu]);
  costs.sort((one, other) => other[1] - one[1]);
  const middle = costs[costs.length >> 1]![1];
  console.log(
    `30 s of each recipe: median ${middle.toFixed(2)} s CPU, slowest ${costs
      .slice(0, 6)
      .map(([name, cpu]) => `${name} ${cpu.toFixed(2)}`)
      .join(", ")}`,
  );
}
