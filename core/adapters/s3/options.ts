/** Where the audio is, as the configuration says. */
import type { Config } from "../../base/config.ts";

export interface S3Options {
  /** Null: Amazon's, by the region. */
  readonly endpoint: string | null;
  /** Where clients reach the same server, for the addresses they are sent to; null: `endpoint`. */
  readonly public_endpoint: string | null;
  readonly bucket: string;
  readonly region: string;
  /** Null: what the machine's surroundings give (environment, files, instance role). */
  readonly credentials: { readonly access_key_id: string; readonly secret_access_key: string } | null;
  /** True: `<endpoint>/<bucket>/<key>`; false: `<bucket>.<endpoint>/<key>`. */
  readonly path_style: boolean;
}

/** `bucket`: S3_BUCKET, which is set. */
export function s3Options(config: Config, bucket: string): S3Options {
  const { s3_endpoint, s3_public_endpoint, s3_access_key_id, s3_secret_access_key } = config;
  const credentials =
    s3_access_key_id === null || s3_secret_access_key === null
      ? null
      : { access_key_id: s3_access_key_id, secret_access_key: s3_secret_access_key };
  return {
    bucket,
    endpoint: s3_endpoint,
    public_endpoint: s3_public_endpoint === "none" ? null : s3_public_endpoint,
    region: config.s3_region,
    credentials,
    path_style: config.s3_addressing === "auto" ? s3_endpoint !== null : config.s3_addressing === "path",
  };
}
