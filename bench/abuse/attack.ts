/** What an attack is, and what it works with. Attacks run in a process of their own (attacker.ts), niced, for the node has the same cores. */
import { randomUUID } from "node:crypto";
import type { Account } from "./node.ts";
import { type Answer, ask, Visitor } from "./wire.ts";

/** What an attacker is told. */
export interface Orders {
  readonly attack: string;
  readonly port: number;
  readonly seconds: number;
  readonly attacker: Account;
  readonly victim: Account & { readonly file_url: string };
  /** File of SQLite, or URL of Postgres: for what would take too long to make. */
  readonly database: string;
  /** Where the node's mail goes; 0: it sends none. */
  readonly mail_port: number;
  /** Where callbacks may go, with a path: `/hang/…` is never answered there, `/drip/…` never to the end. Empty: nowhere. */
  readonly receiver: string;
}

export interface Attack {
  readonly name: string;
  /** Number of the finding; "own" for what nobody had found. */
  readonly finding: string;
  /** One sentence. */
  readonly what: string;
  /** What the node needs: a resolver that never answers, somewhere to send mail, a receiver of callbacks, an origin whose pages may call. */
  readonly needs?: "silent_resolver" | "mail" | "receiver" | "page";
  /** Before the clock runs: sign in, upload what is needed. What it resolves to attacks until `until`, and then ends by itself. */
  prepare(attacker: Attacker): Promise<() => Promise<void>>;
}

/** Everything that attackers do comes from here, so that limits by address do not meet the victim. */
export const ATTACKER_FROM = "127.0.0.66";
/** Whose pages may call, where an attack needs one. */
export const PAGE_ORIGIN = "https://app.example.com";
const ANSWER_MS = 60_000;

/** The attacker's hands: requests that are counted, and what it has to say at the end. */
export class Attacker {
  readonly orders: Orders;
  readonly answers: Record<string, number> = {};
  readonly faults: string[] = [];
  readonly notes: string[] = [];
  /** Milliseconds of `performance.now()`; attacks end by it. */
  until = 0;
  /** Ends what is still open when the time is over. */
  readonly #over = new AbortController();
  constructor(orders: Orders) {
    this.orders = orders;
  }

  begin(): void {
    this.until = performance.now() + this.orders.seconds * 1_000;
    setTimeout(() => this.#over.abort(), this.orders.seconds * 1_000);
  }
  get over(): AbortSignal {
    return this.#over.signal;
  }
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  count(status: number): void {
    if (this.isOver && status === 0) return;
    const name = status === 0 ? "none" : String(status);
    this.answers[name] = (this.answers[name] ?? 0) + 1;
  }

  async api(method: string, path: string, body?: object | Uint8Array, key?: string): Promise<Answer> {
    const { port, attacker } = this.orders;
    const is_json = body !== undefined && !(body instanceof Uint8Array);
    const answer = await ask({
      ...{ port, from: ATTACKER_FROM, method, path, ms_max: ANSWER_MS },
      ...(this.until === 0 ? {} : { signal: this.over }),
      headers: {
        authorization: `Bearer ${key ?? attacker.key}`,
        ...(is_json ? { "content-type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: is_json ? JSON.stringify(body) : body }),
    });
    this.count(answer.status);
    return answer;
  }

  /** Signed URL; undefined where the upload was refused. */
  async upload(bytes: Uint8Array): Promise<string | undefined> {
    const { status, text } = await this.api("PUT", "/v1/files", bytes);
    return status === 200 ? (JSON.parse(text) as { file: { url: string } }).file.url : undefined;
  }

  /** Id of the operation; undefined where it was refused. */
  async submit(action: string, fields: object): Promise<string | undefined> {
    const { status, text } = await this.api("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields });
    return status === 200 ? Object.values(JSON.parse(text) as Record<string, { id: string }>)[0]!.id : undefined;
  }

  /** Waits until it has ended; resolves to its status, "" where that was not told. */
  async ended(action: string, id: string): Promise<string> {
    for (;;) {
      const { status, text } = await this.api("GET", `/v1/${action}?id=${id}&wait=true`);
      if (status !== 200) return "";
      const state = Object.values(JSON.parse(text) as Record<string, { status: string }>)[0]!.status;
      if (state === "ready" || state === "failed") return state;
    }
  }

  visitor(from = ATTACKER_FROM): Visitor {
    return new Visitor(this.orders.port, from);
  }

  /** The attacker's owner at the dashboard. */
  async signedIn(): Promise<Visitor> {
    const visitor = this.visitor();
    await visitor.enter(this.orders.attacker.link, "attacker@example.com");
    return visitor;
  }

  /** `step` again and again, so many at a time, until the time is over. */
  async inParallel(many: number, step: (lane: number) => Promise<unknown>): Promise<void> {
    await Promise.all(
      Array.from({ length: many }, async (_, lane) => {
        while (!this.isOver) {
          await step(lane);
          // Whoever is refused at once is no busier than this: the cores are the node's too.
          await this.pause(PAUSE_MS);
        }
      }),
    );
  }

  /** `step` so many times a second, whatever becomes of those before. */
  async atRate(per_second: number, step: (index: number) => Promise<unknown>): Promise<void> {
    const began = performance.now();
    const open: Promise<unknown>[] = [];
    for (let index = 0; !this.isOver; ) {
      while (!this.isOver && began + (index / per_second) * 1_000 <= performance.now()) open.push(step(index++));
      await this.pause(5);
    }
    await Promise.all(open);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}

const PAUSE_MS = 20;
