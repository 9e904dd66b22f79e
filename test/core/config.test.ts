import assert from "node:assert/strict";
import { availableParallelism, totalmem } from "node:os";
import { test } from "node:test";
import { VARIABLES } from "../../core/base/config/variables.ts";
import { ConfigError, loadConfig } from "../../core/base/config.ts";
import { newApiKey } from "../../core/base/keys.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";

const SECRET = Buffer.alloc(32, 7).toString("base64");

function wrong(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    for (const line of error.wrong) assert.ok(error.message.includes(line));
    return error.wrong;
  }
  return [];
}

test("loadConfig() of nothing is the documented default", () => {
  assert.deepEqual(loadConfig({}), {
    port: 8787,
    host: "127.0.0.1",
    base_url: "http://127.0.0.1:8787",
    data: "./data",
    role: "all",
    work: ["dsp", "generation", "gpu"],
    gpu_tasks: [],
    database_url: null,
    redis_url: null,
    s3_endpoint: null,
    s3_public_endpoint: null,
    s3_bucket: null,
    s3_region: "us-east-1",
    s3_access_key_id: null,
    s3_secret_access_key: null,
    s3_addressing: "auto",
    plugins: ["./plugins"],
    packs: [],
    sounds: null,
    models: null,
    providers: ["cuda", "directml", "coreml", "cpu"],
    devices: [],
    model_mb: 6000,
    model_seconds: 60,
    sidecars: [],
    shipped_models: "on",
    put_per_minute: 600,
    get_per_minute: 3000,
    long_polls: 100,
    free_seconds: 3600,
    uploads_open: 8,
    webhook_endpoints: 16,
    upload_bytes: 5_000_000_000,
    source_seconds: 600,
    source_bytes: 50_000_000,
    free_bytes_min: 2_000_000_000,
    first_key: null,
    first_secret: null,
    first_credits: 1000,
    secret: null,
    secret_previous: null,
    trusted_proxies: [],
    private_hosts: [],
    cors_origins: [],
    dns: [],
    smtp_url: null,
    mail_from: null,
    leak_keys: null,
    url_seconds: 3600,
    retention_days: 30,
    audit_days: 400,
    unknown_hours: 24,
    work_seconds: 600,
    workers: Math.max(1, availableParallelism() - 1),
    memory_mb: Math.floor(
      (0.75 * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)) / 2 ** 20,
    ),
    flac_bits: 24,
    isolate: [],
    isolate_strict: "off",

    drain_seconds: 25,
    metrics_port: null,
    metrics_host: "127.0.0.1",
    log_level: "info",
    ffmpeg_path: null,
  });
});

test("loadConfig() reads every variable", () => {
  const first_key = newApiKey();
  const first_secret = newSigningSecret();
  const config = loadConfig({
    PORT: "80",
    HOST: "0.0.0.0",
    TONWERK_BASE_URL: "https://audio.example.com/tonwerk/",
    TONWERK_DATA: "/var/lib/tonwerk",
    TONWERK_ROLE: "api",
    TONWERK_WORK: "generation",
    TONWERK_GPU_TASKS: "separate,song",
    DATABASE_URL: "postgres://tonwerk:pass@db:5432/tonwerk?sslmode=require",
    REDIS_URL: "rediss://:pass@redis:6379/1",
    S3_ENDPOINT: "http://s3:7070/",
    S3_PUBLIC_ENDPOINT: "https://audio.example.com",
    S3_ADDRESSING: "host",
    S3_BUCKET: "audio",
    S3_REGION: "eu-central-1",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
    TONWERK_PLUGINS: "./plugins, ?@acme/pitch,,",
    TONWERK_PACKS: "./packs, @acme/packs",
    TONWERK_SOUNDS: "./sounds",
    TONWERK_MODELS: "/models",
    TONWERK_SIDECARS:
      "./drift.json, http://127.0.0.1:8001=generate,cog+https://gpu/one=separate, unix:/run/s.sock=generate+separate",
    TONWERK_PROVIDERS: "tensorrt, cpu",
    TONWERK_DEVICES: "0, 2",
    TONWERK_MODEL_MB: "500",
    TONWERK_MODEL_SECONDS: "5",
    TONWERK_SHIPPED_MODELS: "off",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "1",
    TONWERK_LONG_POLLS: "2",
    TONWERK_FREE_SECONDS: "60",
    TONWERK_UPLOADS_OPEN: "2",
    TONWERK_WEBHOOK_ENDPOINTS: "3",
    TONWERK_UPLOAD_BYTES: "1000000",
    TONWERK_SOURCE_SECONDS: "10800",
    TONWERK_SOURCE_BYTES: "4000000000",
    TONWERK_FREE_BYTES_MIN: "0",
    TONWERK_FIRST_KEY: first_key,
    TONWERK_FIRST_SECRET: first_secret,
    TONWERK_FIRST_CREDITS: "0",
    TONWERK_SECRET: SECRET,
    TONWERK_SECRET_PREVIOUS: ` ${SECRET} `,
    TONWERK_TRUSTED_PROXIES: "10.1.2.3/8, 2001:DB8::/32",
    TONWERK_CORS_ORIGINS: "https://app.example.com, http://localhost:3000",
    TONWERK_PRIVATE_HOSTS: "NAS.local,192.168.0.0/16 ,::1",
    TONWERK_DNS: "10.0.0.2, 10.0.0.3:5353,FD00::2 , [fd00::3]:5353",
    TONWERK_SMTP_URL: "smtps://me:secret@mail.example.com",
    TONWERK_MAIL_FROM: "tonwerk@example.com",
    TONWERK_LEAK_KEYS: ' {"a":"PEM"} ',
    TONWERK_URL_SECONDS: "300",
    TONWERK_RETENTION_DAYS: "7",
    TONWERK_AUDIT_DAYS: "90",
    TONWERK_UNKNOWN_HOURS: "48",
    TONWERK_WORK_SECONDS: "60",
    TONWERK_WORKERS: "3",
    TONWERK_MEMORY_MB: "3000",
    TONWERK_FLAC_BITS: "16",
    TONWERK_ISOLATE: "acme.pitch,other.*",
    TONWERK_ISOLATE_STRICT: "on",
    TONWERK_DRAIN_SECONDS: "0",
    TONWERK_METRICS_PORT: "9464",
    TONWERK_METRICS_HOST: "::1",
    TONWERK_LOG_LEVEL: "warn",
    FFMPEG_PATH: "/usr/bin/ffmpeg",
    PATH: "/bin",
  });
  assert.deepEqual(config, {
    port: 80,
    host: "0.0.0.0",
    base_url: "https://audio.example.com/tonwerk",
    data: "/var/lib/tonwerk",
    role: "api",
    work: ["generation"],
    gpu_tasks: ["separate", "song"],
    database_url: "postgres://tonwerk:pass@db:5432/tonwerk?sslmode=require",
    redis_url: "rediss://:pass@redis:6379/1",
    s3_endpoint: "http://s3:7070",
    s3_public_endpoint: "https://audio.example.com",
    s3_bucket: "audio",
    s3_region: "eu-central-1",
    s3_access_key_id: "id",
    s3_secret_access_key: "secret",
    s3_addressing: "host",
    plugins: ["./plugins", "?@acme/pitch"],
    packs: ["./packs", "@acme/packs"],
    sounds: "./sounds",
    models: "/models",
    sidecars: [
      "./drift.json",
      "http://127.0.0.1:8001=generate",
      "cog+https://gpu/one=separate",
      "unix:/run/s.sock=generate+separate",
    ],
    providers: ["tensorrt", "cpu"],
    devices: [0, 2],
    model_mb: 500,
    model_seconds: 5,
    shipped_models: "off",
    put_per_minute: 0,
    get_per_minute: 1,
    long_polls: 2,
    free_seconds: 60,
    uploads_open: 2,
    webhook_endpoints: 3,
    upload_bytes: 1_000_000,
    source_seconds: 10_800,
    source_bytes: 4_000_000_000,
    free_bytes_min: 0,
    first_key,
    first_secret,
    first_credits: 0,
    secret: SECRET,
    secret_previous: SECRET,
    trusted_proxies: ["10.0.0.0/8", "2001:db8::/32"],
    private_hosts: ["nas.local", "192.168.0.0/16", "::1"],
    cors_origins: ["https://app.example.com", "http://localhost:3000"],
    dns: ["10.0.0.2", "10.0.0.3:5353", "fd00::2", "[fd00::3]:5353"],
    smtp_url: "smtps://me:secret@mail.example.com",
    mail_from: "tonwerk@example.com",
    leak_keys: '{"a":"PEM"}',
    url_seconds: 300,
    retention_days: 7,
    audit_days: 90,
    unknown_hours: 48,
    work_seconds: 60,
    workers: 3,
    memory_mb: 3000,
    flac_bits: 16,
    isolate: ["acme.pitch", "other.*"],
    isolate_strict: "on",
    drain_seconds: 0,
    metrics_port: 9464,
    metrics_host: "::1",
    log_level: "warn",
    ffmpeg_path: "/usr/bin/ffmpeg",
  });
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.plugins));
});

test("loadConfig() takes an empty variable for an absent one", () => {
  const names = Object.values(VARIABLES).map((row) => row.name);
  const empty = Object.fromEntries(names.map((name, i) => [name, ["", "  ", undefined][i % 3]]));
  assert.deepEqual(loadConfig(empty), loadConfig({}));
});

test("loadConfig() derives a base URL that a client can call", () => {
  const cases = [
    ["127.0.0.1", "http://127.0.0.1:9000"],
    ["0.0.0.0", "http://127.0.0.1:9000"],
    ["::", "http://[::1]:9000"],
    ["0:0:0:0:0:0:0:0", "http://[::1]:9000"],
    ["2001:DB8::1", "http://[2001:db8::1]:9000"],
    ["localhost", "http://localhost:9000"],
  ] as const;
  for (const [HOST, base_url] of cases) assert.equal(loadConfig({ HOST, PORT: "9000" }).base_url, base_url);
  assert.equal(loadConfig({ TONWERK_BASE_URL: "HTTP://Example.COM:80" }).base_url, "http://example.com");
});

test("loadConfig() refuses values out of form or range, with name and expectation", () => {
  const cases: readonly [name: string, expected: RegExp, ...values: string[]][] = [
    [
      "PORT",
      /^PORT must be a whole number from 1 to 65535, not "/,
      "0",
      "65536",
      "-1",
      "8o80",
      "1e3",
      "080",
      "8787.0",
      "+1",
    ],
    [
      "HOST",
      /^HOST must be an address or a host name/,
      "http://x",
      "a:80",
      "1.2.3",
      "1.2.3.256",
      "a b",
      "-a",
      "a..b",
      "[::1]",
    ],
    [
      "TONWERK_BASE_URL",
      /^TONWERK_BASE_URL must be an http or https URL/,
      "x",
      "ftp://x",
      "//x",
      "http://x/?a",
      "http://x/#",
      "http://x?",
    ],
    ["TONWERK_DNS", /^TONWERK_DNS must be addresses such as/, "dns.example", "10.0.0.2:0", "::1:53x", "[10.0.0.2]:53"],
    [
      "TONWERK_SMTP_URL",
      /^TONWERK_SMTP_URL must be a URL that begins with smtp:\/\/ or smtps:\/\//,
      "mail.example.com",
      "http://a",
      "smtp://",
    ],
    ["TONWERK_ROLE", /^TONWERK_ROLE must be one of all, api, worker, not "API"$/, "API"],
    ["TONWERK_PLUGINS", /^TONWERK_PLUGINS must be folders/, "./plugins,?"],
    [
      "TONWERK_SIDECARS",
      /^TONWERK_SIDECARS must be manifests such as/,
      "./drift",
      "http://127.0.0.1:8001",
      "http://127.0.0.1:8001=sing",
      "http://me:pass@host=generate",
      "ftp://host=generate",
      "side=generate",
    ],
    ["TONWERK_PUT_PER_MINUTE", /must be a whole number from 0/, "-1", "many"],
    ["TONWERK_GET_PER_MINUTE", /must be a whole number from 0/, "Infinity"],
    ["TONWERK_LONG_POLLS", /must be a whole number from 0/, "0x10"],
    ["TONWERK_FIRST_CREDITS", /must be a whole number from 0/, "1000000001"],
    [
      "TONWERK_CORS_ORIGINS",
      /must be origins such as .* without a path, not/,
      "*",
      "null",
      "https://app.example.com/",
      "https://App.example.com",
      "https://app.example.com:443",
      "ws://app.example.com",
      "https://me@app.example.com",
    ],
    ["TONWERK_TRUSTED_PROXIES", /must be addresses and CIDR ranges .* not "proxy"$/, "10.0.0.0/8,proxy"],
    ["TONWERK_TRUSTED_PROXIES", /not "10.0.0.0\/33"$/, "10.0.0.0/33"],
    [
      "TONWERK_PRIVATE_HOSTS",
      /must be host names, addresses and CIDR/,
      "http://nas",
      "nas:80",
      "10.0.0",
      "10.0.0.0/x",
      "*",
      "näs",
    ],
    ["TONWERK_URL_SECONDS", /from 300 to 604800/, "299", "604801", "1h"],
    ["TONWERK_RETENTION_DAYS", /from 1 to/, "0"],
    ["TONWERK_WORK_SECONDS", /from 1 to/, "0"],
    ["TONWERK_WORKERS", /must be auto or a whole number from 1 to 256, not "/, "0", "257", "AUTO"],
    ["TONWERK_MEMORY_MB", /must be auto or a whole number from 256 to 1048576, not "/, "255", "1048577", "half"],
    ["TONWERK_FLAC_BITS", /must be one of 24, 16, not "32"/, "32"],
    ["TONWERK_ISOLATE", /must be names of actions, groups such as acme\.\*, or \*, not "Acme"/, "Acme"],
    ["TONWERK_DRAIN_SECONDS", /from 0 to/, "-5"],
  ];
  for (const [name, expected, ...values] of cases) {
    for (const value of values) {
      const [line, ...others] = wrong({ [name]: value });
      assert.ok(line !== undefined && others.length === 0, `${name}=${value}`);
      assert.ok(line.startsWith(`${name} must be `), line);
      assert.match(line, expected);
    }
  }
});

test("loadConfig() accepts the ends of each range", () => {
  for (const [name, ...values] of [
    ["PORT", "1", "65535"],
    ["TONWERK_URL_SECONDS", "300", "604800"],
    ["TONWERK_WORKERS", "1", "256", "auto"],
    ["TONWERK_MEMORY_MB", "256", "1048576", "auto"],
    ["TONWERK_FLAC_BITS", "16", "24"],
  ] as const) {
    for (const value of values) assert.deepEqual(wrong({ [name]: value }), [], `${name}=${value}`);
  }
});

test("loadConfig() refuses bad secrets without repeating them", () => {
  const key = newApiKey();
  const values = {
    TONWERK_FIRST_KEY: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
    TONWERK_FIRST_SECRET: "whsec_hunter2",
    TONWERK_SECRET: "hunter2",
    TONWERK_SECRET_PREVIOUS: "hunter2hunter2",
    TONWERK_BASE_URL: "https://user:hunter2@example.com",
    DATABASE_URL: "mysql://user:hunter2@db/tonwerk",
  };
  const lines = wrong(values);
  assert.equal(lines.length, 6);
  for (const [name, value] of Object.entries(values)) {
    assert.ok(
      lines.some((line) => line.startsWith(`${name} must be `)),
      name,
    );
    assert.ok(!lines.join("\n").includes(value), name);
  }
  assert.doesNotMatch(lines.join("\n"), /hunter2/);
});

test("loadConfig() wants addresses of the right kind, without repeating them", () => {
  for (const [name, expected] of [
    ["DATABASE_URL", "a URL that begins with postgres:// or postgresql:// and names a host"],
    ["REDIS_URL", "a URL that begins with redis:// or rediss:// and names a host"],
    ["S3_ENDPOINT", "an http or https URL without user name, query and fragment"],
    ["S3_PUBLIC_ENDPOINT", "an http or https URL without user name, query and fragment"],
  ]) {
    assert.deepEqual(wrong({ [name!]: "x://hunter2@y" }), [`${name} must be ${expected}`]);
  }
  assert.equal(loadConfig({ S3_PUBLIC_ENDPOINT: "none" }).s3_public_endpoint, "none");
});

test("loadConfig() refuses what does not go together", () => {
  assert.match(
    wrong({ DATABASE_URL: "postgres://db/tonwerk" })[0] ?? "",
    /^TONWERK_SECRET must be set with DATABASE_URL/,
  );
  assert.deepEqual(wrong({ DATABASE_URL: "postgres://db/tonwerk", TONWERK_SECRET: SECRET }), []);
  assert.deepEqual(wrong({ S3_ENDPOINT: "http://s3:7070" }), ["S3_BUCKET must be set with S3_ENDPOINT"]);
  assert.deepEqual(wrong({ S3_ACCESS_KEY_ID: "id" }), ["S3_SECRET_ACCESS_KEY must be set with S3_ACCESS_KEY_ID"]);
  assert.deepEqual(wrong({ S3_SECRET_ACCESS_KEY: "s" }), ["S3_ACCESS_KEY_ID must be set with S3_SECRET_ACCESS_KEY"]);
});

test("loadConfig() reads kinds of work in one order and refuses none and others", () => {
  assert.deepEqual(loadConfig({ TONWERK_WORK: "gpu, dsp,gpu" }).work, ["dsp", "gpu"]);
  assert.equal(wrong({ TONWERK_WORK: "," }).length, 1);
  assert.equal(wrong({ TONWERK_WORK: "cpu" }).length, 1);
});

test("loadConfig() refuses unknown TONWERK_ variables and names the nearest", () => {
  const cases = [
    ["TONWERK_WORKER", "TONWERK_WORKERS"],
    ["TONWERK_BASEURL", "TONWERK_BASE_URL"],
    ["TONWERK_PRIVAT_HOST", "TONWERK_PRIVATE_HOSTS"],
    ["TONWERK_data", "TONWERK_DATA"],
    ["TONWERK_PORT", "PORT"],
    ["TONWERK_FFMPEG_PATH", "FFMPEG_PATH"],
  ] as const;
  for (const [name, nearest] of cases) {
    const [line, ...others] = wrong({ [name]: "1" });
    assert.equal(others.length, 0);
    assert.equal(line, `${name} is not a variable of this version, did you mean ${nearest}?`);
  }
  assert.equal(wrong({ TONWERK_: "" }).length, 1);
});

test("loadConfig() lets other variables pass, and those that Kubernetes makes for a Service called tonwerk", () => {
  const environment = {
    HOME: "/root",
    TONWERK_URL: "http://127.0.0.1:8787",
    TONWERK_KEY: "tonwerk_x",
    TONWERK_PROFILE: "studio",
    tonwerk_data: "x",
    XTONWERK_DATA: "x",
    TONWERK_SERVICE_HOST: "10.0.0.1",
    TONWERK_SERVICE_PORT: "8787",
    TONWERK_SERVICE_PORT_HTTP: "8787",
    TONWERK_PORT: "tcp://10.0.0.1:8787",
    TONWERK_PORT_8787_TCP: "tcp://10.0.0.1:8787",
    TONWERK_PORT_8787_TCP_PROTO: "tcp",
    TONWERK_API_PORT: "tcp://10.0.0.1:8787",
    TONWERK_API_SERVICE_HOST: "10.0.0.1",
  };
  assert.deepEqual(loadConfig(environment), loadConfig({}));
});

test("loadConfig() names everything that is wrong at once", () => {
  const lines = wrong({ PORT: "x", TONWERK_ROLE: "x", REDIS_URL: "x", TONWERK_WORKER: "1", TONWERK_DATA: "ok" });
  assert.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["PORT", "TONWERK_ROLE", "REDIS_URL", "TONWERK_WORKER"],
  );
});

test("every field of the configuration has one variable, whose default is accepted as it is written", () => {
  const rows = Object.values(VARIABLES);
  assert.deepEqual(Object.keys(loadConfig({})), Object.keys(VARIABLES));
  assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
  for (const row of rows) assert.match(row.name, /^[A-Z][A-Z0-9_]+$/);
  const defaults = Object.fromEntries(rows.map((row) => [row.name, row.default]));
  assert.deepEqual(loadConfig(defaults), loadConfig({}));
});
