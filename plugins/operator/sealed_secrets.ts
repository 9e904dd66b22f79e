/**
 * What is sealed under TONWERK_SECRET, all accounts together: sealed anew after a rotation, so that the next one loses
 * nothing.
 */
import { type Administration, describeError } from "../../core/surface.ts";

export interface Sealed {
  /** Which the previous secret alone opened. */
  readonly rewrapped: number;
  /** Which the current one opens as they are. */
  readonly current: number;
  /** Ids of those that neither opens. */
  readonly lost: readonly string[];
}

const PAGE = 500;

/** Seals what was sealed under the previous secret with the current one. Done twice, the second finds nothing. */
export function rewrapSecrets(services: Pick<Administration, "store" | "secrets">): Promise<Sealed> {
  return walk(services, true);
}

/** Says in the log what the current secret does not open. Never rejects. */
export async function reportSealed(services: Administration): Promise<void> {
  const { log } = services;
  try {
    const { rewrapped: previous, lost } = await walk(services, false);
    if (previous > 0) log("secrets.previous", { count: previous, run: "tonwerk secrets rewrap" });
    if (lost.length > 0) log("secrets.lost", { count: lost.length, first: lost[0]! });
  } catch (error) {
    log("secrets.unseen", { error: describeError(error) });
  }
}

async function walk({ store, secrets }: Pick<Administration, "store" | "secrets">, writes: boolean): Promise<Sealed> {
  let [rewrapped, current] = [0, 0];
  const lost: string[] = [];
  for (let after = ""; ; ) {
    const page = await store.sealedSecrets({ after, limit: PAGE });
    for (const { id, sealed } of page) {
      const anew = secrets.reseal(sealed, id);
      if (anew === "lost") lost.push(id);
      else if (anew === "current") current++;
      // Another node may have done it meanwhile.
      else if (!writes || (await store.resealSecret(id, sealed, anew.sealed))) rewrapped++;
      else current++;
    }
    if (page.length < PAGE) return { rewrapped, current, lost };
    after = page.at(-1)!.id;
  }
}
