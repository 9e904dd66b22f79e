/** A server that Tonwerk starts itself: its program, in a process group that ends with this process, which ends with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync, rmSync, writeSync } from "node:fs";
import { adopt } from "../../children.ts";
import { killGroup, residentHere } from "../../pool/mod.ts";
import { addressOf } from "./manifest.ts";
import type { SidecarSpec } from "./types.ts";

/** Weights are read at some gigabytes a second at most. */
const LOOK_MS = 100;

export class Program {
  readonly #child: ChildProcess;
  readonly #timer: ReturnType<typeof setInterval>;
  #is_given_up = false;

  /**
   * Starts it. When it ends, or holds more memory than it may, all of its group is ended, and this process with it: then the pool says that it
   * crashed, with what it printed last, starts both anew, and lets them rest where that keeps happening.
   */
  constructor({ manifest, memory_mb }: SidecarSpec) {
    const [program = "", ...args] = manifest.command!;
    removeStale(addressOf(manifest.url)?.socket);
    const child = spawn(program, args, {
      cwd: manifest.folder,
      env: { ...process.env, ...manifest.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    adopt(child);
    child.on("error", (error) => end(`Cannot start "${program}": ${error.message}`));
    child.on("exit", (code, signal) => {
      if (this.#is_given_up) return;
      this.kill();
      end(`The sidecar's program ended: ${signal === null ? `exit code ${code}` : `signal ${signal}`}`);
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", print);
    this.#timer = setInterval(() => {
      const mebibytes = child.pid === undefined ? undefined : residentHere(child.pid);
      const held_mb = (mebibytes ?? 0) * 1.048576;
      if (held_mb <= memory_mb) return;
      this.kill();
      end(
        `The sidecar's program held ${Math.round(held_mb)} MB and may hold ${memory_mb} MB (memory_mb, TONWERK_MODEL_MB)`,
      );
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Ends it, and this process goes on: its manifest is another one now. */
  giveUp(): void {
    this.#is_given_up = true;
    this.kill();
  }

  kill(): void {
    clearInterval(this.#timer);
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }
}

/** A socket that a killed program left behind keeps most servers from listening. */
function removeStale(socket: string | undefined): void {
  if (socket !== undefined && lstatSync(socket, { throwIfNoEntry: false })?.isSocket() === true) rmSync(socket);
}

/** Whoever listens to this process gets it, and the last of it as the reason of its end. */
function print(bytes: Uint8Array | string): void {
  try {
    writeSync(2, bytes as Uint8Array);
  } catch {
    // The pipe is full: somebody prints without end. What is lost is theirs.
  }
}

function end(why: string): never {
  print(`${why}\n`);
  process.exit(1);
}
