/** What is deployed fits what is built: every variable is known, every file and command is there, every metric in a rule exists. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMetrics } from "../../core/adapters/prometheus/metrics.ts";
import { matches } from "../../core/base/addresses.ts";
import { VARIABLES } from "../../core/base/config/variables.ts";
import { loadConfig } from "../../core/base/config.ts";
import { findProgram } from "../services/programs.ts";
import { readMetrics } from "../telemetry/harness.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: what a file holds is what these tests find out
type Parsed = any;

/** The documents of a YAML file. Bun's own parser serves both runtimes: it is installed with either. */
async function yaml(file: string): Promise<Parsed[]> {
  return yamlText(await readFile(join(root, file), "utf8"));
}

async function yamlText(text: string): Promise<Parsed[]> {
  const code =
    "const t = await new Response(Bun.stdin.stream()).text(); console.log(JSON.stringify([Bun.YAML.parse(t)].flat()))";
  const running = promisify(execFile)(join(root, "node_modules/.bin/bun"), ["-e", code], { maxBuffer: 1e7 });
  running.child.stdin?.end(text);
  return JSON.parse((await running).stdout) as Parsed[];
}

const NAMES = new Set(Object.values(VARIABLES).map(({ name }) => name));
const OTEL = /^OTEL_[A-Z_]+$/;

/** Starts with these values if all of them are right. */
function assertConfigured(where: string, env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(env))
    assert.ok(NAMES.has(name) || OTEL.test(name), `${where}: ${name} is no variable`);
  assert.doesNotThrow(() => loadConfig(env), where);
}

const SECRETS = {
  TONWERK_SECRET: Buffer.from("x".repeat(32)).toString("base64"),
  POSTGRES_PASSWORD: "p",
  TONWERK_DATABASE_PASSWORD: "own",
  REDIS_PASSWORD: "redis",
  GRAFANA_PASSWORD: "grafana",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
  TONWERK_BASE_URL: "http://localhost:8787",
  DATABASE_URL: "postgres://tonwerk:p@db/tonwerk",
  REDIS_URL: "redis://redis:6379",
} as const;

test("compose.yaml gives every node variables that exist, with values that they take", async () => {
  const [{ services, volumes, networks }] = await yaml("compose.yaml");
  const asked = new Set((await readFile(join(root, "deploy/example.env"), "utf8")).match(/^[A-Z0-9_]+(?==)/gm));
  const filled = (value: unknown): string =>
    String(value).replace(
      /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g,
      (_, name: string, mark: string, otherwise: string) => {
        if (mark === "?") assert.ok(asked.has(name), `${name} is asked for and not in deploy/example.env`);
        return (SECRETS as Record<string, string>)[name] ?? (mark === "-" ? otherwise : "");
      },
    );
  const nodes = Object.entries<Parsed>(services).filter(
    ([, { environment }]) => environment?.TONWERK_ROLE !== undefined,
  );
  assert.deepEqual(nodes.map(([name]) => name).sort(), ["api", "worker-dsp", "worker-generation"]);
  for (const [name, service] of nodes) {
    const env = Object.fromEntries(Object.entries(service.environment).map(([key, value]) => [key, filled(value)]));
    assertConfigured(`compose.yaml, ${name}`, env);
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.ok(Number.parseInt(service.stop_grace_period, 10) > loadConfig({}).drain_seconds, name);
  }
  assert.equal(services.api.deploy.replicas, 2);
  // No service without a password, none that is somebody's default, and the nodes are not the database's superuser.
  const { DATABASE_URL, REDIS_URL, TONWERK_TRUSTED_PROXIES } = services.api.environment;
  assert.equal(new URL(filled(DATABASE_URL)).password, "own");
  assert.notEqual(new URL(filled(DATABASE_URL)).username, services.postgres.environment.POSTGRES_USER);
  assert.equal(new URL(filled(REDIS_URL)).password, "redis");
  assert.equal(filled(services.redis.environment.REDISCLI_AUTH), "redis");
  assert.match(services.redis.command.join(" "), /requirepass \$\$REDISCLI_AUTH/);
  assert.equal(filled(services.grafana.environment.GF_SECURITY_ADMIN_PASSWORD), "grafana");
  // The balancer alone is believed, at an address that is given to nobody else, and reached from this machine only.
  assert.equal(services.balancer.networks.default.ipv4_address, TONWERK_TRUSTED_PROXIES);
  assert.match(TONWERK_TRUSTED_PROXIES, /^\d+\.\d+\.\d+\.\d+$/);
  const [{ ip_range }] = networks.default.ipam.config;
  assert.ok(!matches([ip_range], TONWERK_TRUSTED_PROXIES), ip_range);
  for (const [name, { ports = [] }] of Object.entries<Parsed>(services))
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
  for (const [name, service] of Object.entries<Parsed>(services)) {
    for (const volume of (service.volumes ?? []) as string[]) {
      const from = volume.split(":")[0]!;
      if (from.startsWith("./")) assert.ok(existsSync(join(root, from)), `${name}: ${from}`);
      else if (!from.startsWith("/")) assert.ok(Object.hasOwn(volumes, from), `${name}: ${from}`);
    }
    for (const needed of Object.keys(service.depends_on ?? {})) assert.ok(Object.hasOwn(services, needed), needed);
  }
});

/** A Deployment of ours, with what belongs to it in `all`, and the variables that its nodes start with. */
async function checkDeployment({ metadata, spec }: Parsed, all: readonly Parsed[]): Promise<Record<string, string>> {
  const { name } = metadata;
  const config: Record<string, string> = all.find(({ kind }) => kind === "ConfigMap").data;
  const [secret] = await yaml("deploy/kubernetes/secret.example.yaml");
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const env: Record<string, string> = { ...config };
  for (const { name: variable, value, valueFrom } of container.env) {
    const key = valueFrom?.secretKeyRef.key;
    assert.ok(valueFrom === undefined || Object.hasOwn(secret.stringData, key), `${name}: ${key} is in the secret`);
    env[variable] = value ?? (SECRETS as Record<string, string>)[key];
    assert.ok(env[variable] !== undefined, `${name}: ${variable}`);
  }
  assertConfigured(name, env);
  // What a secret holds is nowhere else.
  for (const key of Object.keys(secret.stringData)) assert.ok(!Object.hasOwn(config, key), key);
  const ports = Object.fromEntries(container.ports.map((port: Parsed) => [port.name, port.containerPort]));
  assert.deepEqual(ports, { http: loadConfig({}).port, metrics: Number(config.TONWERK_METRICS_PORT) });
  assert.ok(existsSync(join(root, container.args.at(-1))), `${name}: ${container.args}`);
  assert.ok(pod.terminationGracePeriodSeconds > loadConfig({}).drain_seconds, name);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  const written = container.volumeMounts.filter(({ readOnly }: Parsed) => readOnly !== true);
  assert.deepEqual(
    written.map(({ mountPath }: Parsed) => mountPath),
    ["/data", "/tmp"],
  );
  const mounted = container.volumeMounts.map((mount: Parsed) => mount.name).sort();
  assert.deepEqual(pod.volumes.map((volume: Parsed) => volume.name).sort(), mounted, name);
  const budget = all.find((one) => one.kind === "PodDisruptionBudget" && one.metadata.name === name);
  assert.deepEqual(budget.spec.selector.matchLabels, spec.template.metadata.labels, name);
  const scaler = all.find((one) => one.spec?.scaleTargetRef?.name === name);
  assert.ok(scaler !== undefined, `${name} is scaled`);
  // By the queue of its own kind of work, where it works.
  if (env.TONWERK_ROLE === "worker") {
    assert.deepEqual([...new Set(scaler.spec.triggers[0].metadata.query.match(/(?<=work=")\w+/g))], [env.TONWERK_WORK]);
  }
  const dockerfile = await readFile(join(root, "Dockerfile"), "utf8");
  assert.ok(dockerfile.includes(`USER ${pod.securityContext.runAsUser}:`));
  return env;
}

/** What a kustomization of ours lists from its own folder, and the kustomization. */
async function listed(folder: string): Promise<{ kustomization: Parsed; all: readonly Parsed[] }> {
  const [kustomization] = await yaml(`${folder}/kustomization.yaml`);
  const files = (kustomization.resources as string[]).filter((file) => file.endsWith(".yaml"));
  const left = (await readdir(join(root, folder))).filter((name) => !files.includes(name));
  assert.deepEqual(left.filter((name) => name !== "secret.example.yaml").sort(), ["kustomization.yaml"]);
  const all = (await Promise.all(files.map((file) => yaml(`${folder}/${file}`)))).flat();
  return { kustomization, all };
}

const deploymentsOf = (all: readonly Parsed[]): Parsed[] => all.filter(({ kind }) => kind === "Deployment");
const namesOf = (all: readonly Parsed[]): string[] => deploymentsOf(all).map(({ metadata }) => metadata.name);

test("the Kubernetes manifests name what exists, and run without rights on a read-only root", async () => {
  const { all } = await listed("deploy/kubernetes");
  assert.deepEqual(namesOf(all).sort(), ["api", "worker-dsp", "worker-generation"]);
  for (const deployment of deploymentsOf(all)) await checkDeployment(deployment, all);
});

test("the number of nodes is the autoscalers' alone: manifests that are applied again do not set it back", async () => {
  const all = (await Promise.all(["deploy/kubernetes", "deploy/kubernetes-gpu"].map(listed))).flatMap(({ all }) => all);
  const scaled = all.flatMap(({ kind, spec }) =>
    kind === "ScaledObject" || kind === "HorizontalPodAutoscaler" ? [spec.scaleTargetRef.name] : [],
  );
  assert.deepEqual(scaled.sort(), namesOf(all).sort());
  for (const { metadata, spec } of deploymentsOf(all)) assert.equal(spec.replicas, undefined, metadata.name);
  // KEDA takes no answer for 0 unless it is told not to, and would take workers away while their metrics are missing.
  const triggers = all.flatMap(({ spec }) => (spec?.triggers ?? []) as Parsed[]);
  assert.ok(triggers.length > 0);
  for (const { metadata } of triggers) {
    assert.equal(metadata.ignoreNullValues, "false", metadata.query);
    assert.doesNotMatch(metadata.query, /vector\(/);
  }
});

test("only the ingress controller reaches the API nodes, nobody is believed unless named, and nginx overwrites what clients say", async () => {
  const { all } = await listed("deploy/kubernetes");
  const policies = all.filter(({ kind }) => kind === "NetworkPolicy");
  for (const { metadata, spec } of policies) {
    for (const { from, ports } of spec.ingress) {
      assert.ok(from?.length > 0 && ports?.length > 0, `${metadata.name}: from whom, to which port`);
      for (const { namespaceSelector } of from) {
        assert.ok(
          namespaceSelector?.matchLabels?.["kubernetes.io/metadata.name"],
          `${metadata.name}: a namespace by name`,
        );
      }
    }
  }
  const { spec } = policies.find(({ metadata }) => metadata.name === "api");
  assert.ok(
    spec.ingress.every(({ from }: Parsed) => from.every(({ podSelector }: Parsed) => podSelector?.matchLabels)),
  );
  const config = all.find(({ kind }) => kind === "ConfigMap").data;
  assert.deepEqual(loadConfig(config).trusted_proxies, []);
  const nginx = await readFile(join(root, "deploy/nginx.conf"), "utf8");
  assert.deepEqual(nginx.match(/proxy_set_header X-Forwarded-For .*/g), [
    "proxy_set_header X-Forwarded-For $remote_addr;",
  ]);
  // Addresses of examples that leave the host are encrypted, and the certificate is checked.
  const [{ stringData }] = await yaml("deploy/kubernetes/secret.example.yaml");
  assert.equal(new URL(stringData.DATABASE_URL).searchParams.get("sslmode"), "verify-full");
  assert.equal(new URL(stringData.REDIS_URL).protocol, "rediss:");
  const example = await readFile(join(root, "deploy/example.env"), "utf8");
  assert.match(example, /^TONWERK_BASE_URL=https:/m);
  for (const url of [config.TONWERK_BASE_URL, config.S3_ENDPOINT]) assert.match(url, /^https:/);
});

test("the manifests for accelerators add workers of that kind, and tell every node which tasks are theirs", async () => {
  const { all: base } = await listed("deploy/kubernetes");
  const { kustomization, all: own } = await listed("deploy/kubernetes-gpu");
  assert.ok(kustomization.resources.includes("../kubernetes"));
  assert.deepEqual(namesOf(own), ["worker-gpu"]);
  const [patch] = kustomization.patches;
  const operations = await yamlText(patch.patch);
  const all = structuredClone([...base, ...own]);
  for (const { op, path, value } of operations) {
    assert.equal(op, "add");
    const target = all.find(({ kind, metadata }) => kind === patch.target.kind && metadata.name === patch.target.name);
    target.data[path.replace(/^\/data\//, "")] = value;
  }
  for (const deployment of deploymentsOf(all)) {
    const env = await checkDeployment(deployment, all);
    assert.deepEqual(loadConfig(env).gpu_tasks, ["generate", "separate"], deployment.metadata.name);
  }
});

test("the Dockerfile copies what is there, and its programs are installed", async () => {
  const lines = (await readFile(join(root, "Dockerfile"), "utf8")).replaceAll(/\\\n\s*/g, " ").split("\n");
  for (const line of lines.filter((one) => one.startsWith("COPY ") && !one.includes("--from="))) {
    for (const source of line.split(/\s+/).slice(1, -1)) assert.ok(existsSync(join(root, source)), line);
  }
  for (const line of lines.filter((one) => /^(?:CMD|HEALTHCHECK)/.test(one))) {
    const [program] = JSON.parse(line.slice(line.indexOf("["))) as string[];
    assert.ok(existsSync(join(root, "node_modules/.bin", program!)), line);
  }
  const env = lines
    .find((one) => one.startsWith("ENV "))!
    .split(" ")
    .slice(1)
    .map((pair) => pair.split("=") as [string, string]);
  assertConfigured("Dockerfile", Object.fromEntries(env.filter(([name]) => name !== "PATH" && name !== "HOME")));
  assert.ok(lines.some((one) => /^USER \d+:\d+$/.test(one)) && !lines.includes("USER root"));
});

test("rules, dashboard and autoscaling ask for metrics and labels that exist", async () => {
  const metrics = createMetrics({ version: "0", runtime: "x", role: "all" });
  metrics.watch({
    store: { queueStats: () => Promise.resolve({ queued: 1, running: 0, oldest_at: 0 }) },
    pool: {
      stats: () => ({ threads: 0, processes: 0, busy: 0, waiting: 0, replaced: 0 }),
      residents: () => [{ name: "m", state: "ready", reason: null, ended: false, waiting: 0, memory_mb: null }],
    },
    waiters: { open: 0 },
  });
  metrics.request("GET", "/health", 200, 0.001, false);
  metrics.request("GET", "/health", 200, 0.001, true);
  metrics.submitted("a.b", 1);
  metrics.replayed("a.b");
  metrics.ended("a.b", null, 1);
  metrics.claimed("dsp", 1);
  metrics.job("dsp", "a.b", "ready", 1);
  metrics.output("a.b", "built-in");
  metrics.pluginError("a.b", "process");
  metrics.webhook("delivered", 0, 1);
  metrics.verb("store", "submit")(0.001, true);
  const labels = new Map<string, Set<string>>();
  for (const { name, labels: given } of readMetrics(await metrics.text())) {
    labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(given)]));
  }
  metrics.close();

  const [rules] = await yaml("deploy/monitoring/rules.yaml");
  const dashboard = JSON.parse(await readFile(join(root, "deploy/monitoring/dashboard.json"), "utf8"));
  const scaling = [
    ...(await yaml("deploy/kubernetes/autoscaling.yaml")),
    ...(await yaml("deploy/kubernetes-gpu/worker-gpu.yaml")),
  ];
  const asked: string[] = [
    ...rules.groups.flatMap((group: Parsed) => group.rules.map(({ expr }: Parsed) => expr)),
    ...dashboard.panels.flatMap(({ targets }: Parsed) => targets.map(({ expr }: Parsed) => expr)),
    ...scaling.flatMap(({ spec }) => (spec.triggers ?? []).map(({ metadata }: Parsed) => metadata.query)),
  ];
  assert.ok(asked.length > 25);
  for (const expr of asked) {
    for (const [, name, inside = ""] of expr.matchAll(/\b((?:tonwerk|process)_[a-z_]+)(?:\{([^}]*)\})?/g)) {
      const known = labels.get(name!);
      assert.ok(known !== undefined, `${name} in ${expr}`);
      for (const [, label] of inside.matchAll(/([a-z]+)(?:=|!|~)/g))
        assert.ok(known.has(label!) || label === "job", `${label} of ${name}`);
      for (const [, by = ""] of expr.matchAll(/by \(([^)]*)\)/g)) {
        for (const label of by.split(",").map((one) => one.trim())) {
          assert.ok(known.has(label) || label === "instance", `by (${label}) of ${name}`);
        }
      }
    }
  }
});

const promtool = findProgram("promtool");
test("an alert tells the first bug of a plugin, and goes when none follows", {
  skip: promtool === undefined && "promtool is not installed (Debian: apt-get install prometheus)",
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-rules-"));
  const alert = {
    exp_labels: { severity: "ticket", action: "acme.echo", kind: "process" },
    exp_annotations: { summary: "acme.echo has a bug: process" },
  };
  const at = (eval_time: string, exp_alerts: readonly unknown[]) => {
    return { eval_time, alertname: "TonwerkPluginFails", exp_alerts };
  };
  const series = 'tonwerk_plugin_errors_total{instance="a",action="acme.echo",kind="process"}';
  const cases = {
    rule_files: [join(root, "deploy/monitoring/rules.yaml")],
    tests: [
      {
        interval: "1m",
        // From the fifth minute on there is one, from the 41st two.
        input_series: [{ series, values: "_x5 1x35 2x40" }],
        alert_rule_test: [at("4m", []), at("8m", [alert]), at("30m", []), at("45m", [alert]), at("70m", [])],
      },
    ],
  };
  try {
    await writeFile(join(folder, "cases.yaml"), JSON.stringify(cases));
    await promisify(execFile)(promtool!, ["test", "rules", join(folder, "cases.yaml")]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
