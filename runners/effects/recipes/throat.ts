/** What gives voice: a source of pulses and air, and the formants it goes through. */
import type { Control, Corner } from "../../signal/dsp/control.ts";
import { saturate } from "../../signal/dsp/envelope.ts";
import type { Voice } from "../voice.ts";

/** Source and formants of a throat, human or not. */
export interface Throat {
  readonly hertz: Control;
  readonly formants: readonly (readonly [hertz: number | Control, q: number, gain: number])[];
  /** Share of noise. */
  readonly breath: number;
  readonly level: readonly Corner[];
  readonly pan?: number;
  readonly gain?: number;
  readonly drive?: number;
}

export function throat(voice: Voice, { hertz, formants, breath, level, pan = 0, gain = 1, drive = 0 }: Throat): void {
  const source = voice.osc("saw", hertz, 0.8);
  const air = voice.noise("white");
  for (let n = 0; n < source.length; n++) source[n] = source[n]! * (1 - breath) + air[n]! * breath;
  if (drive > 0) saturate(source, drive);
  const out = voice.buffer();
  for (const [centre, q, share] of formants) {
    const part = voice.filter(source.slice(), "band", centre, q);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! + share * part[n]!;
  }
  voice.add(voice.shape(out, level), gain, pan);
}
