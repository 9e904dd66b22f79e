/** Why a request to the outside had no usable answer. */
export type OutboundFault =
  /** The URL, or a name in it, leads to an address that must not be reached. Nothing was connected to. */
  | "forbidden_address"
  /** No connection: not HTTPS, unknown name, refused, wrong certificate. */
  | "unreachable"
  /** One of the time limits. */
  | "timeout"
  /** More bytes than allowed, announced or sent. */
  | "too_large"
  /** An answer that is none, or none that can be used. */
  | "bad_response"
  /** The caller's signal. */
  | "aborted";

/** `message` continues "Cannot fetch it: " and may be shown to the client: it names no address that a name resolved to. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundFault;
  constructor(code: OutboundFault, message: string) {
    super(message);
    this.code = code;
  }
}
