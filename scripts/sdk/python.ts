/** Types and resources of sdk/python, out of the document, formatted as ruff does. */
import {
  type ActionModel,
  actionsOf,
  answerOf,
  type Document,
  dryRunOf,
  enumNameOf,
  noteOf,
  nullable,
  OPERATION_FIELDS,
  OUTPUT_FIELDS,
  pascal,
  referenceOf,
  resolve,
  type Schema,
  valuesOf,
} from "./document.ts";

const HEAD = '"""Written by scripts/sdk.ts from the OpenAPI document. Change that, not this."""';
/** Columns of a line. */
const WIDTH = 120;

/** Codes stand apart, for errors import them, and everything else imports errors. */
export function writePythonCodes(document: Document, errors: readonly string[]): string {
  const failures = new Set(actionsOf(document).flatMap(({ failures }) => failures));
  return [
    `${HEAD}\n\nfrom __future__ import annotations\n\nfrom typing import Literal`,
    `${literal("ErrorCode", errors)}\n"""Codes of refusals."""`,
    `${literal("FailureCode", [...failures])}\n"""Codes of operations that ended as \`failed\`."""\n`,
  ].join("\n\n");
}

export function writePython(document: Document): string {
  const actions = actionsOf(document);
  const write = new Writer(document);
  for (const action of actions) write.action(action);
  write.model("Account", Object.values(answerOf(document, "/v1/account", "get").properties!)[0]!);
  write.model("Capabilities", answerOf(document, "/v1/capabilities", "get"));
  write.model("DryRun", dryRunOf(document));
  const table = actions.map(({ name, type, sources }) => {
    const fields = sources.map((field) => `"${field}"${sources.length === 1 ? "," : ""}`).join(", ");
    return `    "${name}": (${type}Operation, Async${type}Operation, (${fields})),\n`;
  });
  const all = [...write.classes.keys(), ...write.aliases.keys()].filter((name) => !name.startsWith("_")).sort();
  return `${[
    `${IMPORTS}\n\n__all__ = [\n${all.map((name) => `    "${name}",\n`).join("")}]\n\n${[...write.aliases.values()].join("\n")}`,
    [...write.classes.values()].join("\n\n\n"),
    `ACTIONS: Mapping[str, tuple[type[Operation], type[AsyncOperation], tuple[str, ...]]] = {\n${table.join("")}}\n"""Classes and sources."""`,
    ...actions.flatMap((action) => [resourceOf(action, false), resourceOf(action, true)]),
    resourcesOf(actions, false),
    resourcesOf(actions, true),
  ].join("\n\n\n")}\n`;
}

const IMPORTS = `${HEAD}

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._model import Model
from ._operation import AsyncOperation, Operation, OperationFields, first_output
from ._output import AsyncOutput, Output, OutputFields
from ._resource import ActionSteps, AsyncResource, Resource, Source, Submission
from ._session import AsyncSession, SyncSession

if TYPE_CHECKING:
    from typing_extensions import Unpack`;

class Writer {
  readonly classes = new Map<string, string>();
  readonly aliases = new Map<string, string>();
  readonly #document: Document;
  constructor(document: Document) {
    this.#document = document;
  }

  action({ type, summary, request, operation }: ActionModel): void {
    this.#request(`${type}Request`, request, ["idempotency_key"]);
    const { output, outputs, ...own } = operation.properties!;
    const result = output === undefined ? outputs && nullable(outputs)[0].items! : nullable(output)[0];
    // An action without audio has a field of its own for what it found.
    const made = result === undefined ? "Output" : this.#output(result);
    this.#class(`${type}Fields`, "OperationFields", { ...operation, properties: own }, OPERATION_FIELDS, summary);
    for (const kind of ["", "Async"]) {
      const only =
        output === undefined
          ? ""
          : `\n\n    @property\n    def output(self) -> ${kind}${made}:\n        """Raises TonwerkError until it is ready."""\n        result: ${kind}${made} = first_output(self)\n        return result`;
      this.classes.set(
        `${kind}${type}Operation`,
        `${DATACLASS}class ${kind}${type}Operation(${type}Fields, ${kind}Operation):\n    outputs: tuple[${kind}${made}, ...]${only}`,
      );
    }
  }

  /** A frozen class, where there is none of this name. */
  model(name: string, schema: Schema): string {
    return this.#class(name, "Model", resolve(this.#document, schema), [], "");
  }

  /** The fields of an output, and both classes that can download it. */
  #output(given: Schema): string {
    const name = referenceOf(given)!;
    this.#class(`${name}Fields`, "OutputFields", resolve(this.#document, given), OUTPUT_FIELDS, "");
    for (const kind of ["", "Async"]) {
      const text = `${DATACLASS}class ${kind}${name}(${name}Fields, ${kind}Output):\n    pass`;
      this.classes.set(`${kind}${name}`, text);
    }
    return name;
  }

  #class(name: string, base: string, schema: Schema, inherited: readonly string[], summary: string): string {
    if (this.classes.has(name)) return name;
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {})
      .filter(([field]) => !inherited.includes(field))
      .map(([field, property]) => {
        const type = this.#answer(property, name + pascal(field));
        const optional = required.has(field) || type.endsWith("| None") ? "" : " | None";
        return `    ${field}: ${type}${optional}\n${docstring(noteOf(this.#document, property))}`;
      });
    const body = `${docstring(summary)}${summary === "" || fields.length === 0 ? "" : "\n"}${fields.join("")}`;
    this.classes.set(name, `${DATACLASS}class ${name}(${base}):\n${body || "    pass"}`.trimEnd());
    return name;
  }

  /** A TypedDict; its first half is what is required. */
  #request(name: string, given: Schema, without: readonly string[] = []): string {
    if (this.classes.has(name)) return name;
    const schema = resolve(this.#document, given);
    const required = new Set(schema.required ?? []);
    const [must, may] = [true, false].map((is_required) =>
      Object.entries(schema.properties ?? {})
        .filter(([field]) => !without.includes(field) && required.has(field) === is_required)
        .map(([field, property]) => {
          const type = this.#sent(property, name + pascal(field));
          const optional = is_required || type.endsWith("| None") ? "" : " | None";
          return `    ${field}: ${type}${optional}\n${docstring(noteOf(this.#document, property))}`;
        })
        .join(""),
    ) as [string, string];
    if (must !== "") this.classes.set(`_${name}`, `class _${name}(TypedDict):\n${must}`.trimEnd());
    const bases = must === "" ? "TypedDict, total=False" : `_${name}, total=False`;
    const about = docstring(schema.description ?? "");
    const text = `class ${name}(${bases}):\n${about}${about === "" || may === "" ? "" : "\n"}${may}`;
    this.classes.set(name, (may === "" ? `${text}    pass` : text).trimEnd());
    return name;
  }

  #sent(given: Schema, name: string): string {
    const [schema, is_nullable] = nullable(given);
    const type = this.#type(schema, is_nullable, (one) =>
      referenceOf(one) === "AudioSource" ? "Source" : this.#request(referenceOf(one) ?? name, one),
    );
    // Whoever asks writes a list as they like.
    return type.replace(/^tuple\[(.*), \.\.\.\]/u, "Sequence[$1]");
  }

  #answer(given: Schema, name: string): string {
    const [schema, is_nullable] = nullable(given);
    return this.#type(schema, is_nullable, (one) => this.model(referenceOf(one) ?? name, one));
  }

  #type(given: Schema, is_nullable: boolean, object: (schema: Schema) => string): string {
    const type = this.#plain(given, object);
    return is_nullable ? `${type} | None` : type;
  }

  #plain(given: Schema, object: (schema: Schema) => string): string {
    const schema = resolve(this.#document, given);
    if (schema.enum !== undefined) return this.#enum(given, schema.enum as readonly string[]);
    if (schema.type === "object" && schema.properties === undefined) {
      const values = valuesOf(schema);
      return `Mapping[str, ${values === undefined ? "Any" : this.#plain(values, object)}]`;
    }
    if (schema.type === "object") return object(given);
    if (schema.type === "array") {
      const [items, is_nullable] = nullable(schema.items ?? {});
      return `tuple[${this.#type(items, is_nullable, object)}, ...]`;
    }
    if (schema.type === "string") return schema.format === "date-time" ? "datetime" : "str";
    return { integer: "int", number: "float", boolean: "bool" }[String(schema.type)] ?? "Any";
  }

  #enum(given: Schema, values: readonly string[]): string {
    const name = enumNameOf(this.#document, given);
    if (name === undefined) return `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
    if (name !== "OperationStatus") this.aliases.set(name, literal(name, values));
    return name;
  }
}

const DATACLASS = "@dataclass(frozen=True, kw_only=True)\n";

function resourceOf({ resource, type, summary }: ActionModel, is_async: boolean): string {
  const [kind, result] = is_async ? ["Async", `Submission[Async${type}Operation]`] : ["", `${type}Operation`];
  const wait = is_async ? "await " : "";
  return `class ${kind}${pascal(resource)}(${kind}Resource[${kind}${type}Operation]):
${docstring(summary)}
${signature("create", "", `*, idempotency_key: str | None = None, **body: Unpack[${type}Request]`, result)}
        """Submits. The same request under the same key is accepted and charged once, however often it is sent."""
        return self._create(body, idempotency_key)

${signature("dry_run", is_async ? "async " : "", `**body: Unpack[${type}Request]`, "DryRun")}
        """What \`create\` would cost and answer; nothing is made."""
        return ${wait}self._dry_run(body, DryRun)`;
}

function signature(name: string, prefix: string, parameters: string, result: string): string {
  const line = `    ${prefix}def ${name}(self, ${parameters}) -> ${result}:`;
  return line.length <= WIDTH ? line : `    ${prefix}def ${name}(\n        self, ${parameters}\n    ) -> ${result}:`;
}

function resourcesOf(actions: readonly ActionModel[], is_async: boolean): string {
  const kind = is_async ? "Async" : "";
  const properties = actions.map(({ name, resource, type, summary, sources }) => {
    const fields = sources.map((field) => `"${field}"${sources.length === 1 ? "," : ""}`).join(", ");
    return `    @property
    def ${resource}(self) -> ${kind}${pascal(resource)}:
${docstring(summary, 8)}        steps = ActionSteps(self._session, "${name}", (${fields}), ${kind}${type}Operation)
        return ${kind}${pascal(resource)}(self._session, steps)`;
  });
  return `class ${kind}Resources:
    """Every action that this version knows."""

    _session: ${kind || "Sync"}Session

${properties.join("\n\n")}`;
}

function literal(name: string, values: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  const line = `${name} = Literal[${quoted.join(", ")}]`;
  return line.length <= WIDTH ? line : `${name} = Literal[\n${quoted.map((value) => `    ${value},\n`).join("")}]`;
}

/** With a line end; empty where there is nothing to say. */
function docstring(text: string, indent = 4): string {
  if (text === "") return "";
  const space = " ".repeat(indent);
  const said = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
  const whole = `${space}"""${said}${said.endsWith('"') ? " " : ""}"""`;
  if (whole.length <= WIDTH) return `${whole}\n`;
  const lines = [""];
  for (const word of said.split(" ")) {
    const line = lines.at(-1)!;
    if (indent + 3 + line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return `${space}"""${lines.join(`\n${space}`)}\n${space}"""\n`;
}
