/**
 * ONNX graphs of half precision (float16, bfloat16) as families take them: single precision at their borders. The file stays as it is; what the runtime is
 * given is the same graph with a few fields changed, in memory. Field numbers are those of onnx.proto3.
 */
import { type Field, ProtobufFile } from "./protobuf.ts";

/** Element types, by onnx.proto3's number. */
const SINGLE = 1;
const HALVES: Readonly<Record<number, string>> = { 10: "float16", 16: "bfloat16" };
/** What stands behind the graph's own names: of ports that are cast to the name itself, and of weights. */
const OUTSIDE = ":single";
const STORED = ":half";
/** Attributes of operators that name an element type. */
const TYPE_ATTRIBUTES = new Set(["to", "dtype"]);

export interface SingleGraph {
  readonly bytes: Uint8Array;
  /** The name that a port has in `bytes`, by the graph's own; the same where absent. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * - `borders`: casts at inputs and outputs, and computes as the file has it.
 * - `whole`: computes in single precision throughout. Weights are cast when the graph is loaded, and what would be rounded to half precision is not.
 */
export function makeSingle(path: string, how: "borders" | "whole"): SingleGraph {
  const file = new ProtobufFile(path);
  try {
    return new Rewriter(file, how === "whole").rewrite();
  } finally {
    file.close();
  }
}

export function isHalf(element: number): boolean {
  return element in HALVES;
}

/** Bytes of the file, or new ones. */
type Piece = Uint8Array | { readonly from: number; readonly to: number };

class Rewriter {
  readonly #file: ProtobufFile;
  readonly #whole: boolean;
  readonly #names = new Map<string, string>();

  constructor(file: ProtobufFile, whole: boolean) {
    this.#file = file;
    this.#whole = whole;
  }

  rewrite(): SingleGraph {
    const pieces: Piece[] = [];
    for (const field of this.#file.fields(0, this.#file.size)) {
      if (field.number === 7) add(pieces, nest(7, this.#whole ? this.#graph(field) : this.#borders(field)));
      else if (field.number === 25 && this.#whole) add(pieces, rebuild(field, this.#each(field, { 7: this.#node })));
      else add(pieces, [whole(field)]);
    }
    return { bytes: this.#join(pieces), names: this.#names };
  }

  #borders(graph: Field): Piece[] {
    const [before, after]: [Piece[], Piece[]] = [[], []];
    const weights = this.#weights(graph);
    const cast = (port: Field): Piece[] => {
      const [name, element] = [this.#nameOf(port), this.#elementOf(port)];
      if (!isHalf(element) || weights.has(name)) return [whole(port)];
      this.#names.set(name, name + OUTSIDE);
      if (port.number === 11) add(before, makeCast(name + OUTSIDE, name, element));
      else add(after, makeCast(name, name + OUTSIDE, SINGLE));
      // The last name is the one that counts.
      return nest(port.number, [...this.#typed(port), ...makeText(1, name + OUTSIDE)]);
    };
    const inside = this.#each(graph, { 11: cast, 12: cast });
    return [...before, ...inside, ...after];
  }

  #graph(graph: Field): Piece[] {
    const casts: Piece[] = [];
    const weights = this.#weights(graph);
    const port = (field: Field): Piece[] =>
      isHalf(this.#elementOf(field)) ? nest(field.number, this.#typed(field)) : [whole(field)];
    const inside = this.#each(graph, {
      1: this.#node,
      5: (tensor) => {
        if (!this.#isHalfTensor(tensor)) return [whole(tensor)];
        const name = this.#weightOf(tensor);
        add(casts, makeCast(name + STORED, name, SINGLE));
        return nest(5, [content(tensor), ...makeText(8, name + STORED)]);
      },
      // Old exporters list weights among the inputs, where they might be replaced; now what is cast from them has the name.
      11: (input) => (weights.has(this.#nameOf(input)) ? [] : port(input)),
      12: port,
      // Shapes inside are found anew.
      13: (value) => (isHalf(this.#elementOf(value)) ? [] : [whole(value)]),
    });
    return [...casts, ...inside];
  }

  readonly #node = (node: Field): Piece[] => rebuild(node, this.#each(node, { 5: this.#attribute }));

  readonly #attribute = (attribute: Field): Piece[] => {
    const named = this.#file.find(attribute, 1);
    const is_type = named !== undefined && TYPE_ATTRIBUTES.has(this.#file.text(named));
    const tensor = (field: Field): Piece[] =>
      this.#isHalfTensor(field) ? nest(field.number, this.#widened(field)) : [whole(field)];
    const graph = (field: Field): Piece[] => rebuild(field, this.#graph(field));
    const changed = this.#each(attribute, {
      3: (field) => (is_type && isHalf(field.value) ? makeNumber(3, SINGLE) : [whole(field)]),
      5: tensor,
      10: tensor,
      6: graph,
      11: graph,
    });
    return rebuild(attribute, changed);
  };

  /** A tensor within an attribute, its values in single precision. */
  #widened(tensor: Field): Piece[] {
    const element = this.#file.find(tensor, 2)!.value;
    const halves: number[] = [];
    const kept = this.#each(tensor, {
      2: () => makeNumber(2, SINGLE),
      // One number each, or all of them packed.
      5: (field) => {
        if (field.from === field.to) halves.push(field.value);
        for (let at = field.from; at < field.to; ) {
          const [value, next] = this.#file.varint(at);
          halves.push(value);
          at = next;
        }
        return [];
      },
      9: (field) => {
        const bytes = this.#file.bytes(field);
        for (let at = 0; at < bytes.length; at += 2) halves.push(bytes.readUInt16LE(at));
        return [];
      },
    });
    const values = Buffer.alloc(4 * halves.length);
    for (const [n, half] of halves.entries()) {
      // The upper half of a single's bits.
      if (HALVES[element] === "bfloat16") values.writeUInt32LE((half << 16) >>> 0, 4 * n);
      else values.writeFloatLE(singleOf(half), 4 * n);
    }
    return [...kept, ...nest(9, [values])];
  }

  /** Names of half-precision weights. */
  #weights(graph: Field): ReadonlySet<string> {
    const names = new Set<string>();
    for (const field of this.#file.inside(graph))
      if (field.number === 5 && this.#isHalfTensor(field)) names.add(this.#weightOf(field));
    return names;
  }

  #isHalfTensor(tensor: Field): boolean {
    return isHalf(this.#file.find(tensor, 2)?.value ?? 0);
  }

  #weightOf(tensor: Field): string {
    const name = this.#file.find(tensor, 8);
    return name === undefined ? "" : this.#file.text(name);
  }

  #nameOf(port: Field): string {
    const name = this.#file.find(port, 1);
    return name === undefined ? "" : this.#file.text(name);
  }

  #elementOf(port: Field): number {
    const type = this.#file.find(port, 2);
    const tensor = type === undefined ? undefined : this.#file.find(type, 1);
    return (tensor === undefined ? undefined : this.#file.find(tensor, 1)?.value) ?? 0;
  }

  /** The content of a port whose elements are singles. */
  #typed(port: Field): Piece[] {
    const tensor = (field: Field): Piece[] => nest(1, this.#each(field, { 1: () => makeNumber(1, SINGLE) }));
    return this.#each(port, { 2: (type) => nest(2, this.#each(type, { 1: tensor })) });
  }

  /** A message's content, its fields of some numbers changed. */
  #each(message: Field, change: Readonly<Record<number, (field: Field) => Piece[]>>): Piece[] {
    const pieces: Piece[] = [];
    for (const field of this.#file.inside(message)) add(pieces, change[field.number]?.(field) ?? [whole(field)]);
    return pieces;
  }

  #join(pieces: readonly Piece[]): Uint8Array {
    const bytes = new Uint8Array(sizeOf(pieces));
    let at = 0;
    for (const piece of pieces) {
      const part = bytes.subarray(at, at + sizeOf([piece]));
      if (piece instanceof Uint8Array) part.set(piece);
      else this.#file.copy(piece.from, part);
      at += part.length;
    }
    return bytes;
  }
}

const whole = ({ start, to }: Field): Piece => ({ from: start, to });
const content = ({ from, to }: Field): Piece => ({ from, to });

/** Neighbours in the file become one. */
function add(pieces: Piece[], more: readonly Piece[]): void {
  for (const piece of more) {
    const last = pieces.at(-1);
    if (last !== undefined && "from" in last && "from" in piece && last.to === piece.from)
      pieces[pieces.length - 1] = { from: last.from, to: piece.to };
    else pieces.push(piece);
  }
}

/** A message with this content: as it is, where that is its own. */
function rebuild(message: Field, pieces: readonly Piece[]): Piece[] {
  const [first] = pieces;
  const is_same =
    pieces.length === 1 &&
    first !== undefined &&
    "from" in first &&
    first.from === message.from &&
    first.to === message.to;
  return is_same ? [whole(message)] : nest(message.number, pieces);
}

function nest(number: number, pieces: readonly Piece[]): Piece[] {
  return [Uint8Array.from([...varint(8 * number + 2), ...varint(sizeOf(pieces))]), ...pieces];
}

function makeText(number: number, text: string): Piece[] {
  return nest(number, [Buffer.from(text)]);
}

function makeNumber(number: number, value: number): Piece[] {
  return [Uint8Array.from([...varint(8 * number), ...varint(value)])];
}

/** A node of a graph. */
function makeCast(from: string, to: string, element: number): Piece[] {
  // AttributeProto.type 2: an integer.
  const attribute = [...makeText(1, "to"), ...makeNumber(3, element), ...makeNumber(20, 2)];
  return nest(1, [...makeText(1, from), ...makeText(2, to), ...makeText(4, "Cast"), ...nest(5, attribute)]);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.to - piece.from), 0);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** Of a float16's bits. */
function singleOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
