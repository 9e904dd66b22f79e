/** The audit log as it leaves the installation, and whether it is as it was written. */
import { createHash } from "node:crypto";
import { type AuditEntry, type AuditStore, auditText } from "../../core/surface.ts";

/** One line of an export. */
export function auditLine({ details, ...entry }: AuditEntry): string {
  return JSON.stringify({ ...entry, at_utc: new Date(entry.at).toISOString(), details: JSON.parse(details) });
}

export interface Verified {
  readonly entries: number;
  /** What is before it was forgotten after its time; null: the log is empty. */
  readonly oldest: { readonly position: number; readonly at: number } | null;
  /** Written down elsewhere, it tells later whether entries were cut off at this end. */
  readonly newest: { readonly position: number; readonly sha256: string } | null;
  /** The first few, as sentences; empty: the log is as it was written. */
  readonly faults: readonly string[];
}

const PAGE = 1_000;
const FAULTS_MAX = 20;

/** Reads the whole log and computes its chain anew. */
export async function verifyAudit(store: Pick<AuditStore, "auditEntries">): Promise<Verified> {
  const faults: string[] = [];
  const fault = (text: string): unknown => faults.length < FAULTS_MAX && faults.push(text);
  let entries = 0;
  let newest: AuditEntry | undefined;
  /** The entry that comes after the one that is looked at. */
  let after: AuditEntry | undefined;
  for (;;) {
    const page = await store.auditEntries({ limit: PAGE, ...(after === undefined ? {} : { before: after.position }) });
    for (const one of page) {
      entries++;
      newest ??= one;
      const sha256 = createHash("sha256")
        .update(`${one.previous}\n${auditText(one)}`)
        .digest("hex");
      if (sha256 !== one.sha256) fault(`Entry ${one.position} (${one.id}) was changed`);
      if (after !== undefined && after.position !== one.position + 1) {
        fault(`Entries ${one.position + 1} to ${after.position - 1} are missing`);
      } else if (after !== undefined && after.previous !== one.sha256) {
        fault(`Entry ${after.position} (${after.id}) does not follow the one before it`);
      }
      after = one;
    }
    if (page.length < PAGE) break;
  }
  if (after?.position === 1 && after.previous !== "") fault("Entry 1 does not begin the chain");
  return {
    entries,
    oldest: after === undefined ? null : { position: after.position, at: after.at },
    newest: newest === undefined ? null : { position: newest.position, sha256: newest.sha256 },
    faults,
  };
}
