/** Why a server could not do its part. */

/**
 * `lost`: the connection broke, so that another try may go well. `away`: there was none. `busy`: it works for somebody else. `wrong`: it answered, and
 * what it said cannot be used.
 */
export type SidecarFailure = "lost" | "away" | "busy" | "wrong";

export class SidecarFault extends Error {
  override readonly name = "SidecarFault";
  readonly code: SidecarFailure;
  constructor(code: SidecarFailure, message: string) {
    super(message);
    this.code = code;
  }
}

export const wrong = (message: string): SidecarFault => new SidecarFault("wrong", message);

/** What a server says, in one line that a log takes. */
export function quote(said: unknown): string {
  const text = typeof said === "string" ? said : (JSON.stringify(said) ?? String(said));
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]+/gu, " ").trim();
  return `"${plain.length > 200 ? `${plain.slice(0, 200)}…` : plain}"`;
}
