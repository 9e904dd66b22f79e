import { Buffer } from "node:buffer";

/**
 * The array buffers inside `value` that can be transferred, each once. Looks into arrays, plain objects, maps and sets.
 * Shared buffers stay shared, and Node's `Buffer`s are copied: a small one is a slice of a slab that others use too.
 */
export function transferables(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const seen = new Set<object>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    if (node instanceof ArrayBuffer) buffers.add(node);
    else if (ArrayBuffer.isView(node)) {
      if (!(node instanceof Buffer) && node.buffer instanceof ArrayBuffer) buffers.add(node.buffer);
    } else if (Array.isArray(node) || node instanceof Set) for (const item of node) visit(item);
    else if (node instanceof Map) for (const entry of node) visit(entry);
    else if (isPlain(node)) for (const item of Object.values(node)) visit(item);
  };
  visit(value);
  return [...buffers];
}

/**
 * Gives the memory of all array buffers inside `value` back at once, which are empty afterwards. A collector sees only
 * their small heads, and a model's tensors are tens of megabytes.
 */
export function free(value: unknown): void {
  for (const buffer of transferables(value)) if (!buffer.detached) buffer.transfer(0);
}

/** Object literals and objects without a prototype; instances of classes are left to the structured clone. */
export function isPlain(node: object): node is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(node);
  return prototype === Object.prototype || prototype === null;
}
