/** Who is told of in the audit log. */
import type { Actor } from "../../../core/surface.ts";

/** Of somebody who is signed in, or the operator as an owner. */
export function actorOf(by: {
  readonly user: { readonly id: string; readonly email?: string };
  readonly address?: string | undefined;
}): Actor {
  return { id: by.user.id, email: by.user.email ?? null, address: by.address ?? null };
}
