/** Makes forms of outputs: once, a few of each output, one at a time of each account, on its budget of free work. */
import { contentTypeOf, type Facade, issue, type Refusal, refuse } from "../../core/surface.ts";
import { startGranting, wish } from "../administration/wishes.ts";
import { findOutput, formOf, LEVELS, type Output, placeOf, readPlace } from "./forms.ts";

type Services = Pick<
  Facade,
  | "bucket"
  | "queue"
  | "store"
  | "clock"
  | "log"
  | "limits"
  | "workOn"
  | "runners"
  | "runs_jobs"
  | "shared"
  | "free_work"
  | "isDraining"
>;

export interface Making {
  /**
   * The key of the form in the bucket, made now where it was not. Refuses with 422 what cannot be made here, with 429
   * and 503.
   */
  have(output: Output, name: string): Promise<string>;
  stop(): void;
}

/** Forms of one output that are kept, beside its levels: the one that was made first gives way. */
const KEPT_MAX = 6;
/** Forms of an account that may be begun in a minute, and that may wait for each other. */
const PER_MINUTE = 60;
const WAITING_MAX = 8;
/**
 * A request waits so long; the work goes on, and the next one finds what came of it. Below the 30 s after which silent
 * connections end.
 */
const WAIT_MS = 20_000;
/**
 * A line of all accounts together: at most half of the lane's threads, so that uploads never wait for it. Encoding ten
 * minutes as MP3 takes a quarter of the time.
 */
const CONVERSION = { fair_by: "conversions", ms_max: 120_000, what: "conversion" };
/** Of that time; what lasts longer has longer. */
const USUAL_SECONDS = 600;
const TOO_MANY = "Too many downloads in other formats at a time";

export function createMaking(services: Services): Making {
  const { bucket, clock, limits, store } = services;
  /** By place. */
  const under_way = new Map<string, Promise<void>>();
  /** The last one of each account, which the next waits for, and how many there are. */
  const lines = new Map<string, { readonly last: Promise<unknown>; readonly waiting: number }>();

  const makeHere = async (output: Output, name: string): Promise<void> => {
    const place = placeOf(output.audio.key, name);
    const content_type = contentTypeOf(place);
    const made = await services.workOn(output.audio, async (path, folder, run) => {
      const to = `${folder}/made`;
      const input = { path, to, ...formOf(output, name) };
      const ms_max = CONVERSION.ms_max * Math.max(1, output.audio.seconds / USUAL_SECONDS);
      if (!(await run(services.runners.convert, input, { ...CONVERSION, ms_max }))) return false;
      await bucket.put(place, { path: to }, content_type).catch(async (error: unknown) => {
        // Another node was faster.
        if ((await bucket.stat(place)) === undefined) throw error;
      });
      return true;
    });
    if (made === undefined) throw refuse.notFound();
    if (!made) throw formatUnavailable(name.slice(name.lastIndexOf(".") + 1));
    if (name !== LEVELS) await dropOldest(bucket, output.audio.key, place);
  };

  const makeElsewhere = async ({ audio }: Output, name: string): Promise<void> => {
    const place = placeOf(audio.key, name);
    const isThere = async (): Promise<boolean> => (await bucket.stat(place)) !== undefined;
    if (!(await wish(services, "form", place, isThere, WAIT_MS))) throw beingMade();
  };

  /** Refuses with 429 an account that has used up what it may have for nothing. */
  const refuseSpent = async (account_id: string): Promise<void> => {
    const account = await store.account(account_id);
    if (account === undefined) throw refuse.notFound();
    const { limit, used, resets_at } = services.free_work.of(account);
    const until = (resets_at - clock.now()) / 1000;
    const why = `Downloads in other formats, uploads and failed operations have used up the ${limit} s of processor time that a day has for them; it begins anew at 00:00 UTC`;
    if (limit > 0 && used >= limit) throw refuse.tooMany("free_work_used_up", until, why);
    const taken = await limits.take(account_id, "form", PER_MINUTE);
    if (!taken.ok) throw refuse.tooManyRequests(taken.retry_seconds, TOO_MANY);
  };

  /**
   * One after the other of each account: whoever wants more than one has more than one waiting, and nobody else does.
   */
  const inLine = async (account_id: string, work: () => Promise<void>): Promise<void> => {
    const { last, waiting } = lines.get(account_id) ?? { last: Promise.resolve(), waiting: 0 };
    if (waiting >= WAITING_MAX) throw refuse.tooManyRequests(2, TOO_MANY);
    const mine = last.then(work, work);
    lines.set(account_id, { last: mine, waiting: waiting + 1 });
    try {
      await mine;
    } finally {
      const { waiting: left, ...line } = lines.get(account_id)!;
      if (left === 1) lines.delete(account_id);
      else lines.set(account_id, { ...line, waiting: left - 1 });
    }
  };

  const make = (output: Output, name: string): Promise<void> => {
    const place = placeOf(output.audio.key, name);
    const known = under_way.get(place);
    if (known !== undefined) return known;
    const { account_id } = output.audio;
    const making = refuseSpent(account_id).then(() =>
      services.runs_jobs ? inLine(account_id, () => makeHere(output, name)) : makeElsewhere(output, name),
    );
    under_way.set(place, making);
    const forget = () => void under_way.delete(place);
    making.then(forget, forget);
    return making;
  };

  const stop =
    services.shared && services.runs_jobs
      ? startGranting(services, "form", async (place, claim) => {
          const { key, name } = readPlace(place) ?? {};
          const output = key === undefined ? undefined : await findOutput(services, key);
          if (output === undefined || name === undefined || (await bucket.stat(place)) !== undefined) return;
          const giveUp = await claim();
          if (giveUp === undefined) return;
          try {
            // Who wished has asked the account's budget.
            await inLine(output.audio.account_id, () => makeHere(output, name));
          } finally {
            await giveUp();
          }
        })
      : () => undefined;

  return {
    stop,
    async have(output, name) {
      const place = placeOf(output.audio.key, name);
      if ((await bucket.stat(place)) !== undefined) return place;
      let cancel: () => void = () => undefined;
      const late = new Promise<never>((_, reject) => {
        cancel = clock.after(WAIT_MS, () => reject(beingMade()));
      });
      try {
        await Promise.race([make(output, name), late]);
      } finally {
        cancel();
      }
      return place;
    },
  };
}

const beingMade = () => refuse.unavailable("The download is being made in this format, try again", 5);

/** Whoever reads it goes on reading. */
async function dropOldest(bucket: Facade["bucket"], key: string, newest: string): Promise<void> {
  const kept: { readonly key: string; readonly modified_at: number }[] = [];
  for await (const object of bucket.list(placeOf(key, ""))) {
    if (object.key !== newest && object.key !== placeOf(key, LEVELS) && readPlace(object.key)) kept.push(object);
  }
  kept.sort((one, other) => one.modified_at - other.modified_at);
  const gone = kept.slice(0, Math.max(0, kept.length + 1 - KEPT_MAX));
  if (gone.length > 0) await bucket.delete(gone.map((object) => object.key));
}

const formatUnavailable = (format: string): Refusal =>
  refuse.invalid([
    issue(
      ["query", "format"],
      "format_unavailable",
      `This installation cannot make ${format}: see codec.formats of /v1/capabilities`,
    ),
  ]);
