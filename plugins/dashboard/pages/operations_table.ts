/** Rows of operations, to be opened by a click anywhere in them, and heard where they stand. */
import { audioOf, type Snapshot, type StoredRequest } from "../../../core/surface.ts";
import type { DashboardServices, Visit } from "../context.ts";
import { clock, count } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { fileNamesOf, gistText, titleOfAction } from "../names.ts";
import { statusBadge, time, withQuery } from "../parts.ts";

export async function operationsTable(
  { actions, store }: Pick<DashboardServices, "actions" | "store">,
  visit: Visit,
  operations: readonly Snapshot[],
): Promise<Html> {
  const files = await Promise.all(operations.map((operation) => fileNamesOf(store, operation)));
  return html`<table class="stack rows" data-rows><thead><tr><th scope="col">Action</th><th scope="col">What</th><th scope="col">Status</th><th scope="col">Length</th><th scope="col" class="num">Credits</th><th scope="col">Submitted</th></tr></thead><tbody>${operations.map(
    (operation, index) =>
      html`<tr><th scope="row"><a href="${visit.to(`/operations/${operation.id}`)}">${titleOfAction(operation.action)}</a></th><td class="text wide"><span class="clip" dir="auto">${gistText(operation, actions, files[index])}</span>${pairs(visit, operation)}</td><td>${statusBadge(operation)}</td><td class="sound">${sound(visit, operation)}</td><td class="num" data-label="credits">${count(operation.cost)}</td><td>${time(operation.created_at, visit.now)}</td></tr>`,
  )}</tbody></table><p class="keys pad scripted"><small>J and K go through the rows, Enter opens, Space plays</small></p>`;
}

/** Of several results the first is heard. */
function sound(visit: Visit, { id, action, outputs }: Snapshot): Value {
  const audio = outputs === null ? [] : audioOf(outputs);
  const [first] = audio;
  if (first === undefined) return null;
  const label = `Play ${titleOfAction(action)}, ${clock(first.duration)}`;
  return html`<button ${attributes({ type: "button", class: "hear scripted", "data-hear": visit.to(`/operations/${id}/outputs/0/audio`), "aria-label": label })}></button><span>${clock(first.duration)}</span>${audio.length > 1 && html` <small>× ${audio.length}</small>`}`;
}

const PAIRS_MAX = 3;

/** Metadata, each a way to the others that have it. */
export function pairs(visit: Visit, { request }: Snapshot, most = PAIRS_MAX): Value {
  const entries = Object.entries((JSON.parse(request) as StoredRequest).metadata ?? {}).slice(0, most);
  if (entries.length === 0) return null;
  return html`<span class="pairs">${entries.map(
    ([key, value]) =>
      html`<a class="badge" dir="auto" href="${withQuery(visit, "/operations", { find: `${key}=${value}` })}">${key}=${value}</a>`,
  )}</span>`;
}
