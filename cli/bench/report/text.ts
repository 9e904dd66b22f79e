/** A result for the terminal. */
import { mergeCounts, quantileOf } from "../histogram.ts";
import { machineLine } from "../machine.ts";
import type { Slice } from "../pace.ts";
import { FEW, figuresOf, type Measured, nameOf, QUANTILES, type Result, sliceOf, spreadOf } from "../result.ts";
import { sloText } from "../slo.ts";

/** Three digits, and words for what is no number. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return "few";
  if (!Number.isFinite(value)) return "failed";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
export const perSecond = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));

export function resultText(result: Result): string {
  const { url, version, is_test_key, machine, generator, at, measured, notes } = result;
  return [
    `${url}, version ${version}, ${is_test_key ? "test" : "live"} key, ${at}`,
    `Generator: ${machineLine(machine)}${machine.commit === null ? "" : `, commit ${machine.commit}`}`,
    `  its own limit ${perSecond(generator.most)}/s; against a server beside it that only answers, a tenth of that takes ` +
      `p50 ${ms(generator.p50_ms)}, p99 ${ms(generator.p99_ms)} ms`,
    ...notes.map((note) => `  ${note}`),
    "",
    table(rowsOf(measured)),
    ...measured.flatMap((one) => linesOf(one, result)),
  ].join("\n");
}

/** Heads and a row for each scenario and part. */
export function rowsOf(measured: readonly Measured[]): readonly (readonly string[])[] {
  const heads = ["scenario", "asked/s", "done/s", ...QUANTILES.map((q) => `${nameOf(q)} ms`), "max", "done", "failed"];
  const row = (name: string, asked: string, reached: string, slice: Slice): readonly string[] => {
    const { answered, failed, latencies, most_ms } = figuresOf(slice);
    return [name, asked, reached, ...latencies.map(ms), ms(most_ms), String(answered), String(failed)];
  };
  return [
    heads,
    ...measured.flatMap(({ scenario, runs }) => {
      if (runs.length === 0) return [];
      const reached = runs.reduce((sum, { achieved }) => sum + achieved, 0) / runs.length;
      const parts = new Map<string, Slice[]>();
      for (const run of runs)
        for (const [part, slice] of Object.entries(run.parts)) parts.set(part, [...(parts.get(part) ?? []), slice]);
      return [
        row(scenario, perSecond(runs[0]!.rate), perSecond(reached), sliceOf(runs)),
        ...[...parts].map(([part, slices]) => row(`  ${part}`, "", "", joined(slices))),
      ];
    }),
  ];
}

const joined = (slices: readonly Slice[]): Slice => {
  const failed: Record<string, number> = {};
  for (const slice of slices)
    for (const [why, times] of Object.entries(slice.failed)) failed[why] = (failed[why] ?? 0) + times;
  return { counts: mergeCounts(slices.map(({ counts }) => counts)), failed };
};

/** What the table has no room for. */
export function linesOf(one: Measured, { generator }: Result): readonly string[] {
  const { scenario, runs, knee, slo, missed, shares, notes } = one;
  const whole = figuresOf(sliceOf(runs));
  const late = quantileOf(mergeCounts(runs.map((run) => run.late)), 0, 0.99);
  const lines: string[] = [];
  if (knee !== null) {
    const between = `between ${perSecond(Math.min(knee.lowest_missed, knee.highest_kept))} and ${perSecond(knee.highest_kept)}`;
    lines.push(
      knee.rate === 0
        ? `below ${perSecond(Math.min(...knee.steps.map(({ run }) => run.rate)))}/s, the least that was tried (${sloText(slo)})`
        : `knee ${perSecond(knee.rate)}/s (${sloText(slo)})${knee.lowest_missed < knee.highest_kept ? `, uncertain ${between}` : ""}` +
            `${knee.is_generators ? "; this is where the generator ends, not the server: use another machine, or several" : ""}`,
    );
  }
  if (runs.length > 1) {
    // The rarest quantile that has enough beyond it in each run.
    const count = Math.min(...runs.map((run) => figuresOf(sliceOf([run])).answered));
    const q = [0.999, 0.99, 0.9].find((one) => count * (1 - one) >= FEW) ?? 0.5;
    const [least, most] = spreadOf(runs, q);
    lines.push(`${nameOf(q)} of ${runs.length} runs: ${ms(least)} to ${ms(most)} ms`);
  }
  for (const why of missed) lines.push(`missed: ${why}`);
  if (whole.failed > 0)
    lines.push(
      `failed: ${Object.entries(whole.by_reason)
        .map(([why, times]) => `${why} ${times}`)
        .join(", ")}`,
    );
  if (runs.some(({ rate }) => rate > generator.most / 2))
    lines.push("more than half of what the generator can do: it shares out its own delays");
  if (late > 5) lines.push(`the generator itself was ${ms(late)} ms late at p99: this machine is busy`);
  if (shares !== null && shares.stolen > 0.02)
    lines.push(`a hypervisor took ${(100 * shares.stolen).toFixed(0)} % of the processors meanwhile`);
  if (shares !== null && shares.idle < 0.1 && knee === null)
    lines.push("this machine's processors had no tenth left: what was measured may be its own queue");
  lines.push(...notes);
  return lines.map((line) => `${scenario}: ${line}`);
}

/** The first column to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "),
    )
    .join("\n");
}
