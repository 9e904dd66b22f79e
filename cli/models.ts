/** `tonwerk models list | check | add | bench | remove`: the folder of models, as an operator keeps it. */
import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { Config } from "../core/base/config.ts";
import type { ModelSettings, Pool } from "../core/ports/mod.ts";
import { modelSettingsOf } from "../core/runners.ts";
import type { ModelCheck, ModelFigures, NewModel } from "../runners/model_figures.ts";

type Keeping = typeof import("../runners/model_keeping.ts");

const USAGE = [
  "Usage:",
  "  tonwerk models list                     each manifest in TONWERK_MODELS, without loading it",
  "  tonwerk models check [id]               loads each and runs it once; a sidecar that is named, by its id, its",
  "                                          manifest or its address, is tried by its protocol's test kit",
  "  tonwerk models add <file.onnx>…         recognises the family, measures, writes the manifest, copies the files",
  "      [--id name] [--family name] [--licence text] [--set field=value]… [--reference source.flac stem.flac]",
  "  tonwerk models bench <id> [--seconds 20] [--short]  processor time, memory and the longest run on made-up audio;",
  "                                          of a sidecar by the clock, task by task; short: of Stable Audio two steps",
  "  tonwerk models remove <id> [--yes]      its manifest and the files that no other model has",
  "--json prints for programs.",
];

interface Asked {
  readonly reference: NewModel["reference"] | undefined;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly settings: ModelSettings;
  readonly write: (line: string) => void;
}

/**
 * Writes line by line. Returns the exit code: 1 where something cannot serve, or was not done; 2 for a command that is
 * none.
 */
export async function modelsCommand(
  [verb = "", ...rest]: readonly string[],
  config: Config,
  write: (line: string) => void,
  confirm: (question: string) => Promise<boolean> = askTerminal,
): Promise<number> {
  const usage = (why?: string): number => {
    for (const line of why === undefined ? USAGE : [why, ...USAGE]) write(line);
    return why === undefined ? 0 : 2;
  };
  if (["help", "--help", "-h"].includes(verb)) return usage();
  const counts = { list: [0, 0], check: [0, 1], add: [1, 64], bench: [1, 1], remove: [1, 1] }[verb];
  if (counts === undefined) return usage(verb === "" ? "A command is missing." : `"${verb}" is none of the commands.`);
  let parsed: Pick<Asked, "words" | "options" | "reference">;
  try {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    const set = { type: "string", multiple: true } as const;
    const { args, reference } = takeReference(rest);
    const options = {
      id: text,
      family: text,
      licence: text,
      seconds: text,
      set,
      json: flag,
      short: flag,
      yes: flag,
    };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    parsed = { words: positionals, options: values, reference };
  } catch (error) {
    return usage((error as Error).message);
  }
  if (parsed.words.length < counts[0]! || parsed.words.length > counts[1]!)
    return usage(
      `"models ${verb}" takes ${counts[0] === counts[1] ? counts[0] : `${counts[0]} to ${counts[1]}`} words.`,
    );
  const asked: Asked = { ...parsed, settings: await modelSettingsOf(config), write };
  if (config.models === null && config.sidecars.length === 0 && parsed.options.json !== true)
    write("TONWERK_MODELS is not set: only what Tonwerk brings along can serve");
  if (verb === "list") return check(asked, undefined);
  const { createPool } = await import("../runners/mod.ts");
  const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  try {
    if (verb === "check") return await check(asked, pool);
    const keeping = await import("../runners/model_keeping.ts");
    if (verb === "add") return await add(asked, keeping, pool);
    if (verb === "bench") return await bench(asked, keeping, pool);
    return await remove(asked, keeping, confirm);
  } catch (error) {
    if (parsed.options.json === true) write(JSON.stringify({ error: (error as Error).message }));
    else for (const line of (error as Error).message.split("\n")) write(line);
    return 1;
  } finally {
    await pool.close();
  }
}

async function check({ words: [id], options, settings, write }: Asked, pool?: Pool) {
  const { checkModels } = await import("../runners/models.ts");
  const all = await checkModels(settings, pool, id);
  if (options.json === true) write(JSON.stringify(all));
  else if (id !== undefined && all.length === 0)
    write(`There is no model "${id}"${settings.models === null ? "" : ` in "${settings.models}"`}`);
  else for (const one of all) for (const line of linesOf(one, pool !== undefined)) write(line);
  return all.some(({ reason }) => reason !== null) || (id !== undefined && all.length === 0) ? 1 : 0;
}

function linesOf(
  { name, family, task, licence, device, seconds, reason, skipped, draws, half, checks = [] }: ModelCheck,
  is_loaded: boolean,
): string[] {
  const tried = checks.map((one) =>
    one.fault === null ? `  ok     ${one.name} (${one.seconds.toFixed(1)} s)` : `  wrong  ${one.name}: ${one.fault}`,
  );
  if (reason !== null) return [`${name}: refused: ${reason}`, ...tried];
  const kind = `${name}: ${family}, serves ${task}, licence ${licence ?? "not stated"}`;
  if (!is_loaded) return [kind];
  const passed = skipped.map(({ provider, reason: why }) => `  passed over ${provider}: ${why}`);
  if (half !== null) passed.push(`  ${precisionOf(half, device)}`);
  if (draws.length > 0)
    passed.push(`  draws numbers at random (${draws.join(", ")}): equal requests do not give equal samples`);
  const done = family?.startsWith("sidecar") === true ? "ready" : "loaded and run once";
  return [`${kind}: ok on ${device}, ${done} in ${(seconds ?? 0).toFixed(1)} s`, ...passed, ...tried];
}

/** Where graphs of half precision compute in what. */
function precisionOf(half: string, device: string | null): string {
  return device === "cpu" ? `${half} in its files, computed in single precision on the CPU` : `computed in ${half}`;
}

/** The one option of two words. */
function takeReference(rest: readonly string[]): {
  readonly args: string[];
  readonly reference: NewModel["reference"] | undefined;
} {
  const at = rest.indexOf("--reference");
  if (at < 0) return { args: [...rest], reference: undefined };
  const [source, wanted] = [rest[at + 1], rest[at + 2]];
  if (source === undefined || wanted === undefined)
    throw new Error("--reference takes two files: a piece, and a stem of it as the original made it");
  return { args: rest.toSpliced(at, 3), reference: { source, wanted } };
}

async function add(
  { words, options, reference, settings, write }: Asked,
  keeping: Keeping,
  pool: Pool,
): Promise<number> {
  const text = (name: string) => (typeof options[name] === "string" ? { [name]: options[name] } : {});
  const fields = Object.fromEntries(((options.set as readonly string[] | undefined) ?? []).map(fieldOf));
  const model: NewModel = {
    files: words,
    fields,
    ...text("id"),
    ...text("family"),
    ...text("licence"),
    ...(reference === undefined ? {} : { reference }),
  };
  const added = await keeping.addModel(model, settings, pool, tellIn(options, write));
  if (options.json === true) {
    write(JSON.stringify(added));
    return 0;
  }
  const { id, family, licence, memory_mb, ms_max } = added.manifest;
  write(`Added "${id}": ${family}, serves ${added.task}; its manifest is ${basename(added.file)}`);
  for (const note of added.notes) write(`  ${note}`);
  for (const line of figureLines(added.figures)) write(line);
  if (memory_mb !== undefined) write(`  may hold ${memory_mb} MB (memory_mb), more than TONWERK_MODEL_MB`);
  if (ms_max !== undefined) write(`  a run may take ${ms_max} ms (ms_max), longer than TONWERK_MODEL_SECONDS`);
  write(`  licence ${licence}: weights have licences of their own, which bind you`);
  write("  A server that runs reads it at its next start");
  return 0;
}

/** What is being done, where people read it. */
function tellIn(options: Asked["options"], write: Asked["write"]): (line: string) => void {
  return options.json === true ? () => {} : (line) => write(`… ${line}`);
}

/** `stft.n_fft=6144`, `stems=drums,bass`, `stems=["drums"]`: JSON where it is some. */
function fieldOf(text: string): [string, unknown] {
  const [name = "", ...value] = text.split("=");
  if (name === "" || value.length === 0) throw new Error(`--set takes field=value, not "${text}"`);
  const given = value.join("=");
  if (name === "stems" && /^[a-z]+(?:,[a-z]+)*$/.test(given)) return [name, given.split(",")];
  try {
    return [name, JSON.parse(given)];
  } catch {
    return [name, given];
  }
}

async function bench({ words: [id], options, settings, write }: Asked, keeping: Keeping, pool: Pool) {
  const seconds = Number(options.seconds ?? 20);
  if (!(seconds >= 1 && seconds <= 3600)) throw new Error(`--seconds is ${options.seconds}, expected 1 to 3600`);
  const asked = { seconds, is_short: options.short === true };
  const all = await keeping.benchModel(id!, asked, settings, pool, tellIn(options, write));
  if (options.json === true) write(JSON.stringify(all));
  else {
    for (const figures of all) {
      write(figures.cpu_seconds === null ? `${figures.name}, ${figures.task}:` : `${figures.name}:`);
      for (const line of figureLines(figures)) write(line);
    }
  }
  return 0;
}

function figureLines({
  device,
  draws,
  half,
  load_seconds,
  seconds,
  cpu_seconds,
  wall_seconds,
  slowest_run_ms,
  peak_mb,
  agreement,
  instead = {},
}: ModelFigures) {
  if (cpu_seconds === null)
    return [
      `  ok on ${device}, ready in ${load_seconds.toFixed(1)} s; ${seconds.toFixed(0)} s of audio in ` +
        `${wall_seconds.toFixed(2)} s, ${(seconds / wall_seconds).toFixed(1)} times as fast as it sounds`,
      peak_mb === null ? "  does not say what it holds" : `  says that it holds ${Math.round(peak_mb)} MB`,
    ];
  return [
    `  ok on ${device}, loaded in ${load_seconds.toFixed(1)} s; ${seconds.toFixed(0)} s of audio in ` +
      `${cpu_seconds.toFixed(2)} s of processor time`,
    `  held ${Math.round(peak_mb ?? 0)} MB at most; the longest run took ${Math.round(slowest_run_ms)} ms`,
    ...Object.entries(instead).map(([field, value]) => `  figures are of ${field} ${value}, to be short`),
    ...(half === null ? [] : [`  ${precisionOf(half, device)}`]),
    ...(draws.length === 0 ? [] : [`  draws numbers at random (${draws.join(", ")})`]),
    ...(agreement ?? [])
      .slice(0, 1)
      .map(({ stem, db }) => `  agrees with the reference by its ${stem}, within ${db.toFixed(1)} dB`),
  ];
}

async function remove(
  { words: [id], options, settings, write }: Asked,
  keeping: Keeping,
  confirm: (question: string) => Promise<boolean>,
): Promise<number> {
  const paths = await keeping.planRemoval(id!, settings);
  if (options.yes !== true && !(await confirm(`Remove ${paths.join(", ")}?`))) {
    write(options.json === true ? JSON.stringify({ removed: [], would_remove: paths }) : "Nothing was removed");
    return 1;
  }
  const removed = await keeping.removeModel(id!, settings);
  if (options.json === true) write(JSON.stringify({ removed }));
  else for (const path of removed) write(`Removed ${path}`);
  return 0;
}

/** No where nobody can be asked. */
async function askTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error(`${question} Say so by --yes`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
