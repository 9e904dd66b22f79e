import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { Pauses } from "../../breathe.ts";
import type { TaskEngines } from "../../engines.ts";
import { Evidence } from "./evidence.ts";
import { BANDS, EDGES, OVERLAP } from "./grid.ts";
import { Judge } from "./network.ts";
import { type Networks, Opinions, SECOND_INPUTS } from "./opinions.ts";
import { picture } from "./picture.ts";

/** Each stem's share of each band, frame by frame, 255 for all of it; what is left is `other`'s. */
export interface Shares {
  readonly frames: number;
  readonly vocals: Uint8Array;
  readonly drums: Uint8Array;
  readonly bass: Uint8Array;
}

/** The stems whose shares are decided on; `other` gets the rest. */
export type Decided = "vocals" | "drums" | "bass";
const DECIDED: readonly Decided[] = ["vocals", "drums", "bass"];

/**
 * Hears the whole piece and decides.
 *
 * @param absent stems that are not in the piece: the rest divide it in proportion
 * @param coarse judges every other frame, for half the work, and takes the middle for those between
 */
export async function sharesOf(
  audio: Audio | Streamed,
  networks: Networks,
  job: Job,
  absent: ReadonlySet<Decided> = new Set(),
  coarse = false,
): Promise<Shares> {
  const none = DECIDED.flatMap((stem, index) => (absent.has(stem) ? [index] : []));
  const pause = pauser(job);
  const seen = await picture(audio, (fraction) => pause(0.3 * fraction, "listening"));
  const evidence = new Evidence(seen);
  await evidence.listen((fraction) => pause(0.3 + 0.3 * fraction, "listening"));
  const { frames, centre, balance } = seen;
  const { repeated } = evidence;
  const every = coarse ? 2 : 1;
  const opinions = new Opinions(networks.first, evidence, seen, every);
  const judge = new Judge(networks.second, BANDS, SECOND_INPUTS);
  const shared = new Float32Array(SECOND_INPUTS.shared);
  const verdict = new Float32Array(4 * BANDS);
  // Centre, balance and repetition serve for fewer frames than the first network runs ahead; then their room is taken,
  // 45 MB for 10 minutes.
  for (let frame = 0; frame < frames; frame++) {
    opinions.move(frame);
    const at = frame * BANDS;
    if (frame % every > 0) {
      // The last one has nothing behind it.
      for (const plane of [repeated, centre, balance]) plane.copyWithin(at, at - BANDS, at);
      continue;
    }
    opinions.fill(frame, shared, judge.words);
    judge.judge(shared, verdict);
    if (none.length > 0) withhold(verdict, none);
    for (let band = 0; band < BANDS; band++) {
      const vocals = Math.floor(255 * verdict[band]! + 0.5);
      const drums = Math.min(255 - vocals, Math.floor(255 * verdict[BANDS + band]! + 0.5));
      repeated[at + band] = vocals;
      centre[at + band] = drums;
      balance[at + band] = Math.min(255 - vocals - drums, Math.floor(255 * verdict[2 * BANDS + band]! + 0.5));
    }
    if (coarse && frame > 0) for (const plane of [repeated, centre, balance]) middle(plane, at);
    const waiting = pause(0.6 + 0.4 * (frame / frames), "separating");
    if (waiting !== undefined) await waiting;
  }
  return { frames, vocals: repeated, drums: centre, bass: balance };
}

/** Makes the row before `at` the mean of those around it, rounded down, so that all shares of a band are never above 255. */
function middle(plane: Uint8Array, at: number): void {
  for (let k = at; k < at + BANDS; k++) plane[k - BANDS] = (plane[k - 2 * BANDS]! + plane[k]!) >> 1;
}

type Separator = Awaited<ReturnType<TaskEngines["separate"]["members"][number]["open"]>>;
type Beside = NonNullable<Parameters<Separator["separate"]>[3]>;

/** Shares as a model takes them that blends them with its own. */
export function besideOf({ frames, ...shares }: Shares): Beside {
  return {
    share(stem, frame, out) {
      // A frame of ours begins OVERLAP - 1 hops early, and its middle lies half its size on.
      const nearest = Math.max(0, Math.min(frames - 1, frame + OVERLAP / 2 - 1));
      const at = nearest * BANDS;
      const share = shares[stem];
      for (let bin = 0, band = 0; bin < out.length; band++) {
        const value = share[at + band]! / 255;
        for (const end = Math.min(EDGES[band + 1]!, out.length); bin < end; bin++) out[bin] = value;
      }
    },
  };
}

/** Takes the shares of stems `none` away and gives them to the others in proportion; where nobody has any, to `other`. */
function withhold(verdict: Float32Array, none: readonly number[]): void {
  for (let band = 0; band < BANDS; band++) {
    let taken = 0;
    for (const stem of none) {
      taken += verdict[stem * BANDS + band]!;
      verdict[stem * BANDS + band] = 0;
    }
    const scale = taken < CERTAIN ? 1 / (1 - taken) : 0;
    for (let at = band; at < 3 * BANDS; at += BANDS) verdict[at]! *= scale;
  }
}

/** Above this there is too little left to say how it would be divided. */
const CERTAIN = 0.999;

/** Reports progress and lets the thread breathe, where it is time for it; throws the signal's reason where it was aborted. */
function pauser(job: Job): (fraction: number, stage: string) => Promise<void> | undefined {
  const pauses = new Pauses(job.signal);
  return (fraction, stage) => {
    const pause = pauses.due();
    if (pause !== undefined) job.progress(fraction, stage);
    return pause;
  };
}
