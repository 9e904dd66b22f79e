/** Voice, breath, noise and nose over a phrase, by its segments. */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { gainOf } from "../../../signal/dsp/exact.ts";
import { isVowel } from "../phonemes.ts";
import { type Formants, formantsOf } from "./formants.ts";
import { change, drawn, hold, lane, reach } from "./lane.ts";
import { levelsOf } from "./levels.ts";
import { MURMUR_SOFT, NOSE, nasalZero, raised, zeroWidth } from "./nose.ts";
import type { SungPhrase } from "./notes.ts";
import { type Band, CONSONANT_TARGETS, VOWEL_TARGETS } from "./targets.ts";
import type { Segment } from "./timing.ts";
import type { Voice } from "./voices.ts";

export interface Throat extends Formants {
  /** Hz of the nose's pole and zero; where both meet the nose is shut. */
  readonly pole: Control;
  readonly zero: Control;
  readonly zero_width: Control;
  readonly voice: Control;
  readonly breath: Control;
  readonly open: Control;
  readonly soft: Control;
  readonly bands: readonly { readonly hertz: Control; readonly width: Control; readonly level: Control }[];
}

/** RMS of breath against the peak of the voice, dB: of an h, and of what follows the burst of a voiceless stop. */
const H_DB = -18;
/** Of what folds between two voices still swing through an h against the vowel: speakers have 20 to 25. */
const H_VOICE_DB = -24;
const ASPIRATION_DB = -25;
const SHUT = 0;
/** The nose while a vowel goes into a nasal, and as it comes out of one: zero against pole. */
const [NASAL_AHEAD, NASAL_AFTER] = [1.3, 1.25];

/** `pitch` in Hz at control steps, as everything that is returned. */
export function throatOf(
  phrase: SungPhrase,
  segments: readonly Segment[],
  voice: Voice,
  pitch: Control,
  origin: number,
  frames: number,
  rate: number,
): Throat {
  const ms = rate / 1000;
  const formants = formantsOf(segments, voice, origin, frames, rate);
  raiseFirst(formants, pitch, voice);
  const nose = NOSE * voice.scale[0];
  const loud = lane(0);
  const air = lane(0);
  const soft = lane(voice.soft);
  const open = lane(voice.open);
  const zero = lane(nose);
  const bands = [0, 1, 2].map(() => ({ hertz: lane(4000), width: lane(2000), level: lane(0) }));
  const levels = levelsOf(phrase, segments, voice, formants, pitch, origin, rate);
  const breathy = gainOf(voice.breath_db);
  let sounding = false;

  for (let n = 0; n < segments.length; n++) {
    const segment = segments[n]!;
    const { phoneme, from, to, release } = segment;
    const [begin, end, opens] = [from - origin, to - origin, release - origin];
    const next = segments[n + 1];
    const joins = next !== undefined && next.from - to < 5 * ms;
    const level = levels.source[n]!;
    const noisy = levels.noise[segment.note]!;
    if (isVowel(phoneme)) {
      // Out of silence a voice is there at once: one that swells in is heard to begin with b.
      const width = sounding ? 22 * ms : 12 * ms;
      change(loud, begin + (sounding ? 0 : 6 * ms), level, width);
      change(air, begin, breathy * level, width);
      change(soft, begin, voice.soft * levels.brightness[segment.note]!, 16 * ms);
      change(open, begin, voice.open, 20 * ms);
      if (VOWEL_TARGETS[phoneme].nasal) change(zero, begin + 25 * ms, 1.5 * nose, 50 * ms);
      else if (n > 0 && nasalZero(segments[n - 1]!.phoneme, nose) !== undefined && sounding) {
        change(zero, begin, NASAL_AFTER * nose, 20 * ms);
        reach(zero, begin + 60 * ms, nose);
      } else change(zero, begin, nose, 45 * ms);
      if (joins && nasalZero(next.phoneme, nose) !== undefined) {
        hold(zero, end - Math.min(90 * ms, 0.5 * (end - begin)));
        reach(zero, end - 15 * ms, NASAL_AHEAD * nose);
      }
      shape(loud, begin, end, level, levels.swell[segment.note]!, ms);
      if (!joins) fadeOut(loud, air, end, ms);
      sounding = joins;
      continue;
    }
    const target = CONSONANT_TARGETS[phoneme];
    const voicing = target.voiced ? level * gainOf(target.voice_db) : 0;
    switch (target.manner) {
      case "nasal":
      case "approximant": {
        change(loud, begin, voicing, 22 * ms);
        change(air, begin, breathy * voicing, 22 * ms);
        const nasal = nasalZero(phoneme, nose);
        change(soft, begin, nasal === undefined ? voice.soft : MURMUR_SOFT, 16 * ms);
        // The nose opens before the mouth shuts.
        change(zero, begin, nasal ?? nose, 20 * ms);
        if (phoneme === "RR") tap(loud, begin, end, voicing, ms);
        if (segment.part === "nucleus") shape(loud, begin, end, voicing, 0, ms);
        if (!joins) fadeOut(loud, air, end, ms);
        break;
      }
      case "breath": {
        // Between voices an h is breathed through folds that still swing.
        const murmur = sounding ? level * gainOf(H_VOICE_DB) : SHUT;
        change(loud, begin + 8 * ms, murmur, 36 * ms);
        change(soft, begin + 8 * ms, voice.soft * 0.4, 30 * ms);
        change(open, begin, 0.85, 20 * ms);
        change(air, begin + 10 * ms, gainOf(H_DB) * noisy, 30 * ms);
        change(zero, begin, nose, 30 * ms);
        if (!joins) fadeOut(loud, air, end, ms);
        break;
      }
      case "fricative": {
        change(loud, begin, voicing, target.voiced ? 30 * ms : 18 * ms);
        change(air, begin, breathy * voicing, 18 * ms);
        change(soft, begin, voice.soft * 0.35, 16 * ms);
        change(zero, begin, nose, 20 * ms);
        noise(bands, target.bands ?? [], formants, voice, begin, end, noisy, 26 * ms, 22 * ms);
        if (!joins) fadeOut(loud, air, end, ms);
        break;
      }
      case "stop":
      case "affricate": {
        // While shut a voiced stop hums through the walls of the throat, below 400 Hz.
        change(loud, begin, voicing, 16 * ms);
        change(air, begin, SHUT, 10 * ms);
        change(soft, begin, 260, 12 * ms);
        change(zero, begin, nose, 20 * ms);
        if (target.manner === "affricate") {
          noise(bands, target.bands ?? [], formants, voice, opens + 4 * ms, end, noisy, 8 * ms, 26 * ms);
          change(loud, opens, voicing * 0.7, 10 * ms);
        } else {
          burst(
            bands,
            target.bands ?? [],
            formants,
            voice,
            opens,
            noisy * (segment.part === "coda" ? 0.6 : 1),
            (target.place === "velar" ? 2.2 : target.place === "labial" ? 0.7 : 1) * (target.voiced ? 8 : 12) * ms,
            ms,
          );
          if (target.voiced) hold(loud, opens);
          else {
            change(loud, begin, SHUT, 12 * ms);
            const strong = segment.part === "coda" ? 0.5 : 1;
            change(air, opens + 5 * ms, gainOf(ASPIRATION_DB) * noisy * strong, 8 * ms);
            hold(air, Math.max(opens + 8 * ms, end - 15 * ms));
            if (!joins) reach(air, end + 15 * ms, 0);
          }
        }
        if (!joins) fadeOut(loud, air, end, ms);
        break;
      }
    }
    sounding = joins && target.voiced;
  }
  hold(loud, frames);
  const draw = (line: ReturnType<typeof lane>, round = false): Control => drawn(line, control(frames), round);
  const opened = draw(zero, true);
  const pole = control(frames);
  for (let n = 0; n < pole.length; n++) {
    const by = raised(nose, pitch[n]!);
    pole[n] = nose * by;
    opened[n] = opened[n]! * by;
  }
  return {
    ...formants,
    pole,
    zero: opened,
    zero_width: opened.map((hertz, n) => zeroWidth(pole[n]!, hertz)),
    voice: draw(loud, true),
    breath: draw(air),
    open: draw(open),
    soft: draw(soft),
    bands: bands.map((band) => ({ hertz: draw(band.hertz), width: draw(band.width), level: draw(band.level) })),
  };
}

type Lanes = readonly {
  readonly hertz: ReturnType<typeof lane>;
  readonly width: ReturnType<typeof lane>;
  readonly level: ReturnType<typeof lane>;
}[];

/** A held sound swells a little and lets go: `swell` dB at two thirds of it. */
function shape(
  loud: ReturnType<typeof lane>,
  begin: number,
  end: number,
  level: number,
  swell: number,
  ms: number,
): void {
  const length = end - begin;
  if (length < 250 * ms) return;
  reach(loud, begin + 60 * ms, level);
  reach(loud, begin + 0.62 * length, level * gainOf(swell));
  reach(loud, end - 40 * ms, level * gainOf(swell - 2));
}

function fadeOut(loud: ReturnType<typeof lane>, air: ReturnType<typeof lane>, end: number, ms: number): void {
  hold(loud, end - 70 * ms);
  reach(loud, end + 15 * ms, 0);
  hold(air, end - 30 * ms);
  reach(air, end + 45 * ms, 0);
}

/** A tongue's tip strikes once, or twice where there is time. */
function tap(loud: ReturnType<typeof lane>, begin: number, end: number, level: number, ms: number): void {
  const strikes = Math.max(1, Math.round((end - begin) / (38 * ms)));
  for (let k = 0; k < strikes; k++) {
    const at = begin + ((k + 0.4) * (end - begin)) / strikes;
    reach(loud, at - 9 * ms, level * 1.6);
    reach(loud, at, level * 0.25);
    reach(loud, at + 9 * ms, level * 1.6);
  }
}

function noise(
  lanes: Lanes,
  bands: readonly Band[],
  formants: Formants,
  voice: Voice,
  begin: number,
  end: number,
  level: number,
  rise: number,
  fall: number,
): void {
  for (let k = 0; k < lanes.length; k++) {
    const to = lanes[k]!;
    const band = bands[k];
    tune(to, band, formants, voice, begin);
    const gain = band === undefined ? 0 : gainOf(band[2]) * level;
    const middle = Math.min(0.45 * (end - begin), rise);
    hold(to.level, begin - 3);
    reach(to.level, begin + middle, gain);
    reach(to.level, Math.max(begin + middle, end - 0.6 * fall), gain);
    reach(to.level, end + 0.4 * fall, 0);
  }
}

function burst(
  lanes: Lanes,
  bands: readonly Band[],
  formants: Formants,
  voice: Voice,
  at: number,
  level: number,
  length: number,
  ms: number,
): void {
  for (let k = 0; k < lanes.length; k++) {
    const to = lanes[k]!;
    const band = bands[k];
    tune(to, band, formants, voice, at);
    const gain = band === undefined ? 0 : gainOf(band[2]) * level;
    hold(to.level, at - ms);
    reach(to.level, at, gain);
    reach(to.level, at + length, gain * 0.6);
    reach(to.level, at + length + 10 * ms, 0);
  }
}

/** Frequencies of noise depend on the mouth's front alone, which differs less between voices than the throat. */
function tune(to: Lanes[number], band: Band | undefined, formants: Formants, voice: Voice, begin: number): void {
  if (band === undefined) return;
  const at = Math.min(formants.hertz[1].length - 1, Math.max(0, Math.round(begin / STEP)));
  const scale = 1 + 0.5 * (voice.scale[2] - 1);
  const hertz = band[0] > 0 ? band[0] * scale : formants.hertz[1][at]! * 1.05;
  hold(to.hertz, begin - 4);
  reach(to.hertz, begin - 4, hertz);
  hold(to.width, begin - 4);
  reach(to.width, begin - 4, band[1] * scale);
}

/**
 * High voices open the mouth so that the first formant stays above the pitch (J. Sundberg 1975); without it a high note
 * is thin and wavers.
 */
function raiseFirst({ hertz, width }: Formants, pitch: Control, voice: Voice): void {
  const [f1] = hertz;
  for (let n = 0; n < f1.length; n++) {
    const floor = 1.04 * pitch[n]!;
    const over = f1[n]! - floor;
    f1[n] = floor + 0.5 * (over + Math.sqrt(over * over + 3600));
    // Wide enough that a harmonic that passes through does not stand out.
    const least = 0.16 * pitch[n]! + 30;
    if (width[0][n]! < least) width[0][n] = least;
    if (width[1][n]! < least) width[1][n] = least;
  }
  // Formants stay in order.
  for (let n = 0; n < f1.length; n++) {
    if (hertz[1][n]! < f1[n]! + 150) hertz[1][n] = f1[n]! + 150;
    if (hertz[2][n]! < hertz[1][n]! + 250) hertz[2][n] = hertz[1][n]! + 250;
    const top = voice.upper[0]![0] - 250;
    if (hertz[2][n]! > top) hertz[2][n] = top;
  }
}
