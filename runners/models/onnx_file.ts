/**
 * What an ONNX file says of itself, read from its own bytes: inputs and outputs, the files that it loads beside itself, whether it draws at random.
 * Weights are stepped over, so that gigabytes take milliseconds. Field numbers are those of onnx.proto3.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Dim, GraphPort } from "./layout.ts";

export interface OnnxFacts {
  readonly producer: string;
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  /** Paths relative to the file's folder. */
  readonly external: readonly string[];
  /** Operators that draw numbers at random, each once. */
  readonly random: readonly string[];
}

/** @throws Error that says what the file is instead, or where it is cut short */
export function readOnnx(path: string): OnnxFacts {
  const file = openSync(path, "r");
  try {
    return new Reader(file, fstatSync(file).size).read();
  } finally {
    closeSync(file);
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
const ELEMENTS: Readonly<Record<number, string>> = {
  1: "float32",
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
const BUFFER = 65_536;

interface Field {
  readonly number: number;
  /** The value of a varint; 0 of others. */
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

class Reader {
  readonly #file: number;
  readonly #size: number;
  readonly #buffer = Buffer.alloc(BUFFER);
  #start = 0;
  #held = 0;
  readonly #external = new Set<string>();
  readonly #random = new Set<string>();

  constructor(file: number, size: number) {
    this.#file = file;
    this.#size = size;
  }

  read(): OnnxFacts {
    this.#refuseStrangers();
    let producer = "";
    let graph: Field | undefined;
    for (const field of this.#fields(0, this.#size)) {
      if (field.number === 2) producer = this.#text(field);
      if (field.number === 7) graph = field;
      // Functions of the model: their nodes.
      if (field.number === 25) for (const one of this.#inside(field)) if (one.number === 7) this.#node(one);
    }
    if (graph === undefined) throw new Error("it is no ONNX file: it holds no graph");
    const inputs: GraphPort[] = [];
    const outputs: GraphPort[] = [];
    const constants = this.#graph(graph, inputs, outputs);
    return {
      producer,
      // Old exporters list weights among the inputs.
      inputs: inputs.filter(({ name }) => !constants.has(name)),
      outputs,
      external: [...this.#external],
      random: [...this.#random],
    };
  }

  #refuseStrangers(): void {
    if (this.#size === 0) throw new Error("it is empty");
    const begin = Buffer.alloc(Math.min(256, this.#size));
    readSync(this.#file, begin, 0, begin.length, 0);
    const stranger = STRANGERS.find(([pattern]) => pattern.test(begin.toString("latin1")));
    if (stranger !== undefined) throw new Error(`it is no ONNX file but ${stranger[1]}`);
  }

  /** Names of its constants. */
  #graph(graph: Field, inputs: GraphPort[] = [], outputs: GraphPort[] = []): ReadonlySet<string> {
    const constants = new Set<string>();
    for (const field of this.#inside(graph)) {
      if (field.number === 1) this.#node(field);
      else if (field.number === 5) constants.add(this.#tensor(field));
      else if (field.number === 11) inputs.push(this.#port(field));
      else if (field.number === 12) outputs.push(this.#port(field));
    }
    return constants;
  }

  #node(node: Field): void {
    for (const field of this.#inside(node)) {
      if (field.number === 4) {
        const operator = this.#text(field);
        if (RANDOM.has(operator)) this.#random.add(operator);
      } else if (field.number === 5) {
        for (const part of this.#inside(field)) {
          if (part.number === 5 || part.number === 10) this.#tensor(part);
          else if (part.number === 6 || part.number === 11) this.#graph(part);
        }
      }
    }
  }

  /** Its name; notes where its values lie. */
  #tensor(tensor: Field): string {
    let name = "";
    for (const field of this.#inside(tensor)) {
      if (field.number === 8) name = this.#text(field);
      if (field.number !== 13) continue;
      const [key, value] = [1, 2].map((number) => this.#find(field, number));
      if (key !== undefined && value !== undefined && this.#text(key) === "location")
        this.#external.add(this.#text(value));
    }
    return name;
  }

  #port(port: Field): GraphPort {
    const name = this.#find(port, 1);
    const type = this.#find(port, 2);
    const tensor = type === undefined ? undefined : this.#find(type, 1);
    const dims: Dim[] = [];
    const shape = tensor === undefined ? undefined : this.#find(tensor, 2);
    for (const dim of shape === undefined ? [] : this.#inside(shape)) {
      const [value, word] = [this.#find(dim, 1), this.#find(dim, 2)];
      dims.push(value?.value ?? (word === undefined ? "" : this.#text(word)));
    }
    const element = tensor === undefined ? undefined : this.#find(tensor, 1)?.value;
    return {
      name: name === undefined ? "" : this.#text(name),
      type: element === undefined ? "no tensor" : (ELEMENTS[element] ?? `element type ${element}`),
      dims,
    };
  }

  #find(message: Field, number: number): Field | undefined {
    let found: Field | undefined;
    for (const field of this.#inside(message)) if (field.number === number) found = field;
    return found;
  }

  #text({ from, to }: Field): string {
    const bytes = Buffer.alloc(to - from);
    readSync(this.#file, bytes, 0, bytes.length, from);
    return bytes.toString("utf8");
  }

  #inside({ from, to }: Field): Generator<Field> {
    return this.#fields(from, to);
  }

  *#fields(from: number, end: number): Generator<Field> {
    let at = from;
    const varint = (): number => {
      let value = 0;
      for (let shift = 0; shift < 70; shift += 7) {
        const byte = this.#byte(at++);
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
      }
      throw new Error("it is no ONNX file");
    };
    while (at < end) {
      const tag = varint();
      const [number, wire] = [Math.floor(tag / 8), tag % 8];
      if (number === 0) throw new Error("it is no ONNX file");
      if (wire === 0) {
        const value = varint();
        yield { number, value, from: at, to: at };
        continue;
      }
      const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? varint() : -1;
      if (length < 0) throw new Error("it is no ONNX file");
      if (at + length > end) {
        // A graph, or whatever else reaches beyond the file's end.
        const whole = at + length;
        throw new Error(
          number > 30
            ? "it is no ONNX file"
            : `it is cut short, or no ONNX file: it has ${this.#size} bytes, and what begins at ${at} ends at ${whole}`,
        );
      }
      yield { number, value: 0, from: at, to: at + length };
      at += length;
    }
  }

  #byte(at: number): number {
    if (at >= this.#size) throw new Error(`it is cut short, or no ONNX file: it ends at ${this.#size} bytes`);
    if (at < this.#start || at >= this.#start + this.#held) {
      this.#start = at;
      this.#held = readSync(this.#file, this.#buffer, 0, BUFFER, at);
    }
    return this.#buffer[at - this.#start]!;
  }
}
