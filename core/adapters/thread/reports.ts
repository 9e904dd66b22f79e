/** Reports as authors return them: what JSON would change without a word, or nobody could read, is refused. */
import { Errors } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import type { AnyAction } from "../../../contract/mod.ts";
import { describeValue } from "../../actions/faults.ts";

/**
 * Bytes of its JSON. An operation is read whole: by clients, and for each webhook. Ours have 75 bytes a second of a
 * track, and 100 KB for a long song.
 */
const REPORT_BYTES_MAX = 2_000_000;
/** Deeper is a mistake: a report that holds itself has no end. */
const DEPTH_MAX = 32;

/** Throws TypeError or RangeError that says where the value is that JSON cannot carry. */
export function checkReportValue(what: string, report: unknown): void {
  if (!isPlain(report) || Array.isArray(report))
    throw new TypeError(`${what}: Cannot keep its report: it is ${describeValue(report)}, expected an object`);
  checkValue(`${what}: Cannot keep its report: `, "report", report, DEPTH_MAX);
  const bytes = new TextEncoder().encode(JSON.stringify(report)).byteLength;
  if (bytes > REPORT_BYTES_MAX) {
    const facts = `it has ${bytes} bytes as JSON, expected at most ${REPORT_BYTES_MAX}`;
    throw new RangeError(`${what}: Cannot keep its report: ${facts}`);
  }
}

function checkValue(begin: string, path: string, value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw new RangeError(`${begin}${path} is ${value}, expected a finite number or null`);
    case "object":
      if (value === null) return;
      if (depth === 0) throw new RangeError(`${begin}${path} lies more than ${DEPTH_MAX} levels deep`);
      if (!isPlain(value)) break;
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++)
          checkValue(begin, `${path}[${index}]`, value[index], depth - 1);
      } else {
        // Undefined: left out, as everywhere in JavaScript.
        for (const [key, entry] of Object.entries(value))
          if (entry !== undefined) checkValue(begin, `${path}.${key}`, entry, depth - 1);
      }
      return;
  }
  throw new TypeError(`${begin}${path} is ${describeValue(value)}, expected what JSON can carry`);
}

/** An object or a list, of no class: JSON turns a Map into {} and typed arrays into objects. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** Throws TypeError where a report is not what its declaration promises: clients are typed by it. */
export function checkDeclared(what: string, { report: schema }: AnyAction, report: unknown): void {
  if (schema === undefined || Check(schema, report)) return;
  const [fault] = Errors(schema, report);
  const path = fault?.path.slice(1).replaceAll("/", ".") || "report";
  throw new TypeError(
    `${what}: Cannot deliver its report: ${path} is ${describeValue(fault?.value)}, expected as declared (${fault?.message})`,
  );
}
