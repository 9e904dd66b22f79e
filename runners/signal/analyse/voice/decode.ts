import type { Evidence } from "./evidence.ts";

/** Log-odds that a hop speaks for speech: fully voiced, sounding near voiced, going like speech, and whatever it is. */
const VOICED = 0.75;
const SOUNDING = 0.24;
const SPOKEN = 0.35;
const REST = -0.2;

/** Cost of entering and of leaving speech: 50 ms of clear voicing, or 0.2 s of a weak one, pay for both; a pause of 0.17 s does, too. */
const CHANGE = 1.7;

/** Probability that is enough beside speech; a hop of which nothing is known has 0.26. */
const NEXT_DOOR = 0.42;

/** Log-odds that voice and syllables have to give beside blows. */
const SUPPORT = 1.5;

/**
 * The same where a blow begins it: of its first hops so many are the blow's. What rings after a knock gave up to 3.7,
 * words of 0.3 to 0.6 s by themselves 11 and more.
 */
const SUPPORT_AFTER_BLOW = 6;
const BLOW = { among: 15, hops: 10 };

/**
 * Probability of speech for every hop, by the forward-backward recursion over a chain of two states, and the most probable path of
 * states (Viterbi).
 */
export function decode(found: Evidence): { probability: Float32Array; speech: Uint8Array } {
  const { voiced, sounding, spoken } = found;
  const hops = voiced.length;
  const odds = new Float32Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    odds[hop] = VOICED * voiced[hop]! + SOUNDING * sounding[hop]! + SPOKEN * spoken[hop]! + REST;
  }
  const speech = path(odds);
  const probability = smooth(odds);
  dropStruck(found, speech, probability);
  widen(speech, probability);
  return { probability, speech };
}

/** Where speech is next door, a weak probability will do: a first word in noise, a voice that trails off. */
function widen(speech: Uint8Array, probability: Float32Array): void {
  for (let hop = 1; hop < speech.length; hop++) {
    if (speech[hop - 1] === 1 && probability[hop]! > NEXT_DOOR) speech[hop] = 1;
  }
  for (let hop = speech.length - 2; hop >= 0; hop--) {
    if (speech[hop + 1] === 1 && probability[hop]! > NEXT_DOOR) speech[hop] = 1;
  }
}

/** Takes back speech for which little but blows speaks: a knock rings at a pitch, too, but syllables stay after their attack. */
function dropStruck({ voiced, spoken, unstruck }: Evidence, speech: Uint8Array, probability: Float32Array): void {
  for (let hop = 0; hop < speech.length; ) {
    const first = hop;
    let support = 0;
    let struck = 0;
    while (hop < speech.length && speech[hop] === 1) {
      if (hop < first + BLOW.among && unstruck[hop] === 0) struck++;
      support += unstruck[hop]! * (VOICED * voiced[hop]! + SPOKEN * spoken[hop]!);
      hop++;
    }
    if (hop > first && support < (struck >= BLOW.hops ? SUPPORT_AFTER_BLOW : SUPPORT)) {
      speech.fill(0, first, hop);
      for (let n = first; n < hop; n++) probability[n]! *= 0.5;
    }
    if (hop === first) hop++;
  }
}

function path(odds: Float32Array): Uint8Array {
  const hops = odds.length;
  const came_speech = new Uint8Array(hops);
  const came_rest = new Uint8Array(hops);
  let speech = -CHANGE;
  let rest = 0;
  for (let hop = 0; hop < hops; hop++) {
    const enters = rest - CHANGE > speech;
    const leaves = speech - CHANGE > rest;
    const next = (enters ? rest - CHANGE : speech) + odds[hop]!;
    rest = leaves ? speech - CHANGE : rest;
    speech = next;
    came_speech[hop] = enters ? 0 : 1;
    came_rest[hop] = leaves ? 1 : 0;
  }
  const states = new Uint8Array(hops);
  let state = speech - CHANGE > rest ? 1 : 0;
  for (let hop = hops - 1; hop >= 0; hop--) {
    states[hop] = state;
    state = state === 1 ? came_speech[hop]! : came_rest[hop]!;
  }
  return states;
}

/** Posterior of the same chain. Everything is a log-odds of speech against rest. */
function smooth(odds: Float32Array): Float32Array {
  const hops = odds.length;
  const out = new Float32Array(hops);
  const change = Math.exp(-CHANGE);
  const across = (x: number): number => {
    const e = Math.exp(Math.max(-50, Math.min(50, x)));
    return Math.log((e + change) / (1 + e * change));
  };
  let forward = -CHANGE;
  for (let hop = 0; hop < hops; hop++) {
    forward = across(forward) + odds[hop]!;
    out[hop] = forward;
  }
  let backward = 0;
  for (let hop = hops - 1; hop >= 0; hop--) {
    const total = out[hop]! + backward;
    out[hop] = 1 / (1 + Math.exp(-total));
    backward = across(backward + odds[hop]!);
  }
  return out;
}
