/** What can be wrong with a source, as the catalogue of failure codes names it. */
export type SourceErrorCode =
  | "source_too_large"
  | "source_too_long"
  | "source_too_short"
  | "source_unsupported_format"
  | "source_undecodable"
  | "source_silent";

/** The source's fault, not ours: the operation that named it fails with `code`. Any other error of these runners is our own. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A sample of what is to be mastered or delivered is not finite: whoever made it is at fault. */
export class SampleError extends RangeError {
  override readonly name = "SampleError";
}
