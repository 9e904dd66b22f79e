/** What happens to an installation in operation, while clients go on asking. */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "../../test/process.ts";
import { openTestLink } from "../../test/services/postgres.ts";
import { makeNextVersion } from "./next_version.ts";
import { keepWorking, type Songs } from "./songs.ts";
import type { Embedded, Nodes, Stack } from "./stacks.ts";

/** From and to, by `performance.now()`. */
export type Window = readonly [from: number, to: number];

export interface Given {
  readonly round: number;
  /** No more is asked. */
  readonly over: Promise<void>;
  /** Where it is not from the call to the end: when it was. */
  narrow(window: Window): void;
}

export interface Happening<S extends Stack = Stack> {
  readonly name: string;
  readonly sentence: string;
  readonly kind: S["kind"];
  /** Songs that are being made all the time, while it is quiet too. */
  readonly songs?: number;
  /** Of a phase in which it happens, at least. */
  readonly seconds?: number;
  /** Between two phases, unmeasured. */
  before?(stack: S, round: number): Promise<void>;
  /** Resolves when it is over. */
  happen(stack: S, given: Given): Promise<void>;
  after?(stack: S, round: number): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a program to its end. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
    let complaints = "";
    child.stderr.on("data", (chunk: Uint8Array) => (complaints += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`"${program}" ended with ${code}: ${complaints}`)),
    );
  });
}

/** Ended operations whose time is made over, so that the next sweep (every 60 s) forgets them. */
const FORGOTTEN = 5_000;
const SWEPT_S = 70;
const LOOK_MS = 100;

/** From when the first is gone until none is left. */
async function watchSweep(countDue: () => Promise<number>, { over, narrow }: Given): Promise<void> {
  let isOver = false;
  void over.then(() => (isOver = true));
  let from = Number.NaN;
  while (!isOver) {
    const due = await countDue();
    if (Number.isNaN(from) && due < FORGOTTEN) from = performance.now() - LOOK_MS;
    if (due === 0) return narrow([from, performance.now()]);
    await pause(LOOK_MS);
  }
  throw new Error(Number.isNaN(from) ? "Nothing was swept in time" : "The sweep did not end in time");
}

const DUE = "SELECT count(*) AS due FROM operations WHERE expires_at <= 1";
const makeDue = (round: number): string =>
  `UPDATE operations SET expires_at = 1 WHERE id >= '${idAt(round * FORGOTTEN)}' AND id < '${idAt((round + 1) * FORGOTTEN)}'`;
const idAt = (index: number): string => `op_${String(index).padStart(26, "0")}`;

let songs: Songs | undefined;

const EMBEDDED: readonly Happening<Embedded>[] = [
  {
    name: "workers",
    sentence: "two songs are being made",
    kind: "sqlite",
    seconds: 20,
    async happen(stack, { over, narrow }) {
      songs = await keepWorking(stack, 2, 6);
      const from = performance.now();
      await over;
      if ((await songs.started()) < 2) throw new Error("The workers ran out of songs");
      narrow([from, performance.now()]);
    },
    async after() {
      await songs?.cancel();
      await pause(3_000);
    },
  },
  {
    name: "retention",
    sentence: `a sweep forgets ${FORGOTTEN} operations`,
    kind: "sqlite",
    seconds: SWEPT_S,
    async before({ database }, round) {
      const db = new DatabaseSync(database, { timeout: 5_000 });
      db.exec(makeDue(round));
      db.close();
    },
    async happen({ database }, given) {
      const db = new DatabaseSync(database, { readOnly: true });
      const due = db.prepare(DUE);
      try {
        await watchSweep(async () => Number(due.get()?.due), given);
      } finally {
        db.close();
      }
    },
  },
  {
    name: "backup",
    sentence: "sqlite3 copies the database by VACUUM INTO",
    kind: "sqlite",
    happen: ({ database, folder }) => run("nice", ["sqlite3", database, `VACUUM INTO '${join(folder, "copy.db")}'`]),
    after: ({ folder }) => rm(join(folder, "copy.db")),
  },
];

const NODES: readonly Happening<Nodes>[] = [
  {
    name: "node",
    sentence: "each api node in turn drains (SIGTERM), ends, and a new one takes its place",
    kind: "postgres",
    async happen({ apis, startNode }) {
      for (const [index, node] of apis.entries()) {
        node.kill("SIGTERM");
        await node.exited;
        apis[index] = await startNode("api", Number(new URL(node.url).port));
        // Longer than nginx leaves a node alone that failed.
        await pause(2_500);
      }
    },
  },
  {
    name: "worker",
    sentence: "the worker is killed while it makes a song, and a new one starts",
    kind: "postgres",
    songs: 1,
    async happen(stack) {
      stack.worker.kill("SIGKILL");
      await stack.worker.exited;
      stack.worker = await stack.startNode("worker", await freePort());
      await pause(2_000);
    },
  },
  {
    name: "retention",
    sentence: `a sweep forgets ${FORGOTTEN} operations`,
    kind: "postgres",
    seconds: SWEPT_S,
    before: ({ postgres, database }, round) => postgres.sql(makeDue(round), database),
    async happen({ postgres, database }, given) {
      const link = await openTestLink(postgres.url(database));
      try {
        await watchSweep(async () => Number((await link.query(DUE, []))[0]?.due), given);
      } finally {
        await link.close();
      }
    },
  },
  {
    name: "backup",
    sentence: "pg_dump writes a dump",
    kind: "postgres",
    happen: ({ postgres, database, folder }) =>
      run("nice", ["pg_dump", "--format=custom", `--file=${join(folder, "dump")}`, postgres.url(database)]),
    after: ({ folder }) => rm(join(folder, "dump")),
  },
  {
    name: "migration",
    sentence: "a node of the next version starts beside, adds a column, an index and a table, and stops",
    kind: "postgres",
    async happen({ folder, startNode }, { round }) {
      const node = await startNode("api", await freePort(), join(folder, `next_${round}`, "core/main.ts"));
      node.kill("SIGTERM");
      await node.exited;
    },
    before: async ({ folder, root }, round) =>
      void (await makeNextVersion(root, join(folder, `next_${round}`), round + 1)),
  },
  {
    name: "vacuum",
    sentence: "VACUUM (ANALYZE) of every table, at full speed",
    kind: "postgres",
    happen: ({ postgres, database }) => postgres.sql("VACUUM (ANALYZE)", database),
  },
];

export const HAPPENINGS: readonly (Happening<Embedded> | Happening<Nodes>)[] = [...EMBEDDED, ...NODES];
