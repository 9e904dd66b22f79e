/** What `TONWERK_SIDECARS` names: manifests, one JSON file each, or an address with what it serves. Refusals by name. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { checkFields, closed, heading, StemName } from "../fields.ts";

/** Tasks that models behind HTTP may serve. */
export const SIDECAR_TASKS = ["generate", "song", "remix", "remix_song", "separate"] as const;
export type SidecarTask = (typeof SIDECAR_TASKS)[number];
/** How a server is spoken to: our own protocol, or the published one of another. */
export const PROTOCOLS = ["tonwerk", "cog", "ace-step"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const CONCURRENCY_MAX = 1000;

const choice = <Name extends string>(names: readonly Name[]) => Type.Union(names.map((name) => Type.Literal(name)));
const text = Type.String({ minLength: 1, maxLength: 500 });

const Fields = closed({
  ...heading,
  protocol: Type.Optional(choice(PROTOCOLS)),
  /** `http://127.0.0.1:8001`, `https://…`, or `unix:/run/side.sock`. */
  url: text,
  serves: Type.Array(choice(SIDECAR_TASKS), { minItems: 1, maxItems: SIDECAR_TASKS.length, uniqueItems: true }),
  /** As the model's publisher states it; absent: as the server states it. */
  licence: Type.Optional(text),
  /** Holds the bearer token, beside the manifest; read at each connection, so that it may change. */
  token_file: Type.Optional(text),
  /** Program and arguments that start the server, in the manifest's folder. Absent: somebody else starts it. */
  command: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }), { minItems: 1, maxItems: 200 })),
  env: Type.Optional(Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String())),
  /** 10^6 bytes that the program and what it starts may hold, instead of TONWERK_MODEL_MB. */
  memory_mb: Type.Optional(Type.Integer({ minimum: 50, maximum: 4_000_000 })),
  /** Jobs at once: fewer than the server says, or more than one of a server that does not say. */
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: CONCURRENCY_MAX })),
  /** Time limit of one piece, or of one window of a separation, instead of TONWERK_MODEL_SECONDS. */
  ms_max: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  /** From its start to being ready. */
  start_ms_max: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  /** The longest that a server of our protocol says nothing while it works. */
  silence_ms_max: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  /** Whoever has not been asked for so long is told to give its memory back. */
  unload_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** The longest piece, where the server does not say, or less than it says. */
  seconds_max: Type.Optional(Type.Number({ minimum: 1, maximum: 3600 })),
  /** A longer source is separated in windows of this length. */
  window_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: 600 })),
  /** Of a separator. Servers of our protocol say it themselves. */
  stems: Type.Optional(Type.Array(StemName, { minItems: 1, maxItems: 7, uniqueItems: true })),
  /** The server's names for what we send; null: it takes none. */
  inputs: Type.Optional(
    Type.Partial(
      closed({
        prompt: Type.Union([text, Type.Null()]),
        lyrics: Type.Union([text, Type.Null()]),
        seconds: Type.Union([text, Type.Null()]),
        seed: Type.Union([text, Type.Null()]),
        audio: text,
      }),
    ),
  ),
  /** Sent with each request as it stands. */
  with: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** Of what generates, the name that the server's output has for the piece; absent: the output is the piece. */
  output: Type.Optional(text),
  /** The server takes no fractions: the length is rounded up, and cut. */
  whole_seconds: Type.Optional(Type.Boolean()),
  /** By stem, the name that the server's output has for it; absent: the stem's own. */
  outputs: Type.Optional(Type.Partial(Type.Record(StemName, text))),
});

/** With nothing that depends on the file's place: addresses are whole, paths are absolute. */
export type SidecarManifest = Omit<Static<typeof Fields>, "protocol"> & {
  readonly protocol: Protocol;
  /** Where the program runs. */
  readonly folder: string;
};

const FILE_BYTES_MAX = 1_000_000;
/** Fields that only servers of other protocols need, for ours has names of its own. */
const FOREIGN = ["inputs", "with", "output", "outputs", "whole_seconds"] as const;

/** @throws Error that names the field, what it is and what was expected */
export async function readSidecar(item: string, taken: ReadonlySet<string>): Promise<SidecarManifest> {
  const pair = PAIR.exec(item);
  if (pair !== null) return fromPair(pair, taken);
  const given = await readFile(item, "utf8").catch((error: Error) => {
    throw new Error(`it cannot be read: ${error.message}`);
  });
  if (given.length > FILE_BYTES_MAX) throw new Error(`it has ${given.length} characters, expected a manifest`);
  return parseSidecar(parse(given), dirname(resolve(item)));
}

/** @throws Error that names the field, what it is and what was expected */
export function parseSidecar(given: unknown, folder: string): SidecarManifest {
  checkFields(Fields, given, "sidecar");
  const fields = given as Static<typeof Fields>;
  const protocol = fields.protocol ?? "tonwerk";
  const wrong = faultOf({ ...fields, protocol });
  if (wrong !== undefined) throw new Error(wrong);
  return {
    ...fields,
    protocol,
    folder,
    ...(fields.token_file === undefined ? {} : { token_file: resolve(folder, fields.token_file) }),
  };
}

function faultOf(fields: Static<typeof Fields> & { readonly protocol: Protocol }): string | undefined {
  const { protocol, url, serves, stems, outputs, inputs } = fields;
  if (addressOf(url) === undefined)
    return `"url": expected http://host:port, https://host or unix:/path, without user name, query and fragment`;
  if (protocol === "tonwerk") {
    const strange = FOREIGN.find((field) => fields[field] !== undefined);
    return strange === undefined ? undefined : `"${strange}" is for servers of other protocols; ours has its own names`;
  }
  if (fields.silence_ms_max !== undefined)
    return `"silence_ms_max": only servers of our own protocol say something while they work; use ms_max`;
  if (protocol === "ace-step") {
    const other = serves.find((task) => task !== "generate" && task !== "song");
    if (other !== undefined) return `"serves": ACE-Step's server serves generate and song, not ${other}`;
    const known = (["inputs", "output", "outputs"] as const).find((field) => fields[field] !== undefined);
    if (known !== undefined) return `"${known}": ACE-Step's names are known`;
    return undefined;
  }
  if (serves.includes("separate")) {
    if (stems === undefined) return `"stems" is missing: a container does not say which stems it gives`;
    const strange = Object.keys(outputs ?? {}).find((stem) => !(stems as readonly string[]).includes(stem));
    if (strange !== undefined) return `"outputs.${strange}": it is not among "stems"`;
  }
  if (serves.some((task) => task !== "separate") && inputs?.prompt === null)
    return `"inputs.prompt": whoever generates is told of what`;
  if ((serves.includes("song") || serves.includes("remix_song")) && inputs?.lyrics === null)
    return `"inputs.lyrics": whoever sings is told which words`;
  return undefined;
}

/** `http://127.0.0.1:8001=generate`, `cog+http://gpu-1:5000=generate`, `unix:/run/side.sock=generate+separate`. */
const PAIR = /^(?:(cog|ace-step)\+)?((?:https?:\/\/|unix:)[^=]+)=([a-z+]+)$/u;

function fromPair([, protocol = "tonwerk", url = "", tasks = ""]: RegExpExecArray, taken: ReadonlySet<string>) {
  const serves = tasks.split("+");
  // Clients read the id as `engine`: it must not be the address.
  const name = `sidecar-${serves.join("-")}`;
  let id = name;
  for (let count = 2; taken.has(id); count++) id = `${name}-${count}`;
  return parseSidecar({ id, url, protocol, serves }, ".");
}

export interface Address {
  readonly secure: boolean;
  /** Of a socket in the file system. */
  readonly socket: string | undefined;
  readonly host: string;
  readonly port: string;
  /** Before the protocol's paths; without a slash at its end. */
  readonly base: string;
}

/** Undefined: it is none. */
export function addressOf(given: string): Address | undefined {
  if (given.startsWith("unix:/"))
    return { secure: false, socket: given.slice("unix:".length), host: "localhost", port: "", base: "" };
  const url = URL.parse(given);
  if (url === null || !/^https?:$/u.test(url.protocol) || /[?#\s]/u.test(given)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const { hostname, port, pathname, protocol } = url;
  const host = hostname.replace(/^\[(.*)\]$/u, "$1");
  return { secure: protocol === "https:", socket: undefined, host, port, base: pathname.replace(/\/+$/u, "") };
}

function parse(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`);
  }
}
