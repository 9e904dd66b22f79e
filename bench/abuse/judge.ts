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
  /** p99 under attack over p99 of all quiet phases. */
  readonly ratios: Readonly<Record<Kind, number>>;
  /** MB above the quiet phase of the same node. */
  readonly memory_more_mb: number;
  /** Empty: the goal holds. */
  readonly broken: readonly string[];
}

/** How many times the quiet p99 the attacked one may be, and how much memory an attack may cost. */
export const GOAL = { ratio_max: 2, memory_mb_max: 300, waiting_ms_max: 10_000 } as const;

/**
 * By rank, as those who wait see it: of fewer than 100 it is the longest of them. Those of the quiet phases are taken together, for each alone
 * has too few.
 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export function quietOf(all: readonly Measured[]): Phase["ms"] {
  const together = (kind: Kind): readonly number[] => all.flatMap(({ quiet }) => quiet.ms[kind]);
  return { upload: together("upload"), status: together("status"), job: together("job") };
}

/** `difference_ms`: what a p99 may always be above the quiet one; no less than what the clock of a busy machine can tell. */
export function judge(one: Measured, quiet: Phase["ms"], difference_ms = 0): Verdict {
  const { attacked, faults } = one;
  const p99 = (values: readonly number[]): number => quantile(values, 0.99);
  const ratio = (kind: Kind): number => p99(attacked.ms[kind]) / p99(quiet[kind]);
  const ratios = { upload: ratio("upload"), status: ratio("status"), job: ratio("job") };
  const broken = KINDS.filter(
    // Written as "not at most", so that what was not measured fails.
    (kind) => !(ratios[kind] <= GOAL.ratio_max || p99(attacked.ms[kind]) - p99(quiet[kind]) <= difference_ms),
  ).map((kind) => `${kind} ${ratios[kind].toFixed(1)}x`);
  const errors = Object.values(attacked.errors).reduce((sum, count) => sum + count, 0);
  if (errors > 0) broken.push(`${errors} errors`);
  const memory_more_mb = attacked.memory_mb - one.quiet.memory_mb;
  if (!(memory_more_mb <= GOAL.memory_mb_max)) broken.push(`${Math.round(memory_more_mb)} MB more`);
  if (!isHonest(attacked)) broken.push("/health says 200 although nothing goes on");
  return { ratios, memory_more_mb, broken: [...broken, ...faults] };
}

/** A node that keeps uploads or jobs waiting beyond patience, or answers with errors of its own, must not call itself well all the time. */
function isHonest({ ms, errors, health }: Phase): boolean {
  const stuck = Math.max(quantile(ms.upload, 0.5), quantile(ms.status, 0.5)) > GOAL.waiting_ms_max;
  const failing = (errors["upload given up"] ?? 0) + (errors["upload 500"] ?? 0) > ms.upload.length / 2;
  const says_well = (health["200"] ?? 0) > 0 && Object.keys(health).every((status) => status === "200");
  return !((stuck || failing) && says_well);
}
