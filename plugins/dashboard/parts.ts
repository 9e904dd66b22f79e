/** Pieces that several pages use. */
import { type Facade, liveAccountOf, type Snapshot, type Status, type StoredError } from "../../core/surface.ts";
import type { Call, Visit } from "./context.ts";
import { ago, utc } from "./format.ts";
import { attributes, type Html, html, type Value } from "./html.ts";

export function heading(title: Value, lead: Value = null, beside: Value = null): Html {
  return html`<div class="heading"><div><h1>${title}</h1>${lead !== null && html`<p class="lead">${lead}</p>`}</div>${
    beside !== null && html`<div class="row">${beside}</div>`
  }</div>`;
}

export function crumbs(trail: readonly (readonly [name: string, address: string])[]): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb">${trail.map(([name, address]) => html`<a href="${address}">${name}</a> / `)}</nav>`;
}

/** When, in words, with the exact time behind it. */
export function time(ms: number, now: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}" title="${utc(ms)}">${ago(ms, now)}</time>`;
}

export const csrfField = (visit: Visit): Html => html`<input type="hidden" name="csrf" value="${visit.by.csrf}">`;

/** A button that changes something: a form of its own. */
export function postButton(visit: Visit, path: string, label: string, kind = "small"): Html {
  return html`<form method="post" action="${visit.to(path)}">${csrfField(visit)}<button class="${kind}">${label}</button></form>`;
}

export type Tone = "good" | "bad" | "wait" | "plain";

export function notice(tone: Tone, body: Value): Html {
  // Read out at once where it says that something went wrong, when there is time where it does not.
  return html`<div class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${body}</div>`;
}

export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`;

const TONES: Readonly<Record<Status | "canceled", Tone>> = {
  processing: "wait",
  ready: "good",
  failed: "bad",
  canceled: "plain",
};

/** Whoever cancels has not failed: pages tell the two apart. */
export const isCanceled = ({ error }: Pick<Snapshot, "error">): boolean =>
  error !== null && (JSON.parse(error) as StoredError).code === "canceled";

export function statusBadge(operation: Pick<Snapshot, "status" | "error">): Html {
  const status = isCanceled(operation) ? "canceled" : operation.status;
  return badge(TONES[status], status);
}

/** Something shown once. */
export function secretBox(text: string): Html {
  return html`<div class="secret"><code>${text}</code><button type="button" data-copy="${text}" hidden>Copy</button></div>`;
}

/** What a form's field is to be called by its label and its problem. */
export function textField(options: {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: string;
  readonly help?: Value;
  readonly problem?: string | undefined;
  readonly more?: Readonly<Record<string, string | number | boolean | null>>;
}): Html {
  const { name, label, value = "", type = "text", help = null, problem, more = {} } = options;
  const described = [help === null ? "" : `${name}-help`, problem === undefined ? "" : `${name}-problem`]
    .join(" ")
    .trim();
  return html`<div class="field"><label for="${name}">${label}</label>${help !== null && html`<small id="${name}-help">${help}</small>`}
<input ${attributes({
    id: name,
    name,
    type,
    value: value === "" ? null : value,
    "aria-describedby": described === "" ? null : described,
    "aria-invalid": problem === undefined ? null : "true",
    ...more,
  })}>${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}</div>`;
}

/** Newer and older pages of a list that goes from the newest to the oldest. Null: there is none. */
export function pager(first: string | null, next: string | null): Value {
  if (first === null && next === null) return null;
  return html`<nav class="row end" aria-label="Pages">${first !== null && html`<a class="button small" href="${first}">Newest</a>`}${
    next !== null && html`<a class="button small" href="${next}">Older</a>`
  }</nav>`;
}

/** The page's own address with other parameters; null and empty ones are left out. */
export function withQuery(call: Call, path: string, query: Readonly<Record<string, string | null>>): string {
  const kept = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== "");
  return `${call.to(path)}${kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`}`;
}

export const json = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;

/** Parts of a page one under the other; the script shows one at a time. Of at least one. */
export function tabs(
  label: string,
  parts: readonly { readonly id: string; readonly name: string; readonly body: Value }[],
): Html {
  return html`<nav class="tabs" data-tabs aria-label="${label}">${parts.map(({ id, name }) => html`<a href="${`#${id}`}">${name}</a>`)}</nav>
${parts.map(({ id, body }) => html`<div class="tab stack-of" id="${id}">${body}</div>`)}`;
}

/** What accounts are called, by their ids and by those of their test keys. */
export async function accountNames(
  store: Pick<Facade["store"], "account">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids)].map(async (id): Promise<readonly [string, string]> => {
    const live = liveAccountOf(id);
    const name = (await store.account(live))?.name ?? id;
    return [id, live === id ? name : `${name}, test keys`];
  });
  return new Map(await Promise.all(named));
}
