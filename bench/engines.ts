/**
 * Our engines beside the programs that people would use instead, in one run: how many times as fast ours are, by processor time.
 *
 *   bun bench/engines.ts [--music FOLDER] [--python PYTHON,PYTHON] [--font FILE.sf2] [--seconds 120] [--rounds 3] [--only beats,four] [--record]
 *
 * Both sides of each row take turns within a round, and each ratio is taken within its round: median, least and most
 * are told. Ours are warm, as in a thread of the pool, in a fresh process for each round. Python peers are warm too, in
 * one process and one thread; programs start, read and write files, which counts. A peer that is not installed is left
 * out, and the table says so: ffmpeg, sox, flac and fluidsynth (with fluid-soundfont-gm) from Debian; ffmpeg-normalize,
 * librosa, soundfile, madmom and demucs from PyPI. madmom 0.16.1 needs numpy < 1.24 and Cython < 3, with the .c files
 * of its archive deleted. FOLDER holds pieces with truth.json; without it beats and keys are left out. `--record`
 * appends each ratio to records.jsonl and writes docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import { args } from "../core/adapters/runtime/runtime.ts";
import { inFolder } from "../test/audio.ts";
import { type Row, type Run, rowsFor, type Side } from "./engines/rows.ts";
import { columns, loadNow, median } from "./measure.ts";
import { keepRecords, writePage } from "./records/keep.ts";

const { values: options } = parseArgs({
  args: [...args],
  options: {
    music: { type: "string" },
    python: { type: "string", default: "python3" },
    font: { type: "string", default: "/usr/share/sounds/sf2/FluidR3_GM.sf2" },
    seconds: { type: "string", default: "120" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const only = options.only?.split(",");
const HEAD = ["task", "peer", "ours / peer", "least", "most", "ours xRT", "peer xRT", "quality", ""];

interface Compared {
  readonly row: Row;
  readonly peer: Side;
  /** Both sides of each round; empty where the peer is not installed. */
  readonly rounds: readonly { readonly ours: Run; readonly theirs: Run }[];
}

await inFolder(async (path) => {
  console.log(`processor time; load before: ${loadNow()}\n`);
  const rows = await rowsFor({
    path,
    seconds: Number(options.seconds),
    pythons: options.python.split(","),
    music: options.music ?? null,
    font: options.font,
  });
  const compared: Compared[] = [];
  for (const row of rows) {
    if (only !== undefined && !only.some((part) => row.name.includes(part))) continue;
    const found = await compare(row, Number(options.rounds));
    compared.push(...found);
    for (const one of found) console.error(cells(one).join("  ").trimEnd());
  }
  console.log(columns([HEAD, ...compared.map(cells)]));
  console.log(`\nload after: ${loadNow()}`);
  if (!options.record) return;
  await keepRecords(compared.flatMap(recordOf));
  await writePage();
});

async function compare(row: Row, count: number): Promise<readonly Compared[]> {
  const rounds = new Map(row.peers.map((peer) => [peer, [] as { ours: Run; theirs: Run }[]]));
  try {
    for (let round = 0; round < count; round++) {
      const ours = (await row.ours.run())!;
      for (const [peer, found] of rounds) {
        const theirs = await peer.run();
        if (theirs !== undefined) found.push({ ours, theirs });
      }
    }
  } finally {
    for (const peer of row.peers) peer.end?.();
  }
  return [...rounds].map(([peer, found]) => ({ row, peer, rounds: found }));
}

function ratiosOf({ rounds }: Compared): readonly number[] {
  return rounds.map(({ ours, theirs }) => theirs.cpu_s / ours.cpu_s);
}

function cells(compared: Compared): readonly string[] {
  const { row, peer, rounds } = compared;
  if (rounds.length === 0) return [row.name, peer.name, "", "", "", "", "", "", "not installed"];
  const ratios = ratiosOf(compared);
  const speed = (side: "ours" | "theirs"): string =>
    (row.seconds / median(rounds.map((round) => round[side].cpu_s))).toFixed(1);
  const { ours, theirs } = rounds[0]!;
  return [
    row.name,
    peer.name,
    ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)),
    speed("ours"),
    speed("theirs"),
    row.quality === undefined ? "" : `${ours.quality!.toFixed(3)} / ${theirs.quality!.toFixed(3)}`,
    row.quality ?? "",
  ];
}

function recordOf(compared: Compared) {
  const { row, peer, rounds } = compared;
  if (rounds.length === 0) return [];
  const ratios = ratiosOf(compared);
  const spread = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const { ours, theirs } = rounds[0]!;
  const judged =
    row.quality === undefined ? "" : `; ${row.quality} ${ours.quality!.toFixed(3)} and ${theirs.quality!.toFixed(3)}`;
  return [
    {
      area: "peers",
      metric: `${row.name}, times as fast as ${peer.name}`,
      value: Number(median(ratios).toPrecision(3)),
      unit: "times",
      better: "more" as const,
      peer: `${spread}${judged}`,
      ...(row.aim !== undefined && peer === row.peers[0] ? { bound: row.aim } : {}),
      command: "bun bench/engines.ts --music FOLDER",
      page: "audio.md",
    },
  ];
}
