import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { CALL_MS } from "./client.ts";

/** Rules whose id begins so are ours. */
const OURS = "tonwerk-";
/** Results are deleted by the service itself; this many days later by the server, should that have failed. */
const SLACK_DAYS = 7;

/** Resolves to why it was not possible, null where it was. */
export async function applyLifecycle(client: S3Client, bucket: string, days: number): Promise<string | null> {
  const wanted: readonly LifecycleRule[] = [
    // Only results: an upload lives on with each use, however old it is.
    { ID: `${OURS}results`, Status: "Enabled", Filter: { Prefix: "op/" }, Expiration: { Days: days + SLACK_DAYS } },
    {
      ID: `${OURS}unfinished`,
      Status: "Enabled",
      Filter: { Prefix: "" },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
  ];
  const soon = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });
  try {
    const known = await client
      .send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }), soon())
      .then(({ Rules = [] }) => Rules)
      .catch((error: Error) => {
        if (error.name === "NoSuchLifecycleConfiguration") return [];
        throw error;
      });
    const Rules = [...known.filter(({ ID = "" }) => !ID.startsWith(OURS)), ...wanted];
    const command = new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } });
    await client.send(command, soon());
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
