import type { Job } from "../../../contract/mod.ts";

/** Progress of work in parts whose number is not known beforehand: never falls, also where one engine gave up and the next begins. */
export class Rising {
  readonly #job: Job;
  #at = 0;

  constructor(job: Job) {
    this.#job = job;
  }

  /** The job as a part sees it that takes `share` of what is left. */
  part(share: number): Job {
    const from = this.#at;
    const length = (1 - from) * share;
    return {
      signal: this.#job.signal,
      progress: (fraction, stage) => {
        this.#at = Math.max(this.#at, Math.min(1, from + fraction * length));
        this.#job.progress(this.#at, stage);
      },
    };
  }
}
