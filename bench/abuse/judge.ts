/** What the goal says about what was measured; no clock, no process, so that a test can ask it. */

/** What the victim does, each at a rate of its own whatever the node answers. */
export const KINDS = ["upload", "status", "job"] as const;
export type Kind = (typeof KINDS)[number];

export interface Phase {
  /** Milliseconds from when each was due to its end; what was given up counts with the time that it had lasted. */
  readonly ms: Readonly<Record<Kind, readonly number[]>>;
  /** What was refused, broke off or was given up, by what it was. */
  readonly errors: Readonly<Record<string, number>>;
  /** Answers of `/health` by status; "none": nothing within 2 s. */
  readonly health: Readonly<Record<string, number>>;
  /** Highest memory of the node and what it started, in MB. */
  readonly memory_mb: number;
}

export interface Measured {
  readonly attack: string;
  readonly finding: string;
  readonly quiet: Phase;
  readonly attacked: Phase;
  /** What the attacker was answered, by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** What the attack did that it must not be able to do, in words. */
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

export interface Verdict {
  /** The attacked p99 over the quiet one. */
  readonly ratios: Readonly<Record<Kind, number>>;
  /** MB above the quiet phase of the same node. */
  readonly memory_more_mb: number;
  /** Empty: the goal holds. */
  readonly broken: readonly string[];
}

/** How many times the quiet p99 the attacked one may be, and how much memory an attack may cost. */
export const GOAL = { ratio_max: 2, memory_mb_max: 300, waiting_ms_max: 10_000 } as const;

/** By rank, as those who wait see it: of fewer than 100 the p99 is the longest of them. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

/** For each kind, the middle one of the p99s of all quiet phases. */
export type Quiet = Readonly<Record<Kind, number>>;

/**
 * What a phase alone can say: the longest of 60 grows with how many there are, so a phase under attack is held against quiet phases of as many
 * samples, never against all of them together.
 */
export function quietOf(all: readonly Measured[]): Quiet {
  const middle = (kind: Kind): number =>
    quantile(
      all.map(({ quiet }) => p99(quiet.ms[kind])),
      0.5,
    );
  return { upload: middle("upload"), status: middle("status"), job: middle("job") };
}

/**
 * `difference_ms`: what a p99 may always be above the quiet one; no less than what the clock of a machine can tell whose cores the attacker and
 * the victim share with the node. What is quiet is the higher of the usual and of the same node's a moment before: others may use the machine.
 */
export function judge(one: Measured, usual: Quiet, difference_ms = 0): Verdict {
  const { quiet, attacked, faults } = one;
  const quietP99 = (kind: Kind): number => Math.max(usual[kind], p99(quiet.ms[kind]));
  const ratio = (kind: Kind): number => p99(attacked.ms[kind]) / quietP99(kind);
  const ratios = { upload: ratio("upload"), status: ratio("status"), job: ratio("job") };
  const broken = KINDS.filter(
    // Written as "not at most", so that what was not measured fails.
    (kind) => !(ratios[kind] <= GOAL.ratio_max || p99(attacked.ms[kind]) - quietP99(kind) <= difference_ms),
  ).map((kind) => `${kind} ${ratios[kind].toFixed(1)}x`);
  const errors = Object.values(attacked.errors).reduce((sum, count) => sum + count, 0);
  if (errors > 0) broken.push(`${errors} errors`);
  const memory_more_mb = attacked.memory_mb - one.quiet.memory_mb;
  if (!(memory_more_mb <= GOAL.memory_mb_max)) broken.push(`${Math.round(memory_more_mb)} MB more`);
  if (!isHonest(attacked)) broken.push("/health says 200 although nothing goes on");
  return { ratios, memory_more_mb, broken: [...broken, ...faults] };
}

/** Of an odd number of tries of one attack, the one that is neither the best nor the worst: a stall of the machine is in one, an attack in all. */
export function middleOf(tries: readonly Measured[], usual: Quiet): Measured {
  const worst = (one: Measured): number => {
    const { ratios, broken } = judge(one, usual, Number.POSITIVE_INFINITY);
    // What is no matter of time breaks the goal each time.
    return broken.length > 0 ? Number.POSITIVE_INFINITY : Math.max(...KINDS.map((kind) => ratios[kind]));
  };
  const sorted = tries.toSorted((one, other) => worst(one) - worst(other));
  return sorted[(sorted.length - 1) >> 1]!;
}

/** A node that keeps uploads or jobs waiting beyond patience, or answers with errors of its own, must not call itself well all the time. */
function isHonest({ ms, errors, health }: Phase): boolean {
  const stuck = Math.max(quantile(ms.upload, 0.5), quantile(ms.status, 0.5)) > GOAL.waiting_ms_max;
  const failing = (errors["upload given up"] ?? 0) + (errors["upload 500"] ?? 0) > ms.upload.length / 2;
  const says_well = (health["200"] ?? 0) > 0 && Object.keys(health).every((status) => status === "200");
  return !((stuck || failing) && says_well);
}
