/** Imports flow one way, without circles, and every action has its test. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly types_only: boolean;
  /** By `import()`, when it comes to that. */
  readonly dynamic?: true;
}

test("imports flow as the design says", () => {
  const wrong = importsOf(root, "cli", "contract", "core", "runners", "packages", "plugins")
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} -> ${to}`);
  assert.deepEqual(wrong, []);
});

test("adapters are loaded where the configuration asks for them", () => {
  const wrong = importsOf(root, "cli", "contract", "core", "runners", "packages", "plugins").filter(
    ({ from, to, types_only, dynamic }) =>
      to.startsWith("core/adapters/") &&
      !NEEDED.test(to) &&
      !from.startsWith("core/adapters/") &&
      !types_only &&
      !dynamic &&
      !KIT.has(from) &&
      from !== "cli/migrate_store.ts",
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test("the composition root can be read at one go: it imports at most 15 files", () => {
  const imported = new Set(importsOf(root, "core").flatMap(({ from, to }) => (from === "core/service.ts" ? [to] : [])));
  assert.ok(imported.size <= 15, [...imported].join(", "));
});

test("imports make no circle, those of types included", () => {
  assert.deepEqual(
    findCircle(
      importsOf(
        root,
        "cli",
        "contract",
        "core",
        "runners",
        "packages",
        "plugins",
        "bench",
        "training",
        "examples",
        "test",
      ),
    ),
    [],
  );
});

test("the flow test notices an import against the flow", () => {
  const against: readonly [string, string, boolean][] = [
    ["core/http/app.ts", "runners/pool/pool.ts", true],
    ["core/operations/operations.ts", "core/http/body.ts", false],
    ["core/base/ids.ts", "core/ports/mod.ts", true],
    ["core/base/ids.ts", "contract/audio.ts", true],
    ["contract/mod.ts", "core/base/errors.ts", true],
    ["core/operations/operations.ts", "core/adapters/sqlite/store.ts", true],
    ["core/operations/operations.ts", "core/service.ts", true],
    ["core/adapters/sqlite/store.ts", "core/operations/operations.ts", false],
    ["core/adapters/sqlite/store.ts", "core/adapters/postgres/values.ts", false],
    ["core/adapters/sqlite/store.ts", "core/actions/schema.ts", true],
    ["core/adapters/thread/job.ts", "core/work/job.ts", true],
    ["core/adapters/thread/job.ts", "core/adapters/plugins/registry.ts", true],
    ["core/operations/submit.ts", "core/adapters/plugins/registry.ts", true],
    ["core/work/job.ts", "core/adapters/thread/tasks.ts", true],
    ["core/adapters/shared/fields.ts", "core/adapters/sqlite/store.ts", true],
    ["core/operations/operations.ts", "core/adapters/shared/fields.ts", true],
    ["core/http/app.ts", "core/adapters/runtime/runtime.ts", true],
    ["core/actions/registered.ts", "packages/plugin/testing.ts", true],
    ["runners/pool/pool.ts", "packages/plugin/mod.ts", true],
    ["packages/plugin/mod.ts", "core/actions/registered.ts", true],
    ["packages/plugin/testing.ts", "core/service.ts", true],
    ["packages/plugin/mod.ts", "runners/music/studio/shared.ts", false],
    ["packages/plugin/engine_names.ts", "runners/music/studio/mod.ts", false],
    ["plugins/a.b/action.ts", "packages/plugin/testing.ts", false],
    ["plugins/a.b/action.ts", "contract/mod.ts", true],
    ["plugins/a.b/action.ts", "runners/signal/master/mod.ts", true],
    ["plugins/a.b/action.ts", "plugins/fields.ts", false],
    ["plugins/a.b/action.ts", "packages/plugin/fields.ts", false],
    ["runners/pool/pool.ts", "core/base/log.ts", true],
    ["runners/pool/pool.ts", "contract/mod.ts", false],
    ["runners/pool/pool.ts", "core/base/errors.ts", false],
    ["runners/signal/master/master.ts", "runners/signal/media/decode.ts", false],
    ["plugins/a.b/action.ts", "core/base/errors.ts", false],
    ["plugins/a.b/action.ts", "runners/signal/master/master.ts", false],
    ["plugins/a.b/action.ts", "plugins/c.d/action.ts", false],
    ["plugins/dashboard/page.ts", "plugins/operator/text.ts", false],
    ["plugins/dashboard/page.ts", "runners/signal/media/mod.ts", false],
    ["plugins/dashboard/page.ts", "core/base/errors.ts", true],
    ["plugins/acme/surface.ts", "core/service.ts", true],
    ["plugins/dashboard/surface.ts", "plugins/operator/socket.ts", true],
    ["plugins/administration/checks.ts", "plugins/dashboard/surface.ts", true],
    ["plugins/administration/checks.ts", "core/base/errors.ts", true],
    ["core/service.ts", "plugins/administration/checks.ts", true],
    ["core/service.ts", "cli/models.ts", true],
    ["plugins/operator/surface.ts", "cli/models.ts", true],
    ["runners/pool/pool.ts", "cli/mod.ts", true],
    ["core/http/app.ts", "plugins/dashboard/leaks/leaks.ts", true],
    ["core/service.ts", "plugins/dashboard/surface.ts", false],
    ["core/operations/operations.ts", "core/surface.ts", true],
    ["runners/signal/dsp/fft.ts", "runners/signal/media/mod.ts", false],
  ];
  for (const [from, to, types_only] of against) assert.ok(!isAllowed({ from, to, types_only }), `${from} -> ${to}`);
});

test("the circle test notices a circle", () => {
  const edge = (from: string, to: string): Import => ({ from, to, types_only: false });
  assert.deepEqual(findCircle([edge("a", "b"), edge("b", "c"), edge("c", "a")]), ["a", "b", "c", "a"]);
  assert.deepEqual(findCircle([edge("a", "b"), edge("a", "c"), edge("b", "c")]), []);
});

test("every action has a test of its name, and every such test an action", () => {
  const actions = readdirSync(join(root, "plugins")).filter((name) => name.includes(".") && !name.endsWith(".ts"));
  const tests = readdirSync(join(root, "test/plugins")).map((name) => name.replace(/\.test\.ts$/u, ""));
  assert.deepEqual(tests.sort(), actions.sort());
});

test("core loads no framework: what writes the OpenAPI document is the surface that serves it", () => {
  const importing = sources("cli", "contract", "core", "runners", "packages", "plugins").filter((file) =>
    /from "(elysia|@elysiajs\/[a-z]+|openapi-types)"/u.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(
    importing.filter((file) => !file.startsWith("plugins/docs/document/")),
    [],
  );
  assert.ok(importing.includes("plugins/docs/document/write.ts"));
});

test("only core/adapters/runtime/runtime.ts names a runtime", () => {
  const naming = sources("cli", "contract", "core", "runners", "packages", "plugins").filter((file) => {
    const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"[^"\n]*"/gmu, "");
    return /\b(Bun|Deno)\b/u.test(code);
  });
  assert.deepEqual(naming, ["core/adapters/runtime/runtime.ts"]);
});

/** Folders of core, each of which may import those before it. */
const LAYERS = ["base", "ports", "actions", "accounts", "operations", "webhooks", "work", "http"];
/** What every start needs. */
const NEEDED = /^core\/adapters\/(?:runtime|plugins)\//u;
/** They find actions, and run their code in threads. */
const OF_ACTIONS: readonly (string | undefined)[] = ["plugins", "thread"];
/** What several adapters are made of; it fulfils no port. */
const SHARED = "shared";
/** The contract is a leaf: it imports nothing of ours, and everybody else this one file of it. */
const CONTRACT = "contract/mod.ts";
/** Where it lay before, for plugins that import it by that path. */
const MOVED = "core/plugin.ts";
/** The contract as authors import it, our own actions included; and the kit for their tests, which checks as the service does. */
const PACKAGE = "packages/plugin/mod.ts";
const KIT: ReadonlySet<string> = new Set(["packages/plugin/testing.ts", "packages/plugin/given.ts"]);
/** What engines call themselves, as the package tells it: names alone. */
const NAMES = "packages/plugin/engine_names.ts";
const NAMED = ["runners/music/remix/engine.ts", "runners/music/studio/shared.ts"];
/** Types alone, for authors of families of models. */
const FAMILIES = "packages/plugin/family.ts";
/** All that surfaces see of core: folders below `plugins/` without a dot in their name, which would make them actions. */
const SURFACE = "core/surface.ts";
/** What surfaces share; it is none. */
const ADMINISTRATION = "plugins/administration/";

function isAllowed({ from, to, types_only }: Import): boolean {
  const [area, folder = ""] = from.split("/");
  // The program `tonwerk` sees everything, as main does, and nothing sees it.
  if (to.startsWith("cli/")) return area === "cli";
  if (area === "plugins") {
    if (!folder.includes(".")) return [SURFACE, `plugins/${folder}/`, ADMINISTRATION].some((its) => to.startsWith(its));
    // What every author has: the package, and files of their own.
    return to === PACKAGE || to.startsWith(`plugins/${folder}/`);
  }
  if (area === "contract") return to.startsWith("contract/");
  if (to === MOVED) return false;
  if (area === "core") return isAllowedInCore(from, to);
  if (area === "packages") {
    if (to === CONTRACT || to.startsWith(`packages/${folder}/`)) return true;
    if (from === NAMES) return NAMED.includes(to);
    if (from === FAMILIES) return types_only && to.startsWith("runners/models/");
    return KIT.has(from) && /^(?:core\/(?:actions|adapters\/(?:plugins|thread))|runners\/pool)\//u.test(to);
  }
  if (area === "runners") {
    if (to.startsWith("packages/")) return false;
    if (/^(?:contract|core)\//u.test(to)) return types_only && (to === CONTRACT || to === "core/ports/mod.ts");
    const [engine, other] = [engineOf(from), engineOf(to)];
    if (engine === "dsp") return other === "dsp";
    // The files beside the engines join them: they may load any.
    if (engine === "" || engine === other || other === "dsp") return true;
    return to.endsWith("/mod.ts") || other === "";
  }
  return true;
}

function isAllowedInCore(from: string, to: string): boolean {
  const [, folder, name, ...deeper] = from.split("/");
  const [area, other, adapter] = to.split("/");
  if (to === CONTRACT) return true;
  if (area !== "core") return false;
  // Files beside the folders put them together, or are the contracts.
  if (name === undefined) return true;
  if (folder === "adapters") {
    if (other === "adapters") return deeper.length > 0 && (adapter === name || adapter === SHARED);
    return other === "base" || other === "ports" || (OF_ACTIONS.includes(name) && other === "actions");
  }
  const [own, its] = [LAYERS.indexOf(folder!), LAYERS.indexOf(other!)];
  return its !== -1 && its <= own;
}

/** `runners/signal/media/decode.ts` -> `media`; files beside the engines have none. */
function engineOf(file: string): string {
  const [, folder = "", engine] = file.split("/");
  if (folder === "music" || folder === "signal") return engine!;
  return engine === undefined ? "" : folder;
}

function sources(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
        .map((entry) => relative(root, join(entry.parentPath, entry.name))),
    )
    .sort();
}

function importsOf(base: string, ...folders: string[]): Import[] {
  return sources(...folders).flatMap((from) => {
    const code = readFileSync(join(base, from), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, "");
    const found = [...code.matchAll(/(?:^|\n)\s*(import|export)\s+(type\s+)?([^;"']*?)\s*from\s*"(\.[^"]+)"/gu)];
    const dynamic = [...code.matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/gu)];
    const target = (to: string) => relative(base, resolve(base, dirname(from), to));
    return [
      ...found.map(([, , type, names = "", to = ""]) => ({
        from,
        to: target(to),
        types_only: type !== undefined || /^\{(\s*type\s[^,}]+,?)+\s*\}$/u.test(names),
      })),
      ...dynamic.map(([, to = ""]) => ({ from, to: target(to), types_only: false, dynamic: true as const })),
    ];
  });
}

/** The first circle found, its start repeated at its end; empty: there is none. */
function findCircle(imports: readonly Import[]): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      const circle = visit(next);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of [...edges.keys()].sort()) {
    const circle = visit(file);
    if (circle.length > 0) return circle;
  }
  return [];
}
