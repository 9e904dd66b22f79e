/** What a command says of its operations: bars and sentences on a terminal, else one JSON object a line. */
import type { Progress } from "../../sdk/typescript/src/mod.ts";
import type { Problem } from "./exit_codes.ts";

interface Line {
  readonly type: "progress" | "price" | "ready" | "failed" | "refused" | "event" | "forwarded" | "result";
  /** What people call the request. */
  readonly input?: string;
  readonly [field: string]: unknown;
}

export interface Report {
  progress(index: number, input: string, id: string, progress: Progress): void;
  /** A result; `sentence` is for people. */
  say(line: Line, sentence: string): void;
  problem(input: string | undefined, problem: Problem): void;
  /** The bar of a request goes. */
  end(index: number): void;
}

export interface ReportOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** True: standard output carries audio, so lines go to standard error. */
  readonly aside: boolean;
}

export function createReport(options: ReportOptions): Report {
  const is_json = options.json || options.aside || !process.stdout.isTTY;
  return is_json ? createJsonReport(options) : createBars(options.quiet);
}

function createJsonReport({ quiet, aside }: ReportOptions): Report {
  const write = (line: object) => void (aside ? process.stderr : process.stdout).write(`${JSON.stringify(line)}\n`);
  return {
    progress(_, input, id, { progress, stage, queuePosition: queue_position }) {
      if (!quiet) write({ type: "progress", input, id, progress, stage, queue_position });
    },
    say: write,
    problem: (input, problem) => write({ type: problem.exit === 4 ? "failed" : "refused", input, ...problem }),
    end: () => undefined,
  };
}

const BAR = 24;

function createBars(quiet: boolean): Report {
  const bars = new Map<number, string>();
  let drawn = 0;
  const clear = () => {
    if (drawn > 0) process.stderr.write(`\x1b[${drawn}A\x1b[J`);
    drawn = 0;
  };
  const draw = () => {
    if (quiet) return;
    for (const bar of bars.values()) process.stderr.write(`${bar.slice(0, (process.stderr.columns ?? 80) - 1)}\n`);
    drawn = bars.size;
  };
  const print = (stream: NodeJS.WriteStream, text: string) => {
    clear();
    stream.write(`${text}\n`);
    draw();
  };
  return {
    progress(index, input, _, { progress, stage, queuePosition }) {
      const full = Math.round(progress * BAR);
      const waits = queuePosition === null ? (stage ?? "") : `${queuePosition} before it`;
      const percent = String(Math.round(progress * 100)).padStart(3);
      bars.set(
        index,
        `${input.padEnd(24).slice(0, 24)} ${"█".repeat(full)}${"░".repeat(BAR - full)} ${percent} %  ${waits}`,
      );
      clear();
      draw();
    },
    say: (_, sentence) => print(process.stdout, sentence),
    problem(input, { message, doc_url, idempotency_key: key }) {
      const again =
        key === undefined ? "" : `\n  It may have been accepted: run it again with --idempotency-key ${key}`;
      const more = doc_url === undefined ? "" : `\n  ${doc_url}`;
      print(process.stderr, `${input === undefined ? "" : `${input}: `}${message}${more}${again}`);
    },
    end(index) {
      clear();
      bars.delete(index);
      draw();
    },
  };
}
