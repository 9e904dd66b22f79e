/** Types and resources of sdk/python, out of the document, formatted as ruff does. */
import {
  type ActionModel,
  actionsOf,
  type Document,
  dryRunOf,
  enumNameOf,
  listFiltersOf,
  noteOf,
  nullable,
  OPERATION_FIELDS,
  OUTPUT_FIELDS,
  pascal,
  type RouteModel,
  referenceOf,
  resolve,
  routesOf,
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
  write.model("DryRun", dryRunOf(document));
  write.filters("OperationFilters", listFiltersOf(document));
  const routes = routesOf(document);
  const half = (is_async: boolean): string[] => [
    operationsOf(actions, is_async),
    ...actions.map((action) => resourceOf(action, is_async)),
    ...routesIn(routes, write, is_async),
    resourcesOf(actions, routes, write, is_async),
  ];
  const halves = [...half(false), ...half(true)];
  const sources = actions.map(({ name, sources }) => `    "${name}": ${tuple(sources)},\n`);
  const all = [...write.classes.keys(), ...write.aliases.keys()].filter((name) => !name.startsWith("_")).sort();
  return `${[
    `${IMPORTS}\n\n__all__ = [\n${all.map((name) => `    "${name}",\n`).join("")}]\n\n${[...write.aliases.values()].join("\n")}`,
    [...write.classes.values()].join("\n\n\n"),
    `SOURCES: Mapping[str, tuple[str, ...]] = {\n${sources.join("")}}\n"""Fields of actions that are audio."""`,
    ...halves,
  ].join("\n\n\n")}\n`;
}

const IMPORTS = `${HEAD}

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._async_live import AsyncOperation, AsyncOutput, AsyncRoutes
from ._live import Operation, Output, Routes
from ._model import Model
from ._operation import OperationFields, OperationStatus, first_output
from ._output import DownloadProgress, OutputFields
from ._query import segment, with_key
from ._resource import ActionSteps, AsyncResource, Resource, Source, Submission

if TYPE_CHECKING:
    from typing_extensions import Unpack`;

/** Words that no attribute may be called; `read_model` takes the underscore away again. */
const KEYWORDS =
  /^(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/u;

const attributeOf = (field: string): string => (KEYWORDS.test(field) ? `${field}_` : field);

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
      const whole = "archive" in own ? archiveOf(kind !== "") : "";
      this.classes.set(
        `${kind}${type}Operation`,
        `${DATACLASS}class ${kind}${type}Operation(${type}Fields, ${kind}Operation):\n    outputs: tuple[${kind}${made}, ...]${only}${whole}`,
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
        return `    ${attributeOf(field)}: ${type}${optional}\n${docstring(noteOf(this.#document, property))}`;
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

  /** What a method takes beside ids. */
  body(name: string, given: Schema): string {
    return this.#request(referenceOf(given) ?? name, given, ["idempotency_key"]);
  }

  answer(given: Schema, name: string): string {
    return this.#answer(given, name);
  }

  /** A query: one value where several may be given. */
  filters(name: string, given: Schema): string {
    this.#request(name, given);
    const several = /: Sequence\[(.+)\]/gu;
    this.classes.set(name, this.classes.get(name)!.replace(several, ": $1 | Sequence[$1]"));
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
    if (schema.enum !== undefined && schema.type !== "boolean")
      return this.#enum(given, schema.enum as readonly string[]);
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
${signature("create", "", `*, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[${type}Request]`, result)}
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        \`test_outcome\`: with a test key, \`ready\` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

${signature("dry_run", is_async ? "async " : "", `**body: Unpack[${type}Request]`, "DryRun")}
        """What \`create\` would cost and answer; nothing is made."""
        return ${wait}self._dry_run(body, DryRun)`;
}

function signature(name: string, prefix: string, parameters: string, result: string): string {
  const all = ["self", parameters].filter(Boolean).join(", ");
  const head = `    ${prefix}def ${name}(`;
  const end = `) -> ${result}:`;
  if (`${head}${all}${end}`.length <= WIDTH) return `${head}${all}${end}`;
  const is_wide = `        ${all}`.length > WIDTH;
  const lines = is_wide ? `${all.split(", ").join(",\n        ")},` : all;
  return `${head}\n        ${lines}\n    ${end}`;
}

/** Resources of the client that are written by hand, on top of what is generated. */
const WRITTEN: readonly string[] = ["files", "operations"];

/** What is no action: a class for each resource. */
function routesIn(routes: readonly RouteModel[], write: Writer, is_async: boolean): string[] {
  const kind = is_async ? "Async" : "";
  const resources = new Set(routes.filter(({ place }) => place.length === 2).map(({ place }) => place[0]!));
  return [...resources].map((resource) => {
    const methods = routes.filter(({ place }) => place.length === 2 && place[0] === resource);
    // What a class calls `list` is no type in it: it stands last.
    methods.sort((a, b) => Number(a.place[1] === "list") - Number(b.place[1] === "list"));
    const written = methods.map((route) => methodOf(route, write, is_async));
    return `class ${kind}${routesName(resource)}(${kind}Routes):\n${written.join("\n\n")}`;
  });
}

const routesName = (resource: string): string => `${pascal(resource)}${WRITTEN.includes(resource) ? "Routes" : ""}`;

function methodOf(route: RouteModel, write: Writer, is_async: boolean): string {
  const { place, method, path, ids, query, body, has_key, answer, name, unwrap, is_paged, summary } = route;
  const own = pascal(place.join("_"));
  const result = write.answer(is_paged ? answer.items! : answer, name ?? `${own}Entry`);
  const sent = [
    ...ids.map((id) => `${id}: str`),
    ...(has_key ? ["*", "idempotency_key: str | None = None"] : []),
    ...(body === undefined ? [] : [`**body: Unpack[${write.body(`${own}Request`, body)}]`]),
    ...(query === undefined ? [] : [`**filters: Unpack[${write.filters(`${own}Filters`, query)}]`]),
  ].join(", ");
  const where =
    ids.length === 0 ? `"${path}"` : `f"${ids.reduce((to, id) => to.replace(`{${id}}`, `{segment(${id})}`), path)}"`;
  const [wait, prefix] = is_async ? ["await ", "async "] : ["", ""];
  const about = docstring(summary, 8);
  if (is_paged) {
    const iterator = `${is_async ? "Async" : ""}Iterator[${result}]`;
    const pages = `self._pages(${result}, ${where}, ${query === undefined ? "{}" : "filters"}, "${unwrap}")`;
    return `${signature(place.at(-1)!, "", sent, iterator)}\n${about}        return ${pages}`;
  }
  const options = [
    ...(body === undefined ? [] : [has_key ? "body=with_key(body, idempotency_key)" : "body=body"]),
    ...(query === undefined ? [] : ["filters=filters"]),
    ...(unwrap === undefined ? [] : [`unwrap="${unwrap}"`]),
  ];
  const call = [result, `"${method}"`, where, ...options].join(", ");
  const line = `        result: ${result} = ${wait}self._ask(${call})`;
  const asked =
    line.length <= WIDTH ? line : `        result: ${result} = ${wait}self._ask(\n            ${call}\n        )`;
  return `${signature(place.at(-1)!, prefix, sent, result)}\n${about}${asked}\n        return result`;
}

/** Classes of operations by action. */
function operationsOf(actions: readonly ActionModel[], is_async: boolean): string {
  const lines = actions.map(({ name, type }) => `    "${name}": ${is_async ? "Async" : ""}${type}Operation,\n`);
  const kind = is_async ? "AsyncOperation" : "Operation";
  return `${is_async ? "ASYNC_" : ""}OPERATIONS: Mapping[str, type[${kind}]] = {\n${lines.join("")}}`;
}

function resourcesOf(
  actions: readonly ActionModel[],
  routes: readonly RouteModel[],
  write: Writer,
  is_async: boolean,
): string {
  const kind = is_async ? "Async" : "";
  const properties = actions.map(({ name, resource, type, summary, sources }) => {
    return `    @property
    def ${resource}(self) -> ${kind}${pascal(resource)}:
${docstring(summary, 8)}        steps = ActionSteps(self._session, "${name}", ${tuple(sources)}, ${kind}${type}Operation)
        return ${kind}${pascal(resource)}(self._session, steps)`;
  });
  const named = new Set(routes.filter(({ place }) => place.length === 2).map(({ place }) => place[0]!));
  for (const resource of named) {
    if (WRITTEN.includes(resource)) continue;
    const type = `${kind}${pascal(resource)}`;
    properties.push(`    @property\n    def ${resource}(self) -> ${type}:\n        return ${type}(self._session)`);
  }
  const alone = routes.filter(({ place }) => place.length === 1);
  return `class ${kind}Resources(${kind}Routes):
    """Every action that this version knows, and what else the server has."""

${[...properties, ...alone.map((route) => methodOf(route, write, is_async))].join("\n\n")}`;
}

/** Saves all outputs, of operations that have an archive. */
function archiveOf(is_async: boolean): string {
  const parameters = "path: str | os.PathLike[str], *, on_progress: DownloadProgress | None = None";
  return `

${signature("download_archive", is_async ? "async " : "", parameters, "None")}
        """Saves all outputs as one ZIP. What breaks off begins anew."""
        ${is_async ? "await " : ""}self._save_archive(path, on_progress)`;
}

const tuple = (values: readonly string[]): string =>
  `(${values.map((value) => `"${value}"`).join(", ")}${values.length === 1 ? "," : ""})`;

/** What is written for asyncio, without it. */
export function writePythonSync(code: string): string {
  return code
    .replace(
      /^"""(.*?)\bfor asyncio(.*?)"""/msu,
      `"""Written by scripts/sdk.ts from the module for asyncio. Change that, not this."""`,
    )
    .replaceAll("AsyncSession", "SyncSession")
    .replaceAll(/\bSubmission\[(\w+)\]/gu, "$1")
    .replaceAll(", Submission\n", "\n")
    .replaceAll(/\b(?:ASYNC_|Async(?=[A-Z])|async |await )/gu, "")
    .replaceAll("_async_", "_")
    .replaceAll(/\b__a(?=enter__|exit__)/gu, "__")
    .replaceAll("aclose()", "close()");
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
