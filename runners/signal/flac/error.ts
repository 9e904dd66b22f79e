/**
 * What is wrong with a file:
 * - `not_flac`: it does not begin as FLAC does
 * - `unsupported`: it changes its form on the way, or uses what the format reserves
 * - `damaged`: a check failed, or what it says cannot be
 * - `truncated`: it ends too early
 */
export type FlacFault = "not_flac" | "unsupported" | "damaged" | "truncated";

export class FlacError extends Error {
  override readonly name = "FlacError";
  readonly fault: FlacFault;
  constructor(fault: FlacFault, why: string) {
    super(`Cannot decode the FLAC: ${why}`);
    this.fault = fault;
  }
}
