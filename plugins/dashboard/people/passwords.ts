/**
 * Passwords: scrypt (RFC 7914) from node:crypto, in a thread of its own (password_thread.ts), one at a time. Kept as
 * `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` in unpadded base64, so that parameters can rise later and old records still
 * verify.
 */
import { randomBytes, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers";
import { household, refuse } from "../../../core/surface.ts";
import type { ToHash } from "./password_thread.ts";

export interface Passwords {
  /** The text to keep. */
  hash(password: string, asker?: Asker): Promise<string>;
  /** `kept` null or of no known form: false, after as much work as a real one takes. */
  verify(password: string, kept: string | null, asker?: Asker): Promise<boolean>;
}

/** Who waits for it. */
interface Asker {
  /**
   * On a device that was signed in before, or signed in: a crowd of others keeps it waiting for one of them at most.
   */
  readonly known?: boolean;
  /** Of the others each address has its turn, however many it asks for. */
  readonly address?: string | undefined;
}

/** Work factors: 2^ln blocks of 128·r bytes, p times. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 32 MiB, and the time of 96 MiB: one of the equals in OWASP's Password Storage Cheat Sheet. 0.33 s of a core, measured
 * on Bun.
 */
export const SCRYPT_COST: ScryptCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Those who wait, of known devices and of others each; more would take longer than people do. One too many is refused
 * with 503: of the others the last of the address that waits most.
 */
const WAITING_MAX = 32;

export function createPasswords(cost: ScryptCost = SCRYPT_COST): Passwords {
  const enter = createGate();
  const hash = createHasher();

  async function derive(password: string, salt: Uint8Array, { ln, r, p }: ScryptCost, asker: Asker): Promise<Buffer> {
    const leave = await enter(asker);
    try {
      // Twice what it needs, which is what Node asks for.
      const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r + 1_000_000 };
      return Buffer.from(await hash({ password: normal(password), salt, bytes: HASH_BYTES, options }));
    } finally {
      leave();
    }
  }

  return {
    async hash(password, asker = {}) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, salt, cost, asker);
      return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${text(salt)}$${text(key)}`;
    },

    async verify(password, kept, asker = {}) {
      const record = kept === null ? undefined : parse(kept);
      const usable = password.length <= LENGTH_MAX;
      const key = await derive(
        usable ? password : "",
        record?.salt ?? randomBytes(SALT_BYTES),
        record?.cost ?? cost,
        asker,
      );
      return record !== undefined && usable && timingSafeEqual(key, record.hash);
    },
  };
}

/**
 * In code points. NIST SP 800-63B-4 wants 15 where a password is all there is, and 8 beside another factor; limits per
 * user are one.
 */
const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 256;
/** In UTF-16 units; what is longer is no password of anybody's. */
const LENGTH_MAX = 2 * CHARACTERS_MAX;

/** Why the text cannot be a new password, as a sentence for who chose it; undefined: it can. */
export function passwordFault(password: string, email: string): string | undefined {
  const characters = [...normal(password)];
  if (characters.length < CHARACTERS_MIN) return `The password must have at least ${CHARACTERS_MIN} characters`;
  if (characters.length > CHARACTERS_MAX) return `The password must have at most ${CHARACTERS_MAX} characters`;
  const plain = normal(password).toLowerCase();
  if (new Set(plain).size < 5 || COMMON.test(plain)) return "The password is too easy to guess";
  if (plain.includes(email) || plain === email.split("@", 1)[0]) return "The password must not be the e-mail address";
  return undefined;
}

/** The long ones of the published lists are these with digits around them, or walks over the keyboard. */
const COMMON =
  /^\W*\d*(?:(?:my)?p[a@]ssw[o0]rd|passphrase|qwertyuiop|qwertz|qwerty|letmein|iloveyou|welcome|administrator|admin|changeme|tonwerk|1q2w3e4r5t6y|1qaz2wsx3edc|asdfghjkl|zxcvbnm|abcdefghijkl|1234567890|0987654321|123456)+(?:asdfghjkl|zxcvbnm)?[\d\W_]*$/u;

/** One text for what looks the same, whatever keyboard it was typed on. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "");

function parse(kept: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } | undefined {
  const [, ln, r, p, salt, hash] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(kept) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const record = {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
  // A changed record must not ask for gigabytes.
  const sane = record.cost.ln <= 20 && record.cost.ln > 0 && record.cost.r <= 16 && record.cost.p <= 16;
  return sane && record.hash.length === HASH_BYTES ? record : undefined;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (why: unknown) => void;
}

/** One at a time, which is to leave cores and memory to the rest. Resolves to what gives the place back. */
function createGate(): (asker: Asker) => Promise<() => void> {
  let busy = false;
  const known: Waiting[] = [];
  /** By address, in the order of their turns; none is empty. */
  const others = new Map<string, Waiting[]>();

  const nextOther = (): Waiting | undefined => {
    for (const [address, line] of others) {
      others.delete(address);
      if (line.length > 1) others.set(address, line.slice(1));
      return line[0];
    }
    return undefined;
  };
  const leave = (): void => {
    const next = known.shift() ?? nextOther();
    if (next === undefined) busy = false;
    else next.begin();
  };
  /** Takes the last of the longest line out; undefined: that would be who comes now. */
  const makeRoom = (line: readonly Waiting[]): Waiting | undefined => {
    const [longest = []] = [...others.values()].sort((one, other) => other.length - one.length);
    return longest.length > line.length + 1 ? longest.pop() : undefined;
  };

  return async (asker) => {
    if (!busy) {
      busy = true;
      return leave;
    }
    const address = household(asker.address);
    const line = asker.known === true ? known : (others.get(address) ?? []);
    const count = line === known ? known.length : [...others.values()].reduce((sum, { length }) => sum + length, 0);
    if (count >= WAITING_MAX) {
      const why = refuse.unavailable("Too many people are signing in, try again");
      const out = line === known ? undefined : makeRoom(line);
      if (out === undefined) throw why;
      out.refuse(why);
    }
    await new Promise<void>((begin, refuse) => {
      line.push({ begin, refuse });
      if (line !== known) others.set(address, line);
    });
    return leave;
  };
}

/** A thread that nobody needed for so long ends: it holds some 30 MB. */
const IDLE_MS = 30_000;

/** The thread, started when it is needed. To be asked one thing at a time. */
function createHasher(): (input: ToHash) => Promise<Uint8Array> {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    thread?.terminate();
    thread = undefined;
  };
  return (input) => {
    clearTimeout(idle);
    thread ??= new Worker(new URL("./password_thread.ts", import.meta.url), { type: "module" });
    const asked = thread;
    return new Promise<Uint8Array>((resolve, reject) => {
      asked.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
        idle = setTimeout(end, IDLE_MS);
        idle.unref();
        resolve(data);
      };
      asked.onerror = (event) => {
        // Handled here; unprevented it would end the process on Deno.
        event.preventDefault();
        end();
        reject(new Error(`The thread that hashes passwords ended: ${event.message}`));
      };
      asked.postMessage(input);
    });
  };
}
