/** Models that Tonwerk brings along. They serve where none of the operator's does, and before what is built in. */
import { fileURLToPath } from "node:url";

/** Folders of manifests by task. */
export const SHIPPED: Readonly<Record<string, string>> = {
  separate: fileURLToPath(new URL("./signal/separate/model", import.meta.url)),
};
