/** What uploads are refused for, beside what every surface refuses. Codes stand in the catalogue of core. */
import { Refusal } from "../../core/surface.ts";

export const tokenSpent = (): Refusal =>
  new Refusal("upload_token_spent", "As many files or bytes as this upload token allows have been uploaded with it");

export const tokenOfOrigin = (): Refusal =>
  new Refusal("upload_token_origin", "This upload token is for pages of another origin");

export const fileNotFound = (): Refusal => new Refusal("file_not_found", "File not found");

/** Not 503: balancers would take the whole node for ill, and jobs go on. */
export const noRoom = (): Refusal =>
  new Refusal("no_room", "The server has no room for uploads now, try again later", { "retry-after": "60" });
