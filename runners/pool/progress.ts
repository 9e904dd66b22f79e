/** At most 20 messages a second. */
const MS_BETWEEN = 50;

/**
 * Makes a runner's progress fit to be shown: at most 20 a second, within 0 to 1, never backwards. What comes too soon
 * waits, and the latest wins.
 */
export class Progress {
  readonly #send: (fraction: number, stage: string) => void;
  #fraction = 0;
  #stage = "";
  #sent_at = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(send: (fraction: number, stage: string) => void) {
    this.#send = send;
  }

  report(fraction: number, stage: string): void {
    if (this.#stopped) return;
    // NaN compares false: the fraction stays where it was.
    if (fraction > this.#fraction) this.#fraction = Math.min(1, fraction);
    this.#stage = stage;
    const wait_ms = this.#sent_at + MS_BETWEEN - performance.now();
    if (wait_ms <= 0) this.#flush();
    else if (this.#timer === undefined) this.#timer = setTimeout(() => this.#flush(), wait_ms);
  }

  /** Nothing is sent afterwards. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sent_at = performance.now();
    this.#send(this.#fraction, this.#stage);
  }
}
