/** One attack, from a fresh node to what was measured. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/process.ts";
import { startNginx } from "../../test/services/nginx.ts";
import { commandOf, type RuntimeName, THIS_RUNTIME } from "../measure.ts";
import { type Attack, type Orders, PAGE_ORIGIN } from "./attack.ts";
import type { Measured, Phase } from "./judge.ts";
import { watchMemory } from "./memory.ts";
import { type Node, type Stack, startNode } from "./node.ts";
import { hookFaults, RECEIVER_HOST, startReceiver } from "./receiver.ts";
import { createVictim } from "./victim.ts";

/** Of the attacker, which has no machine of its own. */
const NICENESS = 10;
/** Attackers that do not end by themselves have this much more. */
const ATTACKER_GRACE_MS = 30_000;
/** Where nginx calls the node from. */
const PROXY = "127.0.0.2";

export interface Where {
  /** The checkout whose node is attacked, and what runs it. */
  readonly root: string;
  readonly runtime: RuntimeName;
  readonly stack: Stack;
  /** nginx stands before the node. */
  readonly has_proxy: boolean;
  /** Of the quiet phase, and of the attack. */
  readonly seconds: number;
  /** Milliseconds by which a p99 may always be above the quiet one. */
  readonly difference_ms: number;
}

/** A fresh node, the victim alone, then the victim beside the attack. */
export async function measure(attack: Attack, where: Where): Promise<Measured> {
  const { root, runtime, stack, has_proxy, seconds, difference_ms } = where;
  const mail_port = attack.needs === "mail" ? await freePort() : 0;
  const receiver = attack.needs === "receiver" ? await startReceiver() : undefined;
  const node = await startNode({
    root,
    runtime,
    silent_resolver: attack.needs === "silent_resolver",
    env: {
      ...(await stack.lease()),
      ...(mail_port === 0 ? {} : { TONWERK_SMTP_URL: `smtp://127.0.0.1:${mail_port}` }),
      ...(receiver === undefined ? {} : { TONWERK_PRIVATE_HOSTS: RECEIVER_HOST }),
      ...(attack.needs === "page" ? { TONWERK_CORS_ORIGINS: PAGE_ORIGIN } : {}),
      ...(has_proxy ? { TONWERK_TRUSTED_PROXIES: PROXY } : {}),
    },
  });
  const nginx = has_proxy ? await startNginx({ api: node.port, from: PROXY }) : undefined;
  const port = nginx?.port ?? node.port;
  const memory = watchMemory(node.process_id);
  let attacker: Started | undefined;
  try {
    const victim = await createVictim(port, node.victim.key, receiver?.victimUrl);
    await victim.warmUp();
    attacker = await startAttacker({
      attack: attack.name,
      port,
      seconds,
      attacker: node.attacker,
      database: node.database,
      mail_port,
      victim: { ...node.victim, file_url: victim.file_url },
      receiver: receiver?.url ?? "",
    });
    await receiver?.take();
    memory.peakMb();
    const quiet: Phase = {
      ...(await victim.act(seconds)),
      memory_mb: memory.peakMb(),
    };
    const quiet_hooks = await receiver?.take();
    const said = attacker.attack();
    const attacked: Phase = { ...(await victim.act(seconds)), memory_mb: memory.peakMb() };
    const { answers, faults, notes } = await said;
    return {
      ...{ attack: attack.name, finding: attack.finding, quiet, attacked, answers },
      faults: [...faults, ...hookFaults(quiet_hooks, await receiver?.take(), difference_ms)],
      notes: [...notes, ...((await isRunning(node)) ? [] : ["the node has ended"])],
    };
  } finally {
    attacker?.stop();
    memory.stop();
    receiver?.stop();
    await nginx?.kill();
    await node.stop();
  }
}

async function isRunning({ process_id }: Node): Promise<boolean> {
  try {
    return process.kill(process_id, 0);
  } catch {
    return false;
  }
}

interface Said {
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

interface Started {
  attack(): Promise<Said>;
  stop(): void;
}

/** Resolves once it is prepared. */
async function startAttacker(orders: Orders): Promise<Started> {
  const [program, ...args] = commandOf(THIS_RUNTIME);
  const file = fileURLToPath(new URL("attacker.ts", import.meta.url));
  const child: ChildProcess = spawn(program, [...args, file, JSON.stringify(orders)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  let printed = "";
  let complaints = "";
  const ready = Promise.withResolvers<void>();
  child.stdout?.on("data", (piece: Uint8Array) => {
    printed += Buffer.from(piece).toString();
    if (printed.startsWith("ready\n")) ready.resolve();
  });
  child.stderr?.on("data", (piece: Uint8Array) => (complaints += Buffer.from(piece).toString()));
  const gone = once(child, "close").then(() =>
    ready.reject(new Error(`The attacker ended:\n${complaints.slice(-1_000)}`)),
  );
  await ready.promise;
  return {
    async attack() {
      child.stdin?.write("go\n");
      const timer = setTimeout(() => child.kill("SIGKILL"), orders.seconds * 1_000 + ATTACKER_GRACE_MS);
      await gone;
      clearTimeout(timer);
      const line = printed.trimEnd().split("\n").at(-1) ?? "";
      if (!line.startsWith("{")) throw new Error(`The attacker said nothing:\n${complaints.slice(-1_000)}`);
      return JSON.parse(line) as Said;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}
