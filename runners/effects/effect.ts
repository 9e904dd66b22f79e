import type { Audio, Job } from "../../contract/mod.ts";
import { breathe } from "../breathe.ts";
import { blockDc, fade } from "../signal/dsp/envelope.ts";
import { gainOf } from "../signal/dsp/exact.ts";
import { rounded } from "../signal/dsp/numbers.ts";
import { hash32 } from "../signal/dsp/random.ts";
import type { Motion } from "./brief.ts";
import { cross } from "./cross.ts";
import { placeIn, placeSomewhere } from "./place.ts";
import { plan, type Slot } from "./plan.ts";
import type { Recipe } from "./recipe.ts";
import { understand } from "./text/understand.ts";
import type { Effect, EffectInput, LayerReport } from "./types.ts";
import { understoodOf } from "./understood.ts";
import { RATE, Voice } from "./voice.ts";

/** Frames between two looks at the signal. */
const BREATH = 2 * RATE;

/** Makes round(seconds · 44,100) frames of stereo, peak 0.9. Same input, same samples, on every engine. */
export async function run({ prompt, seconds, seed }: EffectInput, job: Job): Promise<Effect> {
  job.progress(0, "understanding the prompt");
  const brief = understand(prompt);
  const planned = plan(brief, seconds, seed);
  const frames = Math.round(planned.seconds * RATE);
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  let since = BREATH;
  const total = planned.slots.length;
  for (const [index, slot] of planned.slots.entries()) {
    const layer_left = new Float32Array(Math.round(slot.seconds * RATE));
    const layer_right = new Float32Array(layer_left.length);
    for (const [turn, event] of slot.events.entries()) {
      if (since >= BREATH) {
        job.progress(0.05 + (0.85 * (index + turn / slot.events.length)) / total, "synthesis");
        await breathe(job.signal);
        since = 0;
      }
      const stream = hash32(seed, (slot.stream << 8) + turn);
      const voice = perform(slot, Math.max(64, Math.round(event.seconds * RATE)), stream, turn);
      settle(voice, slot.layer.recipe, slot.bed_fade);
      addAt(layer_left, voice.left, Math.round(event.at * RATE), event.gain);
      addAt(layer_right, voice.right, Math.round(event.at * RATE), event.gain);
      since += voice.frames;
    }
    level(layer_left, layer_right, slot);
    move(layer_left, layer_right, slot.layer);
    const pan = slot.layer.pan ?? (planned.background.includes(slot) ? null : planned.pan);
    if (pan !== null) cross(layer_left, layer_right, slot, pan);
    if (planned.environment === null && slot.layer.far === 0 && standsSomewhere(slot))
      placeSomewhere(layer_left, layer_right);
    placeIn(layer_left, layer_right, null, slot.layer.far);
    addAt(left, layer_left, Math.round(slot.start * RATE), 1);
    addAt(right, layer_right, Math.round(slot.start * RATE), 1);
  }
  job.progress(0.92, "space");
  await breathe(job.signal);
  placeIn(left, right, planned.environment, 0);
  const kept = planned.free ? audible(left, right) : frames;
  const channels = [left.slice(0, kept), right.slice(0, kept)] as const;
  finish(...channels);
  job.progress(1, "space");
  const audio: Audio = { sample_rate: RATE, channels };
  return {
    audio,
    report: {
      understood: understoodOf(brief),
      sequence: planned.parts.map(({ start, seconds: length, slots }) => ({
        start: rounded(start),
        seconds: rounded(length),
        layers: slots.map(reportOf),
      })),
      background: planned.background.map(reportOf),
      environment: brief.environment,
      pan: brief.pan,
      seconds_said: brief.seconds,
      unknown_words: brief.unknown,
      guessed: brief.guessed,
    },
  };
}

/** One event. Where there is no room for even its first syllable, the loudest stretch of a whole one. */
function perform({ layer: { recipe, traits } }: Slot, frames: number, stream: number, turn: number): Voice {
  const voice = new Voice(frames, traits, stream, turn);
  recipe.render(voice);
  if (peakOf(voice) > 1e-3) return voice;
  const whole = new Voice(Math.max(frames, Math.round(recipe.seconds * RATE)), traits, stream, turn);
  recipe.render(whole);
  let loudest = 0;
  for (let n = 0; n < whole.frames; n++) if (Math.abs(whole.left[n]!) > Math.abs(whole.left[loudest]!)) loudest = n;
  const from = Math.max(0, Math.min(whole.frames - frames, loudest - (frames >> 2)));
  voice.left.set(whole.left.subarray(from, from + frames));
  voice.right.set(whole.right.subarray(from, from + frames));
  for (const channel of [voice.left, voice.right]) fade(channel, RATE, 0.005, 0);
  return voice;
}

function peakOf({ left, right }: { readonly left: Float32Array; readonly right: Float32Array }): number {
  let peak = 0;
  for (let n = 0; n < left.length; n++) peak = Math.max(peak, Math.abs(left[n]!), Math.abs(right[n]!));
  return peak;
}

/** No offset, no step at either end. */
function settle(voice: Voice, { kind, steady = false }: Recipe, bed_fade: number): void {
  const bed = kind === "bed";
  for (const channel of [voice.left, voice.right]) {
    blockDc(channel, RATE, 14);
    const end = steady ? 0 : bed ? bed_fade : Math.min(0.25, 0.18 * voice.seconds);
    fade(channel, RATE, bed ? Math.min(0.12, bed_fade) : 0, end);
  }
}

/** Brings a layer to a common loudness, so that layers balance whatever their recipes' levels are. */
function level(left: Float32Array, right: Float32Array, slot: Slot): void {
  let peak = 0;
  for (const channel of [left, right])
    for (let n = 0; n < channel.length; n++) peak = Math.max(peak, Math.abs(channel[n]!));
  if (peak === 0) return;
  const gain = (gainOf(slot.gain_db) * 0.8) / peak;
  for (const channel of [left, right]) for (let n = 0; n < channel.length; n++) channel[n] = channel[n]! * gain;
}

/** dB from far away to here. */
const AWAY_DB = 24;

/** How far away a moving sound is, 0 to 1, by how much of its time is over. */
const WAYS: Readonly<Record<Motion, (time: number) => number>> = {
  nearer: (time) => 1 - time,
  away: (time) => time,
  passing: (time) => Math.abs(2 * time - 1),
  rising: (time) => time,
  descending: (time) => 1 - time,
  swelling: (time) => 1 - time,
  fading: (time) => time,
};
/** These are made passing already. */
const PASSES = "passing";

/** What comes nearer grows all the way, what goes away falls. */
function move(left: Float32Array, right: Float32Array, { motion, recipe }: Slot["layer"]): void {
  if (motion === null || (motion === "passing" && recipe.group === PASSES)) return;
  for (let n = 0; n < left.length; n++) {
    const far = WAYS[motion](n / left.length);
    const gain = gainOf(-AWAY_DB * far * far);
    left[n] = left[n]! * gain;
    right[n] = right[n]! * gain;
  }
}

/** Takes the mean away with a parabola, which is 0 at both ends: half a period of bass in a short cut would else leave an offset. */
function centre(samples: Float32Array): void {
  const frames = samples.length;
  let sum = 0;
  for (let n = 0; n < frames; n++) sum += samples[n]!;
  const mean = sum / frames;
  for (let n = 0; n < frames; n++) {
    const x = n / (frames - 1);
    samples[n] = samples[n]! - 6 * mean * x * (1 - x);
  }
}

const DRY_GROUPS: ReadonlySet<string> = new Set(["interface", "signal", "scifi", "ambience", "magic", "air", "alarm"]);

function standsSomewhere({ layer }: Slot): boolean {
  return layer.recipe.kind !== "bed" && !DRY_GROUPS.has(layer.recipe.group);
}

/** Frames up to the last above -66 dB of the peak, and 50 ms: where the length was ours to choose, nobody waits for silence. */
function audible(left: Float32Array, right: Float32Array): number {
  let peak = 0;
  for (let n = 0; n < left.length; n++) peak = Math.max(peak, Math.abs(left[n]!), Math.abs(right[n]!));
  let last = left.length - 1;
  while (last > 0 && Math.max(Math.abs(left[last]!), Math.abs(right[last]!)) < 0.0005 * peak) last--;
  return Math.min(left.length, Math.max(Math.round(0.1 * RATE), last + Math.round(0.05 * RATE)));
}

function finish(left: Float32Array, right: Float32Array): void {
  const seconds = left.length / RATE;
  let peak = 0;
  for (const channel of [left, right]) {
    fade(channel, RATE, 0.0004, Math.min(0.03, seconds * 0.08));
    centre(channel);
    for (let n = 0; n < channel.length; n++) peak = Math.max(peak, Math.abs(channel[n]!));
  }
  const gain = 0.9 / Math.max(1e-9, peak);
  for (const channel of [left, right]) for (let n = 0; n < channel.length; n++) channel[n] = channel[n]! * gain;
}

function addAt(into: Float32Array, sound: Float32Array, at: number, gain: number): void {
  const to = Math.min(sound.length, into.length - at);
  for (let n = 0; n < to; n++) into[at + n] = into[at + n]! + gain * sound[n]!;
}

function reportOf({ layer, events }: Slot): LayerReport {
  const { recipe, traits, far, motion, pan } = layer;
  return {
    sound: recipe.name,
    group: recipe.group,
    material: traits.material,
    count: recipe.kind === "bed" ? null : events.length,
    size: rounded(traits.size),
    intensity: rounded(traits.intensity),
    speed: rounded(traits.speed),
    pitch: rounded(traits.pitch),
    brightness: rounded(traits.bright),
    distance: rounded(far),
    motion,
    pan,
  };
}
