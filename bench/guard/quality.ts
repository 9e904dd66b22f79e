/** Figures of quality that are the same on every machine: what is composed, what is read, what is separated. */
import { fileURLToPath } from "node:url";
import { createPool } from "../../runners/pool/pool.ts";
import { pieceOf, stems } from "../../test/runners/signal/separate/shipped_fixtures.ts";
import type { Channels } from "../../training/material/stems.ts";
import { siSdr } from "../../training/material/stems.ts";
import { runFresh } from "../measure.ts";
import type { RatioName } from "./bounds.ts";
import type { Round } from "./kernels.ts";

const script = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
/** So that two blocks of the separator join. */
const SECONDS = 9;
const PARTS = ["vocals", "drums", "bass", "other"] as const;

/** One round: a second one would say the same. */
export async function qualityRounds(_most: number, asked: ReadonlySet<RatioName>): Promise<readonly Round[]> {
  const round: Round = {};
  const tunes: Readonly<Record<string, RatioName>> = {
    "hook's intervals that the band plays": "quality: the song's hook in the band, share",
    "stressed syllables on a beat": "quality: stressed syllables on a beat, share",
  };
  if (Object.values(tunes).some((name) => asked.has(name))) {
    const shares = await runFresh<Readonly<Record<string, number>>>("bun", script("tunes.ts"), [
      "--seeds",
      "1",
      "--json",
    ]);
    for (const [measure, name] of Object.entries(tunes)) round[name] = shares[measure] ?? Number.NaN;
  }
  const read: RatioName = "quality: sample prompts read as meant, share";
  if (asked.has(read)) round[read] = (await runFresh<{ share: number }>("bun", script("clips.ts"), ["--json"])).share;
  const gained: RatioName = "quality: stems nearer to the truth than the mix, dB";
  if (asked.has(gained)) round[gained] = await separated();
  return [round];
}

/** Mean of four stems: SI-SDR of what is separated less that of the mix, dB. */
async function separated(): Promise<number> {
  const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  try {
    const { mix, parts } = pieceOf(SECONDS);
    const settings = {
      models: null,
      providers: ["cpu"],
      devices: [],
      model_mb: 4_000,
      model_seconds: 120,
      shipped: true,
      families: [],
      sidecars: [],
    } as const;
    const made = await pool.run(
      stems,
      { settings, audio: mix },
      { signal: new AbortController().signal, ms_max: 120_000 },
    );
    const gains = PARTS.map((part) => {
      const truth = parts[part].channels as Channels;
      return (siSdr(truth, made.stems[part].channels) ?? Number.NaN) - (siSdr(truth, mix.channels) ?? Number.NaN);
    });
    return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  } finally {
    await pool.close();
  }
}
