/** `tonwerk bench`: measures any installation, as its clients meet it. */
import { writeFileSync } from "node:fs";
import { EXIT, UsageError } from "../client/exit_codes.ts";
import { requireKey, type Server, trim } from "../client/settings.ts";

type Options = Readonly<Record<string, string | boolean | undefined>>;

export const BENCH_OPTIONS = [
  "url",
  "key",
  "scenario",
  "action",
  "rate",
  "slo",
  "seconds",
  "rounds",
  "source-seconds",
  "listen",
  "callback",
  "operations",
  "queued",
  "data",
  "json",
  "html",
] as const;

const USAGE = `bench [--url <url> --key <key>] [--scenario <name>,…] [--rate <n> | --knee] [--slo p99=25ms]
                [--seconds 10] [--rounds 3] [--json <file>] [--html <file>]
  tonwerk bench compare <a.json> <b.json>
  tonwerk bench preload --data <new folder> --operations <n> [--queued <n>]`;

/** `choose`: the server of a profile or the environment. */
export async function runBenchCommand(
  words: readonly string[],
  options: Options,
  choose: () => Server,
): Promise<number> {
  const [verb, ...files] = words;
  if (verb === "compare") {
    const { comparisonText, readResult } = await import("./compare.ts");
    if (files.length !== 2) throw new UsageError("Usage: tonwerk bench compare <a.json> <b.json>");
    console.log(comparisonText(readResult(files[0]!), readResult(files[1]!)));
    return EXIT.ok;
  }
  if (verb === "preload") return runPreload(options);
  if (verb !== undefined) throw new UsageError(`Usage: tonwerk ${USAGE}`);
  const { runBench } = await import("./run.ts");
  const { NotReady } = await import("./check.ts");
  const { readSlo } = await import("./slo.ts");
  const server = requireKey({
    url: trim(text(options.url) ?? choose().url),
    key: text(options.key) ?? choose().key,
  });
  if (options.knee === true && options.rate !== undefined) throw new UsageError("Say --rate or --knee, not both");
  const [hostname = "127.0.0.1", port = "0"] = (text(options.listen) ?? "127.0.0.1:0").split(/:(?=\d+$)/u);
  try {
    const result = await runBench({
      ...server,
      scenarios: text(options.scenario)?.split(",") ?? [],
      action: text(options.action) ?? "adapt.normalise_loudness",
      rate: options.rate === undefined ? undefined : positive(options, "rate", 0),
      knee: options.knee === true,
      slo: text(options.slo) === undefined ? undefined : readSlo(text(options.slo)!),
      seconds: positive(options, "seconds", 10),
      rounds: positive(options, "rounds", 3),
      source_s: positive(options, "source-seconds", 10),
      listen: { hostname, port: Number(port) },
      callback_url: text(options.callback),
      // What goes on is for people; the result alone is the output.
      say: (line) => console.error(line),
    });
    const { resultText } = await import("./report/text.ts");
    console.log(`\n${resultText(result)}`);
    const json = text(options.json);
    const html = text(options.html);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(result)}\n`);
    if (html !== undefined) writeFileSync(html, (await import("./report/html.ts")).resultHtml(result));
    const isMissed = result.measured.some(
      ({ missed, knee }) => (options.slo !== undefined && knee === null && missed.length > 0) || knee?.rate === 0,
    );
    const hasFailed = result.measured.some(({ runs }) =>
      runs.some(({ slices }) => slices.some(({ failed }) => Object.keys(failed).length > 0)),
    );
    return isMissed || (hasFailed && options.slo === undefined) ? EXIT.missed : EXIT.ok;
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    console.error(`Nothing was measured.\n${error.message}`);
    return EXIT.usage;
  }
}

/** For whoever runs the server: prints what starts it and what measures it. */
async function runPreload(options: Options): Promise<number> {
  const data = text(options.data);
  if (data === undefined)
    throw new UsageError("Where to? tonwerk bench preload --data <new folder> --operations <n> [--queued <n>]");
  const { preload } = await import("./preload.ts");
  const { newApiKey } = await import("../../core/base/keys.ts");
  const keys = Array.from({ length: PRELOADED_ACCOUNTS }, () => newApiKey());
  const queued = options.queued === undefined ? 0 : positive(options, "queued", 1);
  const file = await preload({ data, ended: positive(options, "operations", 100_000), queued, keys });
  console.log(
    [
      `${file}: ${PRELOADED_ACCOUNTS} accounts; results have no files`,
      `TONWERK_DATA=${data} TONWERK_PUT_PER_MINUTE=0 TONWERK_GET_PER_MINUTE=0 TONWERK_LONG_POLLS=0 npm start`,
      `tonwerk bench --url http://127.0.0.1:8787 --key ${keys[0]}`,
    ].join("\n"),
  );
  return EXIT.ok;
}

const PRELOADED_ACCOUNTS = 20;

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

function positive(options: Options, name: string, otherwise: number): number {
  const value = options[name] === undefined ? otherwise : Number(options[name]);
  if (!(value > 0)) throw new UsageError(`--${name} is a number above 0`);
  return value;
}

export const BENCH_USAGE = USAGE;
