/**
 * ONNX graphs as families and the runtime's binding take them: of half precision (float16, bfloat16) in single, caches
 * without what is known of them, norms that sum exactly, a part of a graph alone. The file stays as it is; what the runtime is given is the
 * same graph with a few fields changed, in memory. Field numbers are those of onnx.proto3.
 */
import { basename } from "node:path";
import { isHalf, widen } from "./halves.ts";
import { exactNorm, NORM } from "./norms.ts";
import { findPart, type Needed, type Part } from "./part.ts";
import {
  add,
  content,
  makeInteger,
  makeIntegers,
  makeNode,
  makeNumber,
  makeText,
  nest,
  type Piece,
  rebuild,
  sizeOf,
  whole,
} from "./pieces.ts";
import { type Field, ProtobufFile } from "./protobuf.ts";

/** Element types, by onnx.proto3's number. */
const SINGLE = 1;
/** What stands behind the graph's own names: of ports that are cast to the name itself, and of weights. */
const OUTSIDE = ":outside";
/** Between a port's cast and what else happens at the border. */
const BORDER = ":border";
const STORED = ":half";
/** Bytes of a weight from which on it is mapped; exporters use the same. */
const MAPPED_MIN = 1024;
/** Attributes of operators that name an element type. */
const TYPE_ATTRIBUTES = new Set(["to", "dtype"]);

export interface Changes {
  /**
   * Of half precision, `borders` casts at inputs and outputs, and computes as the file has it. `whole` computes in
   * single precision throughout: weights are cast when the graph is loaded, and what would be rounded to half precision
   * is not.
   */
  readonly half?: "borders" | "whole" | undefined;
  /**
   * Caches [batch, heads, positions, size], by the graph's names. As inputs they are taken as [positions, batch, heads,
   * size], so that a position is added at the end of an array; as outputs only the last position is given, [batch,
   * heads, size].
   */
  readonly growing?: ReadonlySet<string>;
  /** Instances are normalised by sums in double precision, in operators of this version; undefined: as the runtime does it. */
  readonly exact_norms?: number | undefined;
  /** All of the graph that is wanted. */
  readonly part?: Part | undefined;
}

export interface RewrittenGraph {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The name that a port has in `bytes`, by the graph's own; the same where absent. */
  readonly names: ReadonlyMap<string, string>;
}

export function rewriteGraph(path: string, changes: Changes): RewrittenGraph {
  const file = new ProtobufFile(path);
  try {
    return new Rewriter(file, basename(path), changes).rewrite();
  } finally {
    file.close();
  }
}

class Rewriter {
  readonly #file: ProtobufFile;
  readonly #name: string;
  readonly #whole: boolean;
  readonly #borders: boolean;
  readonly #growing: ReadonlySet<string>;
  readonly #exact_norms: number | undefined;
  readonly #part: Part | undefined;
  readonly #names = new Map<string, string>();

  constructor(file: ProtobufFile, name: string, { half, growing = new Set(), exact_norms, part }: Changes) {
    this.#file = file;
    this.#name = name;
    this.#whole = half === "whole";
    this.#borders = half === "borders";
    this.#growing = growing;
    this.#exact_norms = exact_norms;
    this.#part = part;
  }

  rewrite(): RewrittenGraph {
    const pieces: Piece[] = [];
    for (const field of this.#file.fields(0, this.#file.size)) {
      if (field.number === 7) add(pieces, nest(7, this.#main(field)));
      else if (field.number === 25 && this.#whole) add(pieces, rebuild(field, this.#each(field, { 7: this.#node })));
      else add(pieces, [whole(field)]);
    }
    return { bytes: this.#join(pieces), names: this.#names };
  }

  /** The graph whose inputs and outputs are the model's. */
  #main(graph: Field): Piece[] {
    const [before, after]: [Piece[], Piece[]] = [[], []];
    const weights = this.#weights(graph);
    const needed = this.#part && findPart(this.#file, graph, this.#part);
    const port = (field: Field): Piece[] => {
      const [name, element] = [this.#nameOf(field), this.#elementOf(field)];
      const is_cast = this.#borders && isHalf(element) && !weights.has(name);
      const grows = this.#growing.has(name);
      if (!is_cast && !grows) return this.#whole ? this.#singlePort(field, weights) : [whole(field)];
      const outside = name + OUTSIDE;
      this.#names.set(name, outside);
      const middle = is_cast && grows ? name + BORDER : undefined;
      if (field.number === 11) {
        // Time, batch, heads, size to batch, heads, time, size.
        if (grows) add(before, makeNode("Transpose", [outside], middle ?? name, makeIntegers("perm", [1, 2, 0, 3])));
        if (is_cast) add(before, makeNode("Cast", [middle ?? outside], name, makeInteger("to", element)));
      } else {
        const last = `${name}:last`;
        if (grows) {
          add(after, makeNode("Constant", [], last, makeInteger("value_int", -1)));
          add(after, makeNode("Gather", [name, last], middle ?? outside, makeInteger("axis", 2)));
        }
        if (is_cast) add(after, makeNode("Cast", [middle ?? name], outside, makeInteger("to", SINGLE)));
      }
      // The last name is the one that counts.
      return nest(field.number, [...this.#portType(field, grows), ...makeText(1, outside)]);
    };
    const inside = this.#whole
      ? this.#graph(graph, port, needed)
      : this.#each(
          graph,
          { 1: (node) => needed?.rowsIn(node) ?? this.#norm(node), 5: this.#weight, 11: port, 12: port },
          needed,
        );
    return [...before, ...inside, ...after];
  }

  /** All of it in single precision. */
  #graph(graph: Field, port?: (field: Field) => Piece[], needed?: Needed): Piece[] {
    const casts: Piece[] = [];
    const weights = this.#weights(graph);
    const change = port ?? ((field: Field): Piece[] => this.#singlePort(field, weights));
    const inside = this.#each(
      graph,
      {
        1: (node) => needed?.rowsIn(node) ?? (this.#isNorm(node) ? this.#norm(node) : this.#node(node)),
        5: (tensor) => {
          if (!this.#isHalfTensor(tensor)) return this.#weight(tensor);
          const name = this.#weightOf(tensor);
          add(casts, makeNode("Cast", [name + STORED], name, makeInteger("to", SINGLE)));
          return nest(5, [...this.#pointed(tensor), ...makeText(8, name + STORED)]);
        },
        11: change,
        12: change,
        // Shapes inside are found anew.
        13: (value) => (isHalf(this.#elementOf(value)) ? [] : [whole(value)]),
      },
      needed,
    );
    return [...casts, ...inside];
  }

  readonly #norm = (node: Field): Piece[] =>
    this.#isNorm(node) ? exactNorm(this.#file, node, this.#exact_norms!) : [whole(node)];

  #isNorm(node: Field): boolean {
    if (this.#exact_norms === undefined) return false;
    const operator = this.#file.find(node, 4);
    return operator !== undefined && this.#file.text(operator) === NORM;
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
    return [...kept, ...nest(9, [widen(element, halves)])];
  }

  readonly #weight = (tensor: Field): Piece[] => rebuild(tensor, this.#pointed(tensor));

  /**
   * A tensor's content. Large values stay where they are, as external data of the file itself: the runtime maps them,
   * and nothing is copied.
   */
  #pointed(tensor: Field): Piece[] {
    const raw = this.#file.find(tensor, 9);
    if (raw === undefined || raw.to - raw.from < MAPPED_MIN) return [content(tensor)];
    const place = { location: this.#name, offset: `${raw.from}`, length: `${raw.to - raw.from}` };
    const entries = Object.entries(place).flatMap(([key, text]) =>
      nest(13, [...makeText(1, key), ...makeText(2, text)]),
    );
    // TensorProto.data_location 1: external.
    return [...this.#each(tensor, { 9: () => [] }), ...entries, ...makeNumber(14, 1)];
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

  /** Old exporters list weights among the inputs, where they might be replaced; now what is cast from them has the name. */
  #singlePort(port: Field, weights: ReadonlySet<string>): Piece[] {
    if (port.number === 11 && weights.has(this.#nameOf(port))) return [];
    return isHalf(this.#elementOf(port)) ? nest(port.number, this.#portType(port, false)) : [whole(port)];
  }

  /** The content of a port whose elements are singles. That of a cache has its positions first as an input, and no shape as an output. */
  #portType(port: Field, grows: boolean): Piece[] {
    const shape = (field: Field): Piece[] => {
      if (!grows) return [whole(field)];
      const [batch, heads, positions, size] = [...this.#file.inside(field)].filter(({ number }) => number === 1);
      if (port.number === 12 || size === undefined) return [];
      return nest(2, [positions!, batch!, heads!, size].map(whole));
    };
    const element = (field: Field): Piece[] => (isHalf(field.value) ? makeNumber(1, SINGLE) : [whole(field)]);
    const tensor = (field: Field): Piece[] => nest(1, this.#each(field, { 1: element, 2: shape }));
    return this.#each(port, { 2: (type) => nest(2, this.#each(type, { 1: tensor })) });
  }

  /** A message's content, its fields of some numbers changed, those that nobody needs left out. */
  #each(
    message: Field,
    change: Readonly<Record<number, (field: Field) => Piece[]>>,
    needed?: Pick<Needed, "has">,
  ): Piece[] {
    const pieces: Piece[] = [];
    for (const field of this.#file.inside(message)) {
      if (needed === undefined || needed.has(field)) add(pieces, change[field.number]?.(field) ?? [whole(field)]);
    }
    return pieces;
  }

  #join(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
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
