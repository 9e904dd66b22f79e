/** Parts of the pages of webhook endpoints: questions, the form, the list. */
import type { Endpoint, Issue, Refusal } from "../../../core/surface.ts";
import type { Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { badge, notice, textField, time } from "../parts.ts";

const EVENTS = "*.ready, *.failed";

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

export const wanted = (values: FormValues) => ({
  url: (values.get("url") ?? "").trim(),
  events: [...new Set((values.get("events") ?? "").split(/[\s,]+/u).filter((one) => one !== ""))],
  description: (values.get("description") ?? "").trim(),
});

export function problemsOf({ body: { detail } }: Refusal): Pick<Typed, "problems" | "other"> {
  if (!Array.isArray(detail)) return { other: String(detail) };
  return { problems: new Map((detail as Issue[]).map(({ loc, msg }) => [String(loc[1] ?? ""), msg])) };
}

export function endpointFields({ values, problems, other }: Typed, endpoint?: Endpoint): Html {
  const typed = (name: string, stored: string): string => values?.get(name) ?? stored;
  const problem = (name: string): string | undefined => problems?.get(name);
  const plain = { autocomplete: "off", spellcheck: "false" };
  return html`${other !== undefined && notice("bad", other)}
${textField({ name: "url", label: "URL", type: "url", value: typed("url", endpoint?.url ?? ""), help: "HTTPS; it answers with 2xx within 15 seconds", problem: problem("url"), more: { required: true, maxlength: 2048, placeholder: "https://example.com/tonwerk", ...plain } })}
${textField({ name: "events", label: "Told of", value: typed("events", endpoint?.events.join(", ") ?? EVENTS), help: "Everything (*), or action.event with * for either, such as create.new_song.ready or *.failed; events are started, ready and failed", problem: problem("events"), more: { required: true, maxlength: 4000, ...plain } })}
${textField({ name: "description", label: "Description", value: typed("description", endpoint?.description ?? ""), problem: problem("description"), more: { maxlength: 200, dir: "auto", autocomplete: "off" } })}`;
}

export function stateOf({ disabled_why, failing_since }: Endpoint): Html {
  if (disabled_why === "request") return badge("plain", "disabled");
  if (disabled_why !== null) return badge("bad", disabled_why === "gone" ? "disabled: gone" : "disabled: failing");
  return failing_since === null ? badge("good", "enabled") : badge("wait", "failing");
}

export function endpointTable(visit: Visit, all: readonly Endpoint[]): Html {
  return html`<table class="stack rows"><thead><tr><th scope="col">Endpoint</th><th scope="col">Told of</th><th scope="col">State</th><th scope="col">Last success</th><th scope="col">Last failure</th><th scope="col" class="num">Failures in a row</th></tr></thead><tbody>${all.map(
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
