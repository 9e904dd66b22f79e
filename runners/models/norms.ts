/**
 * Instance normalisation whose sums are exact. The runtime's CPU provider takes the sums of `InstanceNormalization` in
 * single precision, one value after another: over the 8 million values of HTDemucs's first layers (group norms, which
 * exporters write so) 74 dB are left of 138.
 *
 * Every one is replaced, however long its axis: the file does not tell lengths, which follow from shapes computed
 * inside, and over short axes the nodes cost microseconds. Sums alone are of double precision; values are scaled in
 * their own, as PyTorch does it.
 */
import { add, makeFloat, makeInteger, makeIntegers, makeNode, type Piece } from "./pieces.ts";
import type { Field, ProtobufFile } from "./protobuf.ts";

export const NORM = "InstanceNormalization";
/** From here on, constants may be integers without a tensor. */
export const NORM_OPSET_MIN = 12;
/** From here on, axes of reductions are an input. */
const AXES_INPUT = 18;
const [SINGLE, INTEGER, DOUBLE] = [1, 7, 11];
const EPSILON = 1e-5;

/** Nodes that stand for `norm`. */
export function exactNorm(file: ProtobufFile, norm: Field, opset: number): Piece[] {
  const fields = [...file.inside(norm)];
  const texts = (number: number): string[] =>
    fields.filter((one) => one.number === number).map((one) => file.text(one));
  const [[x = "", scale = "", bias = ""], [y = ""]] = [texts(1), texts(2)];
  const nodes: Piece[] = [];
  const make = (label: string, operator: string, from: readonly string[], attribute?: readonly Piece[]): string => {
    const to = label === "" ? y : `${y}:${label}`;
    add(nodes, makeNode(operator, from, to, attribute));
    return to;
  };
  const cast = (label: string, from: string, to = DOUBLE): string => make(label, "Cast", [from], makeInteger("to", to));
  const reduce = (label: string, operator: string): string =>
    opset < AXES_INPUT
      ? make(label, operator, [wide], makeIntegers("axes", [2]))
      : make(label, operator, [wide, make(`${label}_axes`, "Constant", [], makeIntegers("value_ints", [2]))]);

  // [instances, channels, values], whatever the rank is.
  const rows = make("rows", "Constant", [], makeIntegers("value_ints", [0, 0, -1]));
  const flat = make("flat", "Reshape", [x, rows]);
  const wide = cast("wide", flat);
  const last = make("last", "Constant", [], makeIntegers("value_ints", [2]));
  const count = cast("count", make("length", "Gather", [make("flat_shape", "Shape", [flat]), last]));
  const mean = reduce("mean", "ReduceMean");
  const power = make("power", "Div", [reduce("squares", "ReduceSumSquare"), count]);
  // Rounding may leave less than nothing where all values are equal.
  const spread = make("spread", "Sub", [power, make("mean_square", "Mul", [mean, mean])]);
  const variance = make("variance", "Relu", [spread]);
  const epsilon = cast(
    "epsilon",
    make("epsilon_value", "Constant", [], makeFloat("value_float", epsilonOf(file, fields))),
  );
  const deviation = make("deviation", "Sqrt", [make("raised", "Add", [variance, epsilon])]);

  const column = make("column", "Constant", [], makeIntegers("value_ints", [-1, 1]));
  const [scales, biases] = [
    cast("scales", make("scale_column", "Reshape", [scale, column])),
    cast("biases", make("bias_column", "Reshape", [bias, column])),
  ];
  const gain = make("gain", "Div", [scales, deviation]);
  const offset = make("offset", "Sub", [biases, make("moved", "Mul", [mean, gain])]);
  // [instances, channels, 1, 1 …], as many as the input has. What is scaled keeps its shape: the runtime joins a reshape to
  // that of a group norm behind it, and fails where it is of a shape that is computed.
  const shape = make("shape", "Shape", [x]);
  const first = make("first", "Gather", [shape, make("first_two", "Constant", [], makeIntegers("value_ints", [0, 1]))]);
  const further = make("further", "Sub", [make("rank", "Shape", [shape]), last]);
  const ones = cast("ones", make("ones_float", "Exp", [make("zeros", "ConstantOfShape", [further])]), INTEGER);
  const single = make("single", "Concat", [first, ones], makeInteger("axis", 0));
  // The CPU provider has the operator in single precision alone, so that is what it is of.
  const spreadOut = (label: string, from: string): string =>
    make(`${label}_spread`, "Reshape", [cast(`${label}_single`, from, SINGLE), single]);
  make("", "Add", [make("scaled", "Mul", [x, spreadOut("gain", gain)]), spreadOut("offset", offset)]);
  return nodes;
}

function epsilonOf(file: ProtobufFile, fields: readonly Field[]): number {
  const attribute = fields.find(({ number }) => number === 5);
  const value = attribute === undefined ? undefined : file.find(attribute, 2);
  return value === undefined ? EPSILON : file.bytes(value).readFloatLE();
}
