/** Calls of throats, human or not: one synthesis, and the numbers of each in its pack. */

import type { Call } from "../../packs/mod.ts";
import { wave } from "../../signal/dsp/control.ts";
import type { Voice } from "../voice.ts";
import { throat } from "./throat.ts";

export function renderCall(voice: Voice, call: Call): void {
  const { seconds_max, grows = false } = call.length ?? {};
  const longest = typeof seconds_max === "object" ? voice.between(...seconds_max) : seconds_max;
  const end = longest === undefined ? voice.seconds : Math.min(voice.seconds, grows ? longest * voice.long : longest);
  const base = call.pitch_hertz * voice.tune;
  const pitch = call.varies === undefined ? base : voice.vary(base, call.varies);
  addNoises(voice, call, end, true);
  const within = (corners: Call["level"]) => corners.map(([share, value]) => [end * share, value] as const);
  const open = call.opening === undefined ? undefined : voice.curve(within(call.opening));
  const path = voice.curve(
    call.pitch.map(([share, ratio]) => [end * share, pitch * ratio]),
    "exponential",
  );
  const { attack_seconds, level } = call;
  const rises = [[0, 0], ...(attack_seconds === undefined ? [] : [[attack_seconds, 1] as const])] as const;
  const hertz = call.shake === undefined ? path : voice.scale(path, swing(voice, call.shake));
  throat(voice, {
    hertz,
    breath: call.breath,
    drive: call.drive ?? 0,
    pan: call.spread === undefined ? 0 : voice.between(-call.spread, call.spread),
    level: level[0]![1] === 0 ? within(level) : [...rises, ...within(level)],
    formants: call.formants.map(([at, q, gain]) => {
      if (typeof at === "number") return [at, q, gain];
      return [at.opening === 1 ? open! : voice.scale(open!, at.opening), q, gain];
    }),
  });
  if (call.tremble !== undefined)
    for (const channel of [voice.left, voice.right])
      voice.shape(channel, swing(voice, { ...call.tremble, regular: true }));
  addNoises(voice, call, end, false);
}

/** What moves a pitch or a level to and fro, by chance or as a wave. */
function swing(voice: Voice, { hertz, low, high, regular = false, hurries = false }: NonNullable<Call["shake"]>) {
  const rate = hurries ? hertz * voice.traits.speed : hertz;
  return regular ? wave(voice.frames, voice.rate, rate, low, high) : voice.wander(rate, low, high);
}

/** Air beside the voice: those that come first draw their chance before it. */
function addNoises(voice: Voice, { noises = [], bursts = [] }: Call, end: number, are_first: boolean): void {
  for (const { first = false, opens = false, colour, pass, hertz, q, level, gain } of noises) {
    if (first !== are_first) continue;
    const samples = voice.filter(voice.noise(colour), pass, opens ? hertz * voice.open : hertz, q);
    voice.add(
      voice.shape(
        samples,
        level.map(([share, value]) => [end * share, value]),
      ),
      gain,
    );
  }
  for (const { first = false, opens = false, at = 0, hertz, ...burst } of bursts)
    if (first === are_first) voice.burst({ ...burst, at: end * at, hertz: opens ? hertz * voice.open : hertz });
}
