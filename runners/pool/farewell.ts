/** What runners do before their thread or process ends in order. */
import { link } from "./link.ts";

const works: (() => Promise<unknown>)[] = [];

export function beforeEnd(work: () => Promise<unknown>): void {
  if (works.push(work) === 1) link()?.awaitEnd();
}

/** Does all of it, the newest first, whatever one of them throws. */
export async function bidFarewell(onFault: (error: unknown) => void): Promise<void> {
  for (const work of works.splice(0).reverse()) await work().catch(onFault);
}
