import type { Audio, Job } from "../../core/plugin.ts";
import { Evidence, SHARED } from "./evidence.ts";
import { BANDS } from "./grid.ts";
import { Judge, type Network } from "./network.ts";
import { picture } from "./picture.ts";

/** Each stem's share of each band, frame by frame, 255 for all of it; what is left is `other`'s. */
export interface Shares {
  readonly frames: number;
  readonly vocals: Uint8Array;
  readonly drums: Uint8Array;
  readonly bass: Uint8Array;
}

/** Hears the whole piece and decides. */
export async function sharesOf(audio: Audio, network: Network, job: Job): Promise<Shares> {
  const pause = pauser(job);
  const seen = await picture(audio, (fraction) => pause(0.3 * fraction, "listening"));
  const evidence = new Evidence(seen);
  await evidence.listen((fraction) => pause(0.3 + 0.3 * fraction, "listening"));
  const { frames, centre, balance } = seen;
  const { repeated } = evidence;
  const judge = new Judge(network, BANDS, SHARED);
  const shared = new Float32Array(SHARED);
  const verdict = new Float32Array(4 * BANDS);
  const vocals = new Uint8Array(BANDS);
  const drums = new Uint8Array(BANDS);
  const bass = new Uint8Array(BANDS);
  for (let frame = 0; frame < frames; frame++) {
    evidence.share(frame, shared);
    evidence.fill(frame, judge.evidence);
    judge.judge(shared, verdict);
    for (let band = 0; band < BANDS; band++) {
      vocals[band] = Math.round(255 * verdict[band]!);
      drums[band] = Math.round(255 * verdict[BANDS + band]!);
      bass[band] = Math.min(255 - vocals[band]! - drums[band]!, Math.round(255 * verdict[2 * BANDS + band]!));
    }
    // Centre, balance and repetition of a frame serve for that frame only: their room is taken, 45 MB for 10 minutes.
    repeated.set(vocals, frame * BANDS);
    centre.set(drums, frame * BANDS);
    balance.set(bass, frame * BANDS);
    const waiting = pause(0.6 + 0.4 * (frame / frames), "separating");
    if (waiting !== undefined) await waiting;
  }
  return { frames, vocals: repeated, drums: centre, bass: balance };
}

/** Milliseconds of work after which timers and messages of the thread have their turn. */
const WORK_MS = 30;

/** Reports progress and lets the thread breathe, where it is time for it; throws the signal's reason where it was aborted. */
function pauser(job: Job): (fraction: number, stage: string) => Promise<void> | undefined {
  let last = performance.now();
  job.signal.throwIfAborted();
  return (fraction, stage) => {
    if (performance.now() - last < WORK_MS) return undefined;
    job.progress(fraction, stage);
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      job.signal.throwIfAborted();
      last = performance.now();
    });
  };
}
