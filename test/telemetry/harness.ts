/** What tests of telemetry share: quick actions, receivers that read what was really sent, and a reader of Prometheus' text. */
import { createServer } from "node:http";
import { addAction, pluginFolder } from "../plugin_folder.ts";

export interface Received {
  readonly path: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An HTTP server that keeps what it is sent and answers `status`. */
export async function receiver(status = () => 200) {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Uint8Array[] = [];
    request.on("data", (piece: Uint8Array) => pieces.push(piece));
    request.on("end", () => {
      got.push({
        path: request.url ?? "",
        type: request.headers["content-type"] ?? "",
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        body: Buffer.concat(pieces).toString("utf8"),
      });
      response.writeHead(status(), { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    got,
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface SpanSeen {
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly kind: number;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly trace: string; readonly id: string }[];
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Decodes ExportTraceServiceRequest in OTLP's JSON form. */
export function spansOf(got: readonly Received[]): SpanSeen[] {
  return got.flatMap(({ path, type, body }) => {
    if (path !== "/v1/traces" || type !== "application/json") throw new Error(`Not OTLP/HTTP in JSON: ${path} ${type}`);
    return (JSON.parse(body) as OtlpBody).resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          name: span.name,
          trace: span.traceId,
          id: span.spanId,
          parent: span.parentSpanId ?? "",
          kind: span.kind,
          start: BigInt(span.startTimeUnixNano),
          end: BigInt(span.endTimeUnixNano),
          failed: span.status.code === 2,
          attributes: plain(span.attributes),
          links: (span.links ?? []).map(({ traceId, spanId }) => ({ trace: traceId, id: spanId })),
          resource: plain(resource.attributes),
        })),
      ),
    );
  });
}

/** Runs `start` with these variables in the environment of the process, which is where OpenTelemetry's exporter reads them. */
export async function withEnvironment<Result>(
  variables: Readonly<Record<string, string>>,
  start: () => Promise<Result>,
): Promise<Result> {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
  try {
    return await start();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Reads the text format 0.0.4 strictly: HELP and TYPE before the samples of their metric, each metric once, no series twice, histograms
 * with rising buckets that end in +Inf at their count. Throws at the first thing that a scraper would refuse.
 */
export function readMetrics(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("The text must end with a line feed");
  const types = new Map<string, string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      if (comment[1] === "TYPE") {
        if (types.has(comment[2]!)) throw new Error(`Metric twice: ${line}`);
        types.set(comment[2]!, comment[3]!);
      }
      continue;
    }
    const found = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) throw new Error(`Not a sample: ${line}`);
    const [, name = "", inside = "", number = ""] = found;
    const labels: Record<string, string> = {};
    let rest = inside;
    while (rest !== "") {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest);
      if (label === null) throw new Error(`Not labels: ${line}`);
      labels[label[1]!] = label[2]!;
      rest = rest.slice(label[0].length);
    }
    const value = number === "+Inf" ? Infinity : Number(number);
    if (Number.isNaN(value)) throw new Error(`Not a number: ${line}`);
    const key = `${name}{${Object.entries(labels).sort().join(";")}}`;
    if (series.has(key)) throw new Error(`Series twice: ${line}`);
    series.add(key);
    if (!types.has(name) && types.get(name.replace(/_(bucket|sum|count)$/, "")) !== "histogram") {
      throw new Error(`No TYPE before: ${line}`);
    }
    samples.push({ name, labels, value });
  }
  checkHistograms(samples, types);
  return samples;
}

function checkHistograms(samples: readonly Sample[], types: ReadonlyMap<string, string>): void {
  const last = new Map<string, { edge: number; value: number }>();
  for (const { name, labels, value } of samples) {
    const { le, ...others } = labels;
    const base = name.replace(/_(bucket|count)$/, "");
    if (types.get(base) !== "histogram") continue;
    const key = base + JSON.stringify(others);
    if (name.endsWith("_bucket") && le !== undefined) {
      const edge = le === "+Inf" ? Infinity : Number(le);
      const before = last.get(key) ?? { edge: -Infinity, value: 0 };
      if (!(edge > before.edge && value >= before.value)) throw new Error(`Buckets do not rise: ${key}`);
      last.set(key, { edge, value });
    }
    if (name.endsWith("_count")) {
      const top = last.get(key);
      if (top?.edge !== Infinity || top.value !== value) throw new Error(`+Inf is not the count: ${key}`);
    }
  }
}

/** Sum of the samples of `name` whose labels include `labels`. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name && Object.entries(labels).every(([key, of]) => sample.labels[key] === of))
    .reduce((sum, { value }) => sum + value, 0);
}

/** `test.tone` makes a tone, `test.copy` hands back its source, `test.refuse` fails with a code of its own, each in milliseconds. */
export async function quickActions(): Promise<string> {
  const folder = await pluginFolder(["docs", "files"]);
  await addAction(folder, "test.copy", {
    process:
      '({ sources, progress }) => { progress(0.5, "copying"); return { audio: sources.source, engine: "copy" }; }',
  });
  await addAction(folder, "test.tone", {
    request: "Type.Object({ lyrics: Type.Optional(Type.String({ maxLength: 500 })) })",
    sources: "{}",
    echo: '["lyrics"]',
    examples: "[{}]",
    work: '"generation"',
    cost: "() => 3",
    process: `({ progress }) => {
      progress(0.1, "composing");
      const samples = Float32Array.from({ length: 8820 }, (_, at) => 0.1 * Math.sin(at / 20));
      return { audio: { sample_rate: 44100, channels: [samples] }, engine: "sine" };
    }`,
  });
  await addAction(folder, "test.refuse", {
    request: "Type.Object({})",
    sources: "{}",
    echo: "[]",
    examples: "[{}]",
    cost: "() => 2",
    failures: '["too_plain"]',
    process: '({ fail }) => fail("too_plain", "It is too plain")',
  });
  return folder;
}
