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
}

test("imports flow as the design says", () => {
  const wrong = importsOf(root)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} -> ${to}`);
  assert.deepEqual(wrong, []);
});

test("imports make no circle at run time", () => {
  assert.deepEqual(findCircle(importsOf(root).filter(({ types_only }) => !types_only)), []);
});

test("the flow test notices an import against the flow", () => {
  const against: readonly [string, string, boolean][] = [
    ["core/http.ts", "runners/pool/pool.ts", true],
    ["core/http.ts", "plugins/fields.ts", true],
    ["core/operations.ts", "core/adapters/sqlite.ts", true],
    ["core/adapters/sqlite.ts", "core/operations.ts", false],
    ["runners/pool/pool.ts", "core/log.ts", true],
    ["runners/pool/pool.ts", "core/errors.ts", false],
    ["runners/master/master.ts", "runners/media/decode.ts", false],
    ["plugins/a.b/action.ts", "core/errors.ts", false],
    ["plugins/a.b/action.ts", "runners/master/master.ts", false],
    ["plugins/a.b/action.ts", "plugins/c.d/action.ts", false],
    ["runners/dsp/fft.ts", "runners/media/mod.ts", false],
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

test("only core/runtime.ts names a runtime", () => {
  const naming = sources("core", "runners", "plugins").filter((file) => {
    const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"[^"\n]*"/gmu, "");
    return /\b(Bun|Deno)\b/u.test(code);
  });
  assert.deepEqual(naming, ["core/runtime.ts"]);
});

function isAllowed({ from, to, types_only }: Import): boolean {
  const contract = "core/plugin.ts";
  if (from.startsWith("plugins/")) {
    return to === contract || to === "plugins/fields.ts" || /^runners\/[a-z]+\/mod\.ts$/u.test(to);
  }
  if (from.startsWith("core/adapters/"))
    return core_for_adapters.has(to) || to.startsWith("core/adapters/") || to.startsWith("core/migrations/");
  if (from.startsWith("core/")) {
    // The two that put adapters together: a service, and the move from one kind of store to another.
    if (to.startsWith("core/adapters/")) return from === "core/service.ts" || from === "core/migrate_store.ts";
    return to.startsWith("core/");
  }
  if (from.startsWith("runners/")) {
    if (to.startsWith("core/")) return types_only && (to === contract || to === "core/ports.ts");
    const [engine, other] = [engineOf(from), engineOf(to)];
    if (engine === "dsp") return other === "dsp";
    // The files beside the engines join them: they may load any.
    if (engine === "" || engine === other || other === "dsp") return true;
    return to.endsWith("/mod.ts") || other === "";
  }
  return true;
}

/** What an adapter may use of core: its port, and code without state. */
const core_for_adapters = new Set(["core/ports.ts", "core/plugin.ts", "core/ids.ts", "core/json.ts"]);

/** `runners/media/decode.ts` -> `media`; files beside the engines have none. */
function engineOf(file: string): string {
  const parts = file.split("/");
  return parts.length > 2 ? parts[1]! : "";
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

function importsOf(base: string): Import[] {
  return sources("core", "runners", "plugins").flatMap((from) => {
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
      ...dynamic.map(([, to = ""]) => ({ from, to: target(to), types_only: false })),
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
