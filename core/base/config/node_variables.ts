/** Where this node listens and keeps its data, and which part of the work it takes. */
import { WORKS, type Work } from "../basics.ts";
import { readBaseUrl, readHost } from "./address_readers.ts";
import { optional, readList, readOneOf, readText, readWhole, variable, WrongValue } from "./variable.ts";

export const NODE_VARIABLES = {
  port: variable("PORT", "TCP port", "8787", readWhole(1, 65_535), "Port that the HTTP server listens on"),
  host: variable(
    "HOST",
    "address or host name",
    "127.0.0.1",
    readHost,
    "Where it listens; 0.0.0.0 or :: is every interface",
  ),
  base_url: optional(
    "TONWERK_BASE_URL",
    "http(s) URL",
    readBaseUrl,
    "Where clients reach this service, for signed URLs; absent: http with HOST and PORT",
  ),
  data: variable(
    "TONWERK_DATA",
    "folder",
    "./data",
    readText,
    "Holds the database, the audio and the secret, and work in flight",
  ),
  role: variable(
    "TONWERK_ROLE",
    "all, api or worker",
    "all",
    readOneOf("all", "api", "worker"),
    "Whether this process answers requests (api), runs jobs (worker) or both",
  ),
  work: variable(
    "TONWERK_WORK",
    "list of dsp, generation and gpu",
    "dsp,generation,gpu",
    readWorks,
    "Kinds of work that a worker does; each has TONWERK_WORKERS places of its own",
  ),
  gpu_tasks: variable(
    "TONWERK_GPU_TASKS",
    "list of separate and generate",
    "",
    readList<string>(readOneOf("separate", "generate")),
    "Tasks that models on an accelerator serve: their operations are work of the kind gpu; the same on every node",
  ),
};

function readWorks(given: string): readonly Work[] {
  const chosen = readList(readOneOf(...WORKS))(given);
  if (chosen.length === 0) throw new WrongValue("must be at least one of dsp, generation and gpu");
  return Object.freeze(WORKS.filter((work) => chosen.includes(work)));
}
