/** The model, not the request, is at fault: the built-in engine can take over. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly model: string;
  readonly reason: string;
  /** Its process ended, and with it what was carried: a piece may be begun anew. */
  readonly lost: boolean;
  constructor(model: string, reason: string, lost = false) {
    super(`Model "${model}": ${reason}`);
    this.model = model;
    this.reason = reason;
    this.lost = lost;
  }
}
