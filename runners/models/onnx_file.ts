/**
 * What an ONNX file says of itself, read from its own bytes: inputs and outputs, the files that it loads beside itself,
 * whether it draws at random. Weights are stepped over, so that gigabytes take milliseconds. Field numbers are those of
 * onnx.proto3.
 */

import { isHalf } from "./halves.ts";
import type { Dim, GraphPort } from "./layout.ts";
import { NORM } from "./norms.ts";
import { type Field, ProtobufFile } from "./protobuf.ts";

export interface OnnxFacts {
  readonly producer: string;
  /** Version of ONNX's own operators. */
  readonly opset: number;
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  /** Paths relative to the file's folder. */
  readonly external: readonly string[];
  /** Operators that draw numbers at random, each once. */
  readonly random: readonly string[];
  /**
   * Half precision that stands at its borders, or that no CPU computes in; null: there is none. Ports are told as they
   * are fed, in single precision.
   */
  readonly half: string | null;
  /** Whether it normalises instances, which `rewriteGraph` makes exact. */
  readonly norms: boolean;
}

/** @throws Error that says what the file is instead, or where it is cut short */
export function readOnnx(path: string): OnnxFacts {
  const file = new ProtobufFile(path);
  try {
    return new Reader(file).read();
  } finally {
    file.close();
  }
}

const RANDOM = new Set([
  "RandomNormal",
  "RandomNormalLike",
  "RandomUniform",
  "RandomUniformLike",
  "Multinomial",
  "Bernoulli",
]);
/** Of tensors' elements, by onnx.proto3's number; those that models have at their borders. */
const SINGLE = 1;
const ELEMENTS: Readonly<Record<number, string>> = {
  [SINGLE]: "float32",
  2: "uint8",
  3: "int8",
  6: "int32",
  7: "int64",
  8: "string",
  9: "bool",
  10: "float16",
  11: "float64",
  16: "bfloat16",
};
/** What operators take for ONNX, by how it begins. */
const STRANGERS: readonly (readonly [RegExp, string])[] = [
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS, not the file itself ("git lfs pull" fetches it)'],
  [/^PK/, "a ZIP archive, as PyTorch writes its checkpoints (.pt, .pth, .ckpt): export it to ONNX"],
  [/^.{8}\{"/s, "a file of safetensors: export it to ONNX"],
  [/^.{4}TFL3/s, "a TensorFlow Lite model: convert it to ONNX"],
  [/^\s*<(!doctype|html)/i, "a web page, which came in place of a download"],
  [/^\s*[{[]/, "JSON"],
  [/^\x89HDF/, "a file of HDF5 (Keras): convert it to ONNX"],
  [/^GGUF/, "a file of GGUF"],
];

class Reader {
  readonly #file: ProtobufFile;
  readonly #external = new Set<string>();
  readonly #random = new Set<string>();
  #half: string | null = null;
  #norms = false;

  constructor(file: ProtobufFile) {
    this.#file = file;
  }

  read(): OnnxFacts {
    this.#refuseStrangers();
    let producer = "";
    let opset = 0;
    let graph: Field | undefined;
    for (const field of this.#file.fields(0, this.#file.size)) {
      if (field.number === 2) producer = this.#file.text(field);
      if (field.number === 7) graph = field;
      if (field.number === 8) opset = this.#opset(field) ?? opset;
      // Functions of the model: their nodes.
      if (field.number === 25) for (const one of this.#file.inside(field)) if (one.number === 7) this.#node(one);
    }
    if (graph === undefined) throw new Error("it is no ONNX file: it holds no graph");
    const inputs: GraphPort[] = [];
    const outputs: GraphPort[] = [];
    const constants = this.#graph(graph, inputs, outputs);
    return {
      producer,
      opset,
      // Old exporters list weights among the inputs.
      inputs: inputs.filter(({ name }) => !constants.has(name)),
      outputs,
      external: [...this.#external],
      random: [...this.#random],
      half: this.#half,
      norms: this.#norms,
    };
  }

  /** Undefined: of operators that are not ONNX's own. */
  #opset(imported: Field): number | undefined {
    const [domain, version] = [this.#file.find(imported, 1), this.#file.find(imported, 2)];
    return domain === undefined || domain.from === domain.to ? version?.value : undefined;
  }

  #refuseStrangers(): void {
    if (this.#file.size === 0) throw new Error("it is empty");
    const begin = this.#file.bytes({ from: 0, to: Math.min(256, this.#file.size) });
    const stranger = STRANGERS.find(([pattern]) => pattern.test(begin.toString("latin1")));
    if (stranger !== undefined) throw new Error(`it is no ONNX file but ${stranger[1]}`);
  }

  /** Names of its constants. */
  #graph(graph: Field, inputs: GraphPort[] = [], outputs: GraphPort[] = []): ReadonlySet<string> {
    const constants = new Set<string>();
    for (const field of this.#file.inside(graph)) {
      if (field.number === 1) this.#node(field);
      else if (field.number === 5) constants.add(this.#tensor(field));
      else if (field.number === 11) inputs.push(this.#port(field));
      else if (field.number === 12) outputs.push(this.#port(field));
    }
    return constants;
  }

  #node(node: Field): void {
    for (const field of this.#file.inside(node)) {
      if (field.number === 4) {
        const operator = this.#file.text(field);
        if (RANDOM.has(operator)) this.#random.add(operator);
        if (operator === NORM) this.#norms = true;
      } else if (field.number === 5) {
        for (const part of this.#file.inside(field)) {
          if (part.number === 5 || part.number === 10) this.#tensor(part);
          else if (part.number === 6 || part.number === 11) this.#graph(part);
        }
      }
    }
  }

  /** Its name; notes where its values lie. */
  #tensor(tensor: Field): string {
    let name = "";
    for (const field of this.#file.inside(tensor)) {
      if (field.number === 8) name = this.#file.text(field);
      if (field.number === 2 && ELEMENTS[field.value] === "bfloat16") this.#half = "bfloat16";
      if (field.number !== 13) continue;
      const [key, value] = [1, 2].map((number) => this.#file.find(field, number));
      if (key !== undefined && value !== undefined && this.#file.text(key) === "location")
        this.#external.add(this.#file.text(value));
    }
    return name;
  }

  #port(port: Field): GraphPort {
    const name = this.#file.find(port, 1);
    const type = this.#file.find(port, 2);
    const tensor = type === undefined ? undefined : this.#file.find(type, 1);
    const dims: Dim[] = [];
    const shape = tensor === undefined ? undefined : this.#file.find(tensor, 2);
    for (const dim of shape === undefined ? [] : this.#file.inside(shape)) {
      const [value, word] = [this.#file.find(dim, 1), this.#file.find(dim, 2)];
      dims.push(value?.value ?? (word === undefined ? "" : this.#file.text(word)));
    }
    const found = tensor === undefined ? undefined : this.#file.find(tensor, 1)?.value;
    const element = isHalf(found ?? 0) ? SINGLE : found;
    if (element !== found) this.#half ??= ELEMENTS[found!]!;
    return {
      name: name === undefined ? "" : this.#file.text(name),
      type: element === undefined ? "no tensor" : (ELEMENTS[element] ?? `element type ${element}`),
      dims,
    };
  }
}
