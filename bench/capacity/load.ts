/** What a load costs: processor time by action out of what was measured, and the constants of one operation. */
import { type MeasuredValue, readRecords, seriesOf } from "../records/records.ts";
import load from "./load.json" with { type: "json" };

export type Kind = "generation" | "dsp";

interface ActionLoad {
  readonly name: string;
  /** Of all operations. */
  readonly share: number;
  readonly kind: Kind;
  /** Of sound that is made or read. */
  readonly seconds: number;
  /** Processor time of one operation, seconds: of one core, for a job has one thread. */
  readonly work_s: number;
  /** What it leaves in the bucket. */
  readonly files: number;
}

export interface Load {
  readonly actions: readonly ActionLoad[];
  readonly constants: Readonly<Record<keyof typeof load.constants, number>>;
  readonly reads_each: number;
  readonly retention_days: number;
  /** The busiest hour's rate beside the day's. */
  readonly peak_to_mean: number;
  readonly accounts: number;
  /** Exponent of Zipf's law: how unequal accounts are. */
  readonly zipf: number;
}

/** Throws where a speed has not been recorded, or shares do not add up. */
export async function readLoad(): Promise<Load> {
  const newest = new Map<string, MeasuredValue>(
    seriesOf(await readRecords()).map((series) => [series.at(-1)!.metric, series.at(-1)!]),
  );
  const constants = Object.fromEntries(
    Object.entries(load.constants).map(([name, { value }]) => [name, value]),
  ) as Load["constants"];
  const actions = load.actions.map(({ speed, kind, ...action }): ActionLoad => {
    const times = newest.get(speed);
    if (times === undefined) throw new Error(`Cannot tell what ${action.name} costs: "${speed}" is not in the records`);
    const work_s = action.seconds / times.value + constants.system_ms / 1_000;
    return { ...action, kind: kind as Kind, work_s };
  });
  const sum = actions.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) > 1e-9) throw new Error(`Cannot use the load: shares add up to ${sum}`);
  const { reads_each, retention_days, peak_to_mean, accounts, zipf } = load;
  return { actions, constants, reads_each, retention_days, peak_to_mean, accounts, zipf };
}

const MONTH_S = 30 * 86_400;

export interface Bill {
  readonly per_second: number;
  /** Cores that are busy on the mean, and in the busiest hour at seven tenths of them. */
  readonly node_cores: number;
  readonly worker_cores: number;
  readonly worker_cores_peak: number;
  readonly worker_gb_peak: number;
  readonly postgres_tb: number;
  readonly index_gb: number;
  readonly wal_mb_s_peak: number;
  readonly bucket_tb: number;
  readonly out_tb: number;
  /** Installations beside one another, each with a Postgres of its own. */
  readonly shards: number;
}

/** Assumed of one shard: memory for its indexes, GB, and WAL that its disk takes beside all else, MB/s. */
const SHARD = { index_gb: 128, wal_mb_s: 100 };
/** Of a worker's core, at the peak. */
const BUSY = 0.7;

/** @param operations a month, spread over days with the load's peak */
export function billOf(load: Load, operations: number): Bill {
  const { constants, actions } = load;
  const per_second = operations / MONTH_S;
  const mean = (of: (action: ActionLoad) => number): number =>
    actions.reduce((sum, action) => sum + action.share * of(action), 0);
  const worker_cores = per_second * mean(({ work_s }) => work_s);
  const worker_cores_peak = (worker_cores * load.peak_to_mean) / BUSY;
  const kept = (operations * load.retention_days) / 30;
  const file_tb = (operations * mean(({ seconds, files }) => seconds * files) * constants.file_kb_a_second) / 1e9;
  const index_gb = (kept * constants.index_kb) / 1e6;
  const wal_mb_s_peak = (per_second * load.peak_to_mean * constants.wal_kb) / 1e3;
  return {
    per_second,
    node_cores: (per_second * (constants.submission_us + load.reads_each * constants.read_us)) / 1e6,
    worker_cores,
    worker_cores_peak,
    worker_gb_peak: (worker_cores_peak * constants.worker_mb) / 1e3,
    postgres_tb: (kept * constants.row_kb) / 1e9,
    index_gb,
    wal_mb_s_peak,
    bucket_tb: (file_tb * load.retention_days) / 30,
    out_tb: file_tb,
    shards: Math.max(1, Math.ceil(index_gb / SHARD.index_gb), Math.ceil(wal_mb_s_peak / SHARD.wal_mb_s)),
  };
}
