/** Parts of the pages of webhook endpoints: questions, the form, the list. */
import { type Endpoint, type Issue, type Refusal, WEBHOOK_EVENTS } from "../../../core/surface.ts";
import type { Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { badge, notice, textField, time } from "../parts.ts";

const EVENTS: readonly string[] = ["*.ready", "*.failed"];
/** Before the pattern that a box stands for, in its name. */
const ON = "on:";
const SAYS = { started: "starts", ready: "is ready", failed: "fails" } as const;

/** What was typed, and what of it is wrong, by field. */
export interface Typed {
  readonly values?: FormValues;
  readonly problems?: ReadonlyMap<string, string>;
  readonly other?: Value;
}

export const QUESTIONS = {
  disable: {
    asks: "Disable this endpoint?",
    consequence: "It is told nothing until it is enabled again. Events of that time are not sent later.",
    verb: "Disable it",
    keep: "Leave it enabled",
  },
  delete: {
    asks: "Delete this endpoint?",
    consequence: "Deliveries under way to it are given up, and its secret is gone. This cannot be undone.",
    verb: "Delete the endpoint",
    keep: "Keep it",
  },
  rotate: {
    asks: "Replace the endpoint's signing secret?",
    consequence:
      "A new one is made and shown once. For a day both sign, so that the receiver can change over; then the old one ends.",
    verb: "Replace the secret",
    keep: "Keep the secret",
    is_harmless: true,
  },
} as const;

export const WHY = {
  request: "Somebody of the account disabled it.",
  failures: "Nothing got through for three days, and ten deliveries were given up.",
  gone: "It answered 410 Gone: it wants nothing more.",
} as const;

/** The boxes that were ticked, and the patterns that were typed. */
function eventsOf(values: FormValues): readonly string[] {
  const ticked = [...values.keys()].flatMap((name) => (name.startsWith(ON) ? [name.slice(ON.length)] : []));
  const typed = (values.get("events") ?? "").split(/[\s,]+/u).filter((one) => one !== "");
  return [...new Set([...ticked, ...typed])];
}

export const wanted = (values: FormValues) => ({
  url: (values.get("url") ?? "").trim(),
  events: eventsOf(values),
  description: (values.get("description") ?? "").trim(),
});

/** In words: the API says which expression an event must match. */
export function problemsOf({ body: { detail } }: Refusal, values: FormValues): Pick<Typed, "problems" | "other"> {
  if (!Array.isArray(detail)) return { other: String(detail) };
  const said = ({ loc: [, field, index], type, msg }: Issue): string =>
    field === "events" && type === "string_pattern"
      ? `"${eventsOf(values)[Number(index)]}" is no event: write an action, a dot, and ${WEBHOOK_EVENTS.join(", ")}, with * for either`
      : msg;
  return { problems: new Map((detail as Issue[]).map((issue) => [String(issue.loc[1] ?? ""), said(issue)])) };
}

/** `actions`: whose events may be chosen. */
export function endpointFields(
  { values, problems, other }: Typed,
  actions: Iterable<string>,
  endpoint?: Endpoint,
): Html {
  const typed = (name: string, stored: string): string => values?.get(name) ?? stored;
  const problem = (name: string): string | undefined => problems?.get(name);
  const plain = { autocomplete: "off", spellcheck: "false" };
  return html`${other !== undefined && notice("bad", other)}
${textField({ name: "url", label: "URL", type: "url", value: typed("url", endpoint?.url ?? ""), help: "HTTPS; it answers with 2xx within 15 seconds", problem: problem("url"), more: { required: true, maxlength: 2048, placeholder: "https://example.com/tonwerk", ...plain } })}
${eventFields(values === undefined ? (endpoint?.events ?? EVENTS) : eventsOf(values), [...actions], problem("events"))}
${textField({ name: "description", label: "Description", value: typed("description", endpoint?.description ?? ""), problem: problem("description"), more: { maxlength: 200, dir: "auto", autocomplete: "off" } })}`;
}

/** Boxes for every event there is, of any action and of each; a field for patterns that no box stands for. */
function eventFields(chosen: readonly string[], actions: readonly string[], problem: string | undefined): Html {
  const has = new Set(chosen);
  const patterns = ["*", ...["*", ...actions].flatMap((action) => WEBHOOK_EVENTS.map((event) => `${action}.${event}`))];
  const others = chosen.filter((one) => !patterns.includes(one));
  const box = (pattern: string, text: Value): Html =>
    html`<label class="check"><input ${attributes({ type: "checkbox", name: ON + pattern, checked: has.has(pattern), autocomplete: "off" })}><span>${text}</span></label>`;
  const boxes = (action: string, name: string): Html =>
    html`<div class="row" role="group" aria-label="${name}"><b>${name}</b>${WEBHOOK_EVENTS.map((event) => box(`${action}.${event}`, SAYS[event]))}</div>`;
  const is_particular =
    others.length > 0 || actions.some((action) => chosen.some((one) => one.startsWith(`${action}.`)));
  return html`<fieldset class="events"><legend>Told when</legend>
${boxes("*", "Any action")}${box("*", "Everything, also kinds of events that are yet to come")}
<details ${attributes({ open: is_particular || problem !== undefined })}><summary>Of certain actions</summary>${actions.map((action) => boxes(action, titleOfAction(action)))}
${textField({ name: "events", label: "Other patterns", value: others.join(", "), help: html`<code>action.event</code> with <code>*</code> for either, such as <code>create.new_song.*</code>`, problem, more: { maxlength: 4000, autocomplete: "off", spellcheck: "false" } })}</details></fieldset>`;
}

export function stateOf({ disabled_why, failing_since }: Endpoint): Html {
  if (disabled_why === "request") return badge("plain", "disabled");
  if (disabled_why !== null) return badge("bad", disabled_why === "gone" ? "disabled: gone" : "disabled: failing");
  return failing_since === null ? badge("good", "enabled") : badge("wait", "failing");
}

export function endpointTable(visit: Visit, all: readonly Endpoint[]): Html {
  return html`<table class="stack rows figures"><thead><tr><th scope="col">Endpoint</th><th scope="col">Told of</th><th scope="col">State</th><th scope="col">Last success</th><th scope="col">Last failure</th><th scope="col" class="num">Failures in a row</th></tr></thead><tbody>${all.map(
    (one) =>
      html`<tr><th scope="row" class="text wide" dir="auto"><a class="clip" href="${visit.to(`/webhooks/${one.id}`)}">${one.url}</a>${one.description !== "" && html`<small class="user-text">${one.description}</small>`}</th><td class="text wide"><span class="clip">${one.events.join(", ")}</span></td><td>${stateOf(one)}${
        one.disabled_at !== null && html`<br><small>since ${time(one.disabled_at, visit.now)}</small>`
      }</td><td data-label="last success">${one.last_success_at === null ? "none" : time(one.last_success_at, visit.now)}</td><td class="text" data-label="last failure">${
        one.last_failure_at === null
          ? "none"
          : html`${one.last_failure_status ?? "no answer"} ${time(one.last_failure_at, visit.now)}`
      }</td><td ${attributes({ class: "num", "data-label": "failures in a row" })}>${one.failures}</td></tr>`,
  )}</tbody></table>`;
}
