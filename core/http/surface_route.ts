import type { OpenAPIV3_1 } from "openapi-types";

/** A route that a surface adds to the API. It has no key: requests are counted by address, before their body is read. */
export interface SurfaceRoute {
  readonly method: "GET" | "PUT" | "POST";
  /** Exact. */
  readonly path: string;
  /** Its entry of the OpenAPI document. */
  readonly detail: OpenAPIV3_1.OperationObject;
  /** Resolves to what is answered as JSON; a Refusal is answered as one. */
  answer(request: Request): Promise<object>;
}
