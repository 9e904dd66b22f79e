/**
 * The part of an ONNX graph that some of its outputs need, so that the rest and its weights are not loaded: of the
 * decoder that makes a first step, the keys and values of the text, say. Field numbers are those of onnx.proto3.
 */
import { makeNode, type Piece } from "./pieces.ts";
import type { Field, ProtobufFile } from "./protobuf.ts";

export interface Part {
  /** Names of outputs, as the graph has them. */
  readonly outputs: readonly string[];
  /**
   * Input whose first size is the number of rows. Exporters ask what has been computed for that number, and so tie to a
   * layer's weights what only takes its shape; they are given it from here.
   */
  readonly rows_of: string;
}

export interface Needed {
  /** Whether a field of the graph belongs to the part. */
  has(field: Field): boolean;
  /** What stands for a node that asks for the number of rows; undefined: it asks for something else. */
  rowsIn(node: Field): Piece[] | undefined;
}

const [NODE, WEIGHT, INPUT, OUTPUT, SHAPE] = [1, 5, 11, 12, 13];

interface Node {
  readonly field: Field;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** @throws Error where the graph has no such output, or the part has branches or loops */
export function findPart(file: ProtobufFile, graph: Field, { outputs, rows_of }: Part): Needed {
  const makers = new Map<string, Node>();
  const zeros = new Set<string>();
  for (const field of file.inside(graph)) {
    if (field.number === WEIGHT && isZero(file, field)) zeros.add(nameOf(file, field, 8));
    if (field.number !== NODE) continue;
    const node = readNode(file, field);
    for (const name of node.outputs) makers.set(name, node);
    if (node.operator === "Constant" && isZeroConstant(file, field)) zeros.add(node.outputs[0]!);
  }
  const asksRows = ({ operator, inputs: [of = "", index = ""], field }: Node): boolean =>
    operator === "Gather" &&
    makers.get(of)?.operator === "Shape" &&
    // Neither has an attribute: an axis, or a start.
    [field, makers.get(of)!.field].every((one) => attributesOf(file, one).every((value) => value === 0)) &&
    zeros.has(index);

  const rows = new Map<number, Piece[]>();
  const nodes = new Set<number>();
  const names = new Set<string>();
  const wanted = [...outputs];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    const node = makers.get(name);
    if (node === undefined || nodes.has(node.field.start)) continue;
    nodes.add(node.field.start);
    if (asksRows(node)) {
      const [to, index] = [node.outputs[0]!, node.inputs[1]!];
      const shape = `${to}:rows`;
      rows.set(node.field.start, [...makeNode("Shape", [rows_of], shape), ...makeNode("Gather", [shape, index], to)]);
      wanted.push(rows_of, index);
      continue;
    }
    if (hasGraph(file, node.field)) throw new Error(`"${name}" comes out of a branch or loop`);
    wanted.push(...node.inputs.filter((input) => input !== ""));
  }
  const missing = outputs.find((name) => !makers.has(name));
  if (missing !== undefined) throw new Error(`the graph makes no "${missing}"`);
  return {
    has(field) {
      if (field.number === NODE) return nodes.has(field.start);
      if (field.number === WEIGHT) return names.has(nameOf(file, field, 8));
      if (field.number === INPUT) return names.has(nameOf(file, field, 1));
      if (field.number === OUTPUT) return outputs.includes(nameOf(file, field, 1));
      // Shapes inside are found anew.
      return field.number !== SHAPE;
    },
    rowsIn: (node) => rows.get(node.start),
  };
}

function readNode(file: ProtobufFile, field: Field): Node {
  const texts: Record<number, string[]> = { 1: [], 2: [], 4: [] };
  for (const part of file.inside(field)) texts[part.number]?.push(file.text(part));
  return { field, inputs: texts[1]!, outputs: texts[2]!, operator: texts[4]![0] ?? "" };
}

function nameOf(file: ProtobufFile, message: Field, number: number): string {
  const name = file.find(message, number);
  return name === undefined ? "" : file.text(name);
}

/** Whole numbers among a node's attributes. */
function attributesOf(file: ProtobufFile, node: Field): readonly number[] {
  return [...file.inside(node)]
    .filter(({ number }) => number === 5)
    .flatMap((attribute) => [...file.inside(attribute)].filter(({ number }) => number === 3).map(({ value }) => value));
}

function hasGraph(file: ProtobufFile, node: Field): boolean {
  return [...file.inside(node)].some(
    (attribute) =>
      attribute.number === 5 && [...file.inside(attribute)].some(({ number }) => number === 6 || number === 11),
  );
}

function isZeroConstant(file: ProtobufFile, node: Field): boolean {
  const attribute = file.find(node, 5);
  if (attribute === undefined) return false;
  const tensor = file.find(attribute, 5);
  return tensor !== undefined && isZero(file, tensor);
}

/** Whether a tensor is one 0 of int64. */
function isZero(file: ProtobufFile, tensor: Field): boolean {
  const INT64 = 7;
  if (file.find(tensor, 2)?.value !== INT64) return false;
  const dims = [...file.inside(tensor)].filter(({ number }) => number === 1);
  const [raw, packed] = [file.find(tensor, 9), file.find(tensor, 7)];
  if (dims.length > 0) return false;
  if (raw !== undefined) return raw.to - raw.from === 8 && file.bytes(raw).every((byte) => byte === 0);
  return packed !== undefined && packed.value === 0 && file.bytes(packed).every((byte) => byte === 0);
}
