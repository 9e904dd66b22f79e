/** Messages of Protocol Buffers, and nodes of ONNX graphs, put together of parts of a file and of new ones. */
import type { Field } from "./protobuf.ts";

/** Bytes of the file, or new ones. */
export type Piece = Uint8Array | { readonly from: number; readonly to: number };

export const whole = ({ start, to }: Field): Piece => ({ from: start, to });
export const content = ({ from, to }: Field): Piece => ({ from, to });

/** Neighbours in the file become one. */
export function add(pieces: Piece[], more: readonly Piece[]): void {
  for (const piece of more) {
    const last = pieces.at(-1);
    if (last !== undefined && "from" in last && "from" in piece && last.to === piece.from)
      pieces[pieces.length - 1] = { from: last.from, to: piece.to };
    else pieces.push(piece);
  }
}

/** A message with this content: as it is, where that is its own. */
export function rebuild(message: Field, pieces: readonly Piece[]): Piece[] {
  const [first] = pieces;
  const is_same =
    pieces.length === 1 &&
    first !== undefined &&
    "from" in first &&
    first.from === message.from &&
    first.to === message.to;
  return is_same ? [whole(message)] : nest(message.number, pieces);
}

export function nest(number: number, pieces: readonly Piece[]): Piece[] {
  return [Uint8Array.from([...varint(8 * number + 2), ...varint(sizeOf(pieces))]), ...pieces];
}

export function makeText(number: number, text: string): Piece[] {
  return nest(number, [Buffer.from(text)]);
}

export function makeNumber(number: number, value: number): Piece[] {
  return [Uint8Array.from([...varint(8 * number), ...varint(value)])];
}

/** With one attribute at most. */
export function makeNode(
  operator: string,
  from: readonly string[],
  to: string,
  attribute?: readonly Piece[] | undefined,
): Piece[] {
  const inputs = from.flatMap((name) => makeText(1, name));
  const attributes = attribute === undefined ? [] : nest(5, attribute);
  return nest(1, [...inputs, ...makeText(2, to), ...makeText(4, operator), ...attributes]);
}

/** Attributes; `AttributeProto.type` is 1 of a float, 2 of an integer, 7 of several. */
export function makeFloat(name: string, value: number): Piece[] {
  const bytes = new DataView(new ArrayBuffer(5));
  // Field 2 of 32 bits.
  bytes.setUint8(0, 8 * 2 + 5);
  bytes.setFloat32(1, value, true);
  return [...makeText(1, name), new Uint8Array(bytes.buffer), ...makeNumber(20, 1)];
}

export function makeInteger(name: string, value: number): Piece[] {
  return [...makeText(1, name), ...makeNumber(3, value), ...makeNumber(20, 2)];
}

export function makeIntegers(name: string, values: readonly number[]): Piece[] {
  return [...makeText(1, name), ...values.flatMap((value) => makeNumber(8, value)), ...makeNumber(20, 7)];
}

export function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.to - piece.from), 0);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  // Negative ones as 64 bits.
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}
