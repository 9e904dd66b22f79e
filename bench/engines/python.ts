/** Peers that are Python: one process, asked about one file after another, so that what it loads and compiles is paid once. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Answer {
  /** Beats in seconds, or tonic and mode; absent where the tool failed. */
  readonly found?: readonly unknown[];
  /** Seconds of processor time. */
  readonly cpu?: number;
  readonly error?: string;
}

const SCRIPT = fileURLToPath(new URL("peers.py", import.meta.url));

export class PythonPeers {
  readonly #python: string;
  readonly #child;
  readonly #lines;

  /** @param tools names that `peers.py` knows */
  constructor(python: string, tools: readonly string[]) {
    this.#python = python;
    this.#child = spawn(python, [SCRIPT, tools.join(",")], { stdio: ["pipe", "pipe", "ignore"] });
    this.#child.on("error", () => undefined); // no such program: the answer says so
    this.#child.stdin.on("error", () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** By tool. Rejects where the program cannot be run, or has not what the script itself needs. */
  async ask(wav: string): Promise<Readonly<Record<string, Answer>>> {
    this.#child.stdin.write(`${wav}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`Cannot ask the peers: "${this.#python}" ended`);
    return JSON.parse(line.value) as Readonly<Record<string, Answer>>;
  }

  end(): void {
    this.#child.stdin.end();
  }
}
