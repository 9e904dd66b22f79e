/** Operator > Health: what waits, what is at work, what it takes, and what is behind, on one page. */
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import {
  API_VERSION,
  type Endpoint,
  type Facade,
  type QueueStats,
  type RunningJob,
  WORKS,
  type Work,
} from "../../../core/surface.ts";
import { BACKUP_NOTED } from "../../administration/backups.ts";
import type { Pages, Visit } from "../context.ts";
import { bytes, count, elapsed, plural, utc } from "../format.ts";
import { type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage } from "../page.ts";
import { accountNames, badge, heading, notice, type Tone, time } from "../parts.ts";

/** Jobs of a kind that are listed. */
const JOBS_MAX = 50;
const ENDPOINTS_MAX = 20;
/** From then on somebody should look. */
const WAIT_MS = 10 * 60_000;
const WEBHOOK_MS = 60_000;
const BACKUP_MS = 36 * 3_600_000;
const WORK_NAMES: Readonly<Record<Work, string>> = {
  dsp: "Signal work",
  generation: "Music and speech",
  gpu: "On a GPU",
  test: "Of test keys",
};
const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  busy: "good",
  starting: "wait",
  elsewhere: "plain",
  failed: "bad",
};

export const operatorHealthPages: Pages = (services) => [
  {
    method: "GET",
    path: "/operator",
    access: "operate",
    async answer(visit) {
      const { store, pool, config, clock } = services;
      const [queues, running, behind, failing, backups, disk] = await Promise.all([
        Promise.all(WORKS.map(async (work) => [work, await store.queueStats(work)] as const)),
        Promise.all(WORKS.map((work) => store.running(work, JOBS_MAX))),
        store.webhooksBehind(),
        store.failingEndpoints(ENDPOINTS_MAX),
        store.auditEntries({ action: BACKUP_NOTED, limit: 1 }),
        statfs(config.data).catch(() => undefined),
      ]);
      const jobs = running.flat();
      const names = await accountNames(
        store,
        [...jobs, ...failing].map(({ account_id }) => account_id),
      );
      const [free, total] = disk === undefined ? [0, 0] : [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
      const backup = backups[0];
      const late_ms = behind.oldest_due_at === null ? 0 : Math.max(0, clock.now() - behind.oldest_due_at);
      const memory = process.memoryUsage().rss;
      const stats = pool.stats();
      const troubles = troublesOf(
        { queues, late_ms, free, has_disk: disk !== undefined, backup_at: backup?.at },
        services,
      );
      return answerPage(visit, {
        title: "Health",
        at: "/operator",
        refresh_seconds: 30,
        body: html`${heading("Health", `Queues, jobs and webhooks are the installation's; memory, models and disk those of ${hostname()}, the node that answers.`)}
<div data-watch="${visit.to("/operator")}" data-every="10" class="stack-of">
${troubles.length === 0 ? notice("good", "Nothing needs a look.") : notice("wait", html`<ul>${troubles.map((one) => html`<li>${one}</li>`)}</ul>`)}
<section class="panel flush"><header><h2>Queue</h2></header>${queueTable(visit, queues)}</section>
<section class="panel flush"><header><h2>Workers, and what they do</h2></header>${jobs.length === 0 ? html`<p class="pad">No job is at work.</p>` : jobTable(visit, jobs, running, names)}</section>
<section class="panel flush"><header><h2>Models and other processes</h2></header>${modelTable(services)}</section>
<section class="panel flush"><header><h2>Webhooks behind</h2></header><p class="pad">${
          behind.due === 0
            ? "None is due."
            : html`${plural(behind.due, "delivery is", "deliveries are")} due and not under way, the oldest for ${elapsed(late_ms)}.`
        }</p>${failing.length > 0 && endpointTable(visit, failing, names)}</section>
<section class="panel"><h2>This node</h2><dl class="facts"><dt>Version</dt><dd>${API_VERSION}, role <code>${config.role}</code></dd>
<dt>Started</dt><dd>${time(clock.now() - process.uptime() * 1000, visit.now)}</dd>
<dt>Memory</dt><dd>${bytes(memory)} of this process; models' are above</dd>
<dt>Pool</dt><dd>${plural(stats.threads, "thread")}, ${plural(stats.processes, "process", "processes")}, ${count(stats.busy)} at work, ${count(stats.waiting)} waiting, ${count(stats.replaced)} replaced since the start; ${config.role === "api" ? "runs no jobs" : `up to ${plural(config.workers, "job")} at once`}</dd>
<dt>Disk</dt><dd>${disk === undefined ? "not known" : html`${bytes(free)} free of ${bytes(total)} where <code>${config.data}</code> is; below ${bytes(config.free_bytes_min)} nothing is accepted`}</dd>
<dt>Last backup</dt><dd>${backup === undefined ? html`none was noted: let the script that makes them run <code>tonwerk backups note</code>` : html`${time(backup.at, visit.now)} <small>${utc(backup.at)}${whereOf(backup.details)}</small>`}</dd></dl></section></div>`,
      });
    },
  },
];

interface Seen {
  readonly queues: readonly (readonly [Work, QueueStats])[];
  readonly late_ms: number;
  readonly free: number;
  readonly has_disk: boolean;
  readonly backup_at: number | undefined;
}

/** What somebody should look at, as sentences. */
function troublesOf({ queues, late_ms, free, has_disk, backup_at }: Seen, { clock, config, pool }: Facade): string[] {
  const now = clock.now();
  return [
    ...queues.flatMap(([work, { oldest_at }]) =>
      oldest_at !== null && now - oldest_at > WAIT_MS
        ? [`${WORK_NAMES[work]}: the oldest job has waited for ${elapsed(now - oldest_at)}.`]
        : [],
    ),
    ...pool
      .residents()
      .flatMap(({ name, state, reason }) => (state === "failed" ? [`${name} has failed: ${reason}`] : [])),
    ...(late_ms > WEBHOOK_MS ? [`Webhooks are ${elapsed(late_ms)} behind.`] : []),
    ...(has_disk && free < 2 * config.free_bytes_min ? [`The disk has ${bytes(free)} left.`] : []),
    ...(backup_at !== undefined && now - backup_at > BACKUP_MS
      ? ["The last backup is more than a day and a half old."]
      : []),
  ];
}

function queueTable(visit: Visit, queues: readonly (readonly [Work, QueueStats])[]): Html {
  return html`<table class="stack figures"><thead><tr><th scope="col">Work</th><th scope="col" class="num">Waiting</th><th scope="col">Oldest</th><th scope="col" class="num">At work</th></tr></thead><tbody>${queues.map(
    ([work, { queued, running, oldest_at }]) =>
      html`<tr><th scope="row" class="wide">${WORK_NAMES[work]} <small><code>${work}</code></small></th><td class="num" data-label="waiting">${count(queued)}</td><td data-label="oldest">${oldest_at === null ? "none" : time(oldest_at, visit.now)}</td><td class="num" data-label="at work">${count(running)}</td></tr>`,
  )}</tbody></table>`;
}

type Names = ReadonlyMap<string, string>;

const accountLink = (visit: Visit, id: string, names: Names): Html =>
  html`<a dir="auto" href="${visit.to(`/operator/accounts/${id}`)}">${names.get(id) ?? id}</a>`;

function jobTable(
  visit: Visit,
  jobs: readonly RunningJob[],
  running: readonly (readonly RunningJob[])[],
  names: Names,
): Html {
  const cut = running.some(({ length }) => length === JOBS_MAX);
  return html`<table class="stack figures"><thead><tr><th scope="col">Worker</th><th scope="col">Does</th><th scope="col">For</th><th scope="col">Since</th><th scope="col" class="num">Attempt</th></tr></thead><tbody>${jobs.map(
    ({ id, worker, action, account_id, stage, progress, started_at, attempt }) =>
      html`<tr><th scope="row" class="text wide"><span class="clip">${nodeOf(worker)}</span></th><td class="text wide">${titleOfAction(action)} <small>${stage === null ? null : `${stage}, `}${Math.floor(progress * 100)} %</small><br><small><code>${id}</code></small></td><td class="text wide">${accountLink(visit, account_id, names)}</td><td data-label="since">${started_at === null ? "" : time(started_at, visit.now)}</td><td class="num" data-label="attempt">${attempt}</td></tr>`,
  )}</tbody></table>${cut && html`<p class="pad soft">Of each kind the first ${JOBS_MAX}.</p>`}`;
}

/** Host, process and place, without what is random. */
const nodeOf = (worker: string): string => worker.replace(/-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/u, "");

function modelTable({ pool, engines, actions }: Facade): Html {
  const residents = new Map(pool.residents().map((one) => [one.name, one]));
  const tasks = new Set([...actions.values()].flatMap(({ action }) => action.task ?? []));
  const models = new Map([...tasks].flatMap((task) => engines.models(task).map((one) => [one.id, one] as const)));
  const names = [...new Set([...models.keys(), ...residents.keys()])];
  if (names.length === 0)
    return html`<p class="pad">No model is configured, and none has been asked for: engines that are built in do the work.</p>`;
  return html`<table class="stack figures"><thead><tr><th scope="col">Model</th><th scope="col">State</th><th scope="col">Does</th><th scope="col" class="num">Memory</th><th scope="col" class="num">Waiting</th></tr></thead><tbody>${names.map(
    (name) => {
      const [model, resident] = [models.get(name), residents.get(name)];
      const state = resident?.state ?? model?.state ?? "starting";
      const reason: Value = resident?.reason ?? model?.reason ?? null;
      return html`<tr><th scope="row" class="text wide">${name}</th><td class="text wide">${badge(TONES[state] ?? "plain", state)}${reason !== null && html`<br><small>${reason}</small>`}</td><td data-label="does">${model === undefined ? "" : `${model.task}${model.device === null ? "" : ` on ${model.device}`}`}</td><td class="num" data-label="memory">${resident?.memory_mb == null ? "no process" : bytes(resident.memory_mb * 1_000_000)}${model?.server_mb !== undefined && html`<br><small>${bytes(model.server_mb * 1_000_000)} by its server</small>`}</td><td class="num" data-label="waiting">${resident?.waiting ?? 0}</td></tr>`;
    },
  )}</tbody></table>`;
}

function endpointTable(visit: Visit, failing: readonly Endpoint[], names: Names): Html {
  return html`<table class="stack figures"><thead><tr><th scope="col">Endpoint that fails</th><th scope="col">Account</th><th scope="col">Since</th><th scope="col">Last answer</th><th scope="col" class="num">Given up</th></tr></thead><tbody>${failing.map(
    ({ host, account_id, failing_since, failures, last_failure_status, disabled_at }) =>
      html`<tr><th scope="row" class="text wide"><span class="clip">${host}</span>${disabled_at !== null && html` ${badge("bad", "disabled")}`}</th><td class="text wide">${accountLink(visit, account_id, names)}</td><td data-label="since">${failing_since !== null && time(failing_since, visit.now)}</td><td data-label="answered">${last_failure_status ?? "no answer"}</td><td class="num" data-label="given up">${failures}</td></tr>`,
  )}</tbody></table>`;
}

function whereOf(details: string): string {
  const { words = [] } = JSON.parse(details) as { readonly words?: readonly string[] };
  return words.length === 0 ? "" : `, ${words.join(" ")}`;
}
