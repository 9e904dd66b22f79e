import type { Runner } from "../../../contract/mod.ts";
import type { ApartInput } from "./apart.ts";

/** `process` of an action, in a process of its own. Light; what it needs is loaded there. */
export const apart: Runner<ApartInput, unknown> = {
  name: "apart",
  from: import.meta.url,
  isolation: "process",
  load: async () => ({ run: (await import("./apart.ts")).runProcess }),
};
