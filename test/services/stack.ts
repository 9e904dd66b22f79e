/** An installation's environment on Postgres, Redis and S3 for one test, on the servers of this process. */
import { randomBytes } from "node:crypto";
import { POSTGRES_MISSING } from "./postgres.ts";
import { leaseDatabase } from "./postgres_database.ts";
import { REDIS_MISSING, sharedRedis } from "./redis.ts";
import { S3_MISSING, sharedS3 } from "./s3.ts";

/** Why it cannot be had; undefined: it can. */
export const STACK_MISSING = POSTGRES_MISSING ?? REDIS_MISSING ?? S3_MISSING;

export interface TestStack {
  readonly env: Readonly<Record<string, string>>;
  /** When every service on it is closed. */
  giveBack(): Promise<void>;
}

const DATABASES = 16;
let leased = 0;

export async function leaseStack(): Promise<TestStack> {
  const [database, redis, s3] = await Promise.all([leaseDatabase(), sharedRedis(), sharedS3()]);
  const number = leased++ % DATABASES;
  const url = `redis://127.0.0.1:${redis.port}/${number}`;
  await redis.flush(number);
  const { bucket, endpoint } = s3.options();
  return {
    env: {
      DATABASE_URL: database.url,
      REDIS_URL: url,
      S3_ENDPOINT: endpoint ?? "",
      S3_BUCKET: bucket,
      // Tests read what they download where they are sent; that downloads lead to the bucket is for test/e2e/nodes.test.ts.
      S3_PUBLIC_ENDPOINT: "none",
      S3_ACCESS_KEY_ID: s3.access_key_id,
      S3_SECRET_ACCESS_KEY: s3.secret_access_key,
      TONWERK_SECRET: randomBytes(32).toString("base64"),
    },
    giveBack: () => database.giveBack(),
  };
}
