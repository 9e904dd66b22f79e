/** An S3 server of its own (versitygw on a folder), on a port of its own. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Options } from "../../core/adapters/s3/options.ts";
import { freePort } from "../process.ts";
import { findProgram, type Running, startServer } from "./programs.ts";

const s3Server = findProgram("versitygw");
/** Why no server can be started; undefined: it can. */
export const S3_MISSING =
  s3Server === undefined
    ? "versitygw is not installed (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)"
    : undefined;

let shared: Promise<S3Server> | undefined;
/** The one server of this process; what it holds is in a folder for temporary files. */
export function sharedS3(): Promise<S3Server> {
  shared ??= startS3();
  return shared;
}

const ACCESS = "tonwerk";
const SECRET = "tonwerk-test-secret";

export interface S3Server {
  readonly port: number;
  readonly endpoint: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** For openS3Bucket, with a bucket of its own. */
  options(changes?: Partial<S3Options>): S3Options;
  kill(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  if (s3Server === undefined) throw new Error(S3_MISSING);
  const program = s3Server;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-s3-"));
  await mkdir(join(folder, "root"));
  const launch = (): Promise<Running> =>
    startServer(
      program,
      [
        "--port",
        `127.0.0.1:${port}`,
        "--quiet",
        "--keep-alive",
        "--virtual-domain",
        `localhost:${port}`,
        "posix",
        join(folder, "root"),
      ],
      async () => (await fetch(endpoint)).status > 0,
      { env: { ROOT_ACCESS_KEY: ACCESS, ROOT_SECRET_KEY: SECRET }, folder },
    );
  let running: Running | undefined = await launch();
  let buckets = 0;
  return {
    port,
    endpoint,
    access_key_id: ACCESS,
    secret_access_key: SECRET,
    options: (changes = {}) => ({
      endpoint,
      public_endpoint: null,
      bucket: `test-${++buckets}`,
      region: "us-east-1",
      credentials: { access_key_id: ACCESS, secret_access_key: SECRET },
      path_style: true,
      ...changes,
    }),
    async kill() {
      await running?.kill();
      running = undefined;
    },
    async start() {
      running ??= await launch();
    },
    async end() {
      await running?.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
