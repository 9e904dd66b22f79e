/** Every action that is registered, each with a form that follows from its declaration. */
import { randomUUID } from "node:crypto";
import { canonicalUuid, type Issue, priceOf, Refusal, type Registered, refuse } from "../../../core/surface.ts";
import { type Sent, snippetsOf } from "../code.ts";
import type { Pages, Visit } from "../context.ts";
import { FIELDS_BYTES_MAX, type FormValues, readForm, readFormWithFiles } from "../form_body.ts";
import { plural } from "../format.ts";
import { type Field, type Form, formOf } from "../forms/fields.ts";
import { type HeardGroup, heardGroups, heardList } from "../forms/heard.ts";
import { bodyOf, defaultValues, valuesOf } from "../forms/read.ts";
import { problemAnchor, problemLabel, renderForm } from "../forms/render.ts";
import { repeatedValues } from "../forms/repeated.ts";
import { givenOf, isLook, resolveSources, resultUrl, type SourceValues, storeUpload } from "../forms/sources.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage, redirect } from "../page.ts";
import { crumbs, csrfField, heading, notice } from "../parts.ts";
import { codePanel } from "./operation_request.ts";

interface Shown {
  readonly values: FormValues;
  readonly sources: SourceValues;
  readonly problems?: readonly Issue[];
  /** Above the form. */
  readonly notice?: Value;
  /** What its words will be heard as. */
  readonly heard?: readonly HeardGroup[];
  readonly status?: number;
}

export const playgroundPages: Pages = (services) => {
  const { actions, sessions, admit, submit, price, config } = services;
  const forms = new Map([...actions].map(([name, registered]) => [name, formOf(registered)]));

  const asked = (visit: Visit): { registered: Registered; form: Form } => {
    const registered = actions.get(visit.params.action!);
    const form = forms.get(visit.params.action!);
    if (registered === undefined || form === undefined) throw refuse.notFound();
    return { registered, form };
  };

  const show = async (
    visit: Visit,
    { registered, form }: ReturnType<typeof asked>,
    shown: Shown,
  ): Promise<Response> => {
    const { action } = registered;
    const { values, sources, problems = [], status = 200, heard = [] } = shown;
    const filled = {
      values,
      problems: new Map(
        problems.toReversed().map(({ loc, msg }) => [
          loc
            .slice(1)
            .filter((key) => key !== "url")
            .join("."),
          msg,
        ]),
      ),
      brought: sources.brought,
      choices: { results: sources.results },
    };
    const here = `/playground/${action.name}`;
    const told =
      action.understand &&
      html`<section data-heard aria-live="polite" aria-label="What your words will be heard as" ${attributes({ hidden: heard.length === 0 })}><h2>Will be heard as</h2>${heardList(heard)}</section>`;
    const { id: account_id } = visit.by.account;
    const balance = (await services.store.account(account_id))?.credits ?? visit.by.account.credits;
    const cost = costOf(registered, bodyOf(form, values, sources.urls));
    const has_problems = problems.length > 0;
    return answerPage(visit, {
      title: titleOfAction(action.name),
      at: "/playground",
      status,
      scripts: ["playground.mjs"],
      // An address brings what is the account's own already, and nothing else is repeated of it.
      is_compressed: visit.request.method === "GET",
      body: html`<div>${crumbs([["Playground", visit.to("/playground")]])}${heading(titleOfAction(action.name), html`<code>${action.name}</code> ${action.summary}`)}</div>
<div class="panes"><div class="stack-of">${shown.notice}
${has_problems && notice("bad", html`<h2>${plural(problems.length, "thing")} to look at</h2><ul>${problems.map(({ loc, type, msg }) => html`<li><a href="${`#${problemAnchor(form, loc.slice(1))}`}">${problemLabel(form, loc.slice(1))}</a>: ${type === "missing" ? "is needed" : msg}</li>`)}</ul>`)}
<form class="panel form" method="post" enctype="multipart/form-data" action="${visit.to(here)}" data-playground data-price="${visit.to(`${here}/price`)}" data-uploads="${visit.to("/uploads")}">
<button class="visually-hidden" name="intent" value="price" formnovalidate tabindex="-1" aria-hidden="true">What does it cost?</button>
${csrfField(visit)}<input type="hidden" name="idempotency_key" value="${canonicalUuid(values.get("idempotency_key") ?? "") ?? randomUUID()}">
${renderForm(form, filled, told)}
<div class="bar"><p data-cost role="status" class="soft">${cost !== null && `Costs ${action.priced_by === undefined ? "" : "at most "}${plural(cost, "credit")}. `}You have ${plural(balance, "credit")}.</p><div class="row"><button name="intent" value="price" formnovalidate data-scriptless>Check the cost</button><button class="primary" name="intent" value="run">Run</button></div></div></form></div>
<div class="stack-of" data-beside><section class="stack-of" aria-label="Result" data-pane hidden></section>${examples(visit, registered)}
${codePanel(sentByForm(form, values), config.base_url)}</div></div>`,
    });
  };

  return [
    {
      method: "GET",
      path: "/playground",
      access: "read",
      answer(visit) {
        const using = RESULT.exec(visit.query.get("use") ?? "")?.[0];
        return answerPage(visit, {
          title: "Playground",
          at: "/playground",
          body:
            using !== undefined
              ? html`${heading("Use as source", "What is to be made of it?")}${cards(
                  visit,
                  [...actions.values()].filter(({ action }) => Object.keys(action.sources).length > 0),
                  `?use=${using}`,
                )}`
              : html`${heading("Playground", "Every action of this installation, to be tried with your own audio and words. What you run here costs the same as from a program.")}
${groups(actions).map(([group, entries]) => html`<section class="stack-of" aria-label="${GROUPS[group] ?? group}"><h2>${GROUPS[group] ?? group}</h2>${cards(visit, entries)}</section>`)}`,
        });
      },
    },
    {
      method: "GET",
      path: "/playground/:action",
      access: "read",
      async answer(visit) {
        const one = asked(visit);
        const example = one.registered.action.examples[Number(visit.query.get("example") ?? "0") - 1];
        const again = visit.query.get("again");
        const values = new Map(
          again !== null
            ? await repeatedValues(services, visit, one.form, again, visit.query.get("seed") === "other")
            : example !== undefined
              ? valuesOf(one.form, example as Record<string, unknown>)
              : defaultValues(one.form),
        );
        const using = RESULT.exec(visit.query.get("use") ?? "")?.[0];
        const into = firstSource(one.form);
        if (using !== undefined && into !== undefined && (await resultUrl(services, visit, using)) !== undefined)
          values.set(`${into.name}.result`, using);
        return show(visit, one, { values, sources: await resolveSources(services, visit, one.form, values) });
      },
    },
    {
      method: "POST",
      path: "/playground/:action",
      access: "run",
      reads_itself: true,
      async answer(visit) {
        const one = asked(visit);
        const { registered, form } = one;
        const names = Object.keys(registered.action.sources);
        const room = names.length * config.source_bytes + FIELDS_BYTES_MAX + 100_000;
        const uploaded = new Map<string, string>();
        let is_checked = false;
        let problem: Refusal | undefined;
        const values = new Map(
          await readFormWithFiles(visit.request, room, async (part, before) => {
            // The token stands before every file: nothing of a form from elsewhere is kept.
            if (!is_checked) await sessions.checkForm(visit.request, before.get("csrf") ?? null);
            is_checked = true;
            const name = names.find((source) => part.name === `f.${source}.file`);
            if (name === undefined || problem !== undefined) return;
            if (uploaded.size === 0) await admit(visit.by.account, "put");
            try {
              uploaded.set(name, await storeUpload(services, visit, part));
              uploaded.set(`${name} name`, part.filename);
            } catch (error) {
              if (!(error instanceof Refusal) || error.status === 503) throw error;
              problem = refuse.invalid([{ loc: ["body", name], type: "audio_invalid", msg: sentenceOf(error) }]);
            }
          }),
        );
        if (!is_checked) await sessions.checkForm(visit.request, values.get("csrf") ?? null);
        for (const name of names) {
          const id = uploaded.get(name);
          if (id === undefined) continue;
          values.set(`f.${name}.upload`, id);
          values.set(`f.${name}.filename`, uploaded.get(`${name} name`) ?? "");
        }
        const sources = await resolveSources(services, visit, form, values);
        const body = bodyOf(form, values, sources.urls);
        try {
          if (problem !== undefined) throw problem;
          if (isLook(values.get("intent"))) return await show(visit, one, { values, sources });
          if (values.get("intent") === "price") {
            const priced = await price(visit.by.account, registered, body);
            const { cost, cost_max, balance, sufficient } = priced;
            const text = `This costs ${cost_max === undefined ? "" : "at most "}${plural(cost, "credit")}; you have ${plural(balance, "credit")}.`;
            return await show(visit, one, {
              ...{ values, sources, notice: notice(sufficient ? "good" : "wait", text) },
              heard: heardIn(registered, priced),
            });
          }
          const { body: answered } = await submit({
            account: visit.by.account,
            to: registered,
            read: () => ({ ...body, idempotency_key: values.get("idempotency_key") }),
          });
          const { id } = (JSON.parse(answered) as Record<string, { id: string }>)[registered.action.wrapper]!;
          return redirect(visit, `/operations/${id}`);
        } catch (error) {
          // What was typed and uploaded is never lost to a mistake.
          if (!(error instanceof Refusal) || ![402, 422, 429, 503].includes(error.status)) throw error;
          const problems = Array.isArray(error.body.detail) ? (error.body.detail as Issue[]) : [];
          const said = problems.length > 0 ? null : notice("bad", sentenceOf(error));
          return show(visit, one, {
            values: freshKey(values, error),
            sources,
            problems,
            notice: said,
            status: error.status,
          });
        }
      },
    },
    {
      method: "POST",
      path: "/playground/:action/price",
      access: "run",
      reads_itself: true,
      async answer(visit) {
        const one = asked(visit);
        const values = await readForm(visit.request);
        await sessions.checkForm(visit.request, values.get("csrf") ?? visit.request.headers.get("x-csrf-token"));
        const { action } = one.registered;
        // A source that is still to come is taken as given: what it costs hangs on its length alone, and is the most
        // then.
        const assumed = Object.entries(action.sources).filter(
          ([name, { optional }]) =>
            optional !== true || ["upload", "result", "url"].some((way) => values.get(`f.${name}.${way}`)),
        );
        const audio = Object.fromEntries(
          assumed.map(([name]) => [name, `https://${name.replaceAll("_", "-")}.example/audio`]),
        );
        const body = bodyOf(one.form, values, audio);
        // Asked while the form is still being filled in: what is missing is no mistake yet.
        const priced = price(visit.by.account, one.registered, body);
        const told = priced.then(({ understood, ...said }) =>
          understood === undefined ? said : { ...said, heard: heardIn(one.registered, { understood }) },
        );
        const said = await told.catch(async (error: unknown) => {
          if (!(error instanceof Refusal) || error.status !== 422) throw error;
          const issues = error.body.detail as Issue[];
          const labels = (which: readonly Issue[]) => which.map(({ loc }) => problemLabel(one.form, loc.slice(1)));
          const wrong = issues.find(({ type }) => type !== "missing");
          const cost = wrong === undefined ? costOf(one.registered, body) : null;
          const missing =
            wrong === undefined
              ? `Fill in ${labels(issues).join(", ").toLowerCase()}.`
              : `${labels([wrong])[0]}: ${wrong.msg}`;
          return { cost, balance: visit.by.account.credits, sufficient: true, missing };
        });
        const code = snippetsOf(sentByForm(one.form, values), config.base_url);
        return Response.json(
          { ...said, code },
          {
            headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
          },
        );
      },
    },
  ];
};

/**
 * What a request costs before it is complete: what is missing is taken from the first example. Null: that cannot be
 * told.
 */
function costOf({ action, schema }: Registered, body: Readonly<Record<string, unknown>>): number | null {
  const other = (action.exactly_one_of ?? []).map(String);
  const is_named = other.some((name) => name in body);
  const kept = Object.entries(action.examples[0] ?? {}).filter(([name]) => !(is_named && other.includes(name)));
  try {
    const checked = schema.validate({ ...Object.fromEntries(kept), ...body }, { dry_run: true });
    return checked.ok ? priceOf(action, checked.value.fields) : null;
  } catch {
    // The fault is a plugin's, and told where it is run.
    return null;
  }
}

/** One result of one operation. */
const RESULT = /^op_[0-9a-z]{26}:\d{1,2}$/u;

const firstSource = ({ fields }: Form): Field | undefined => {
  const sources = fields.filter(({ kind }) => kind === "audio");
  return sources.find(({ required }) => required) ?? sources[0];
};

function cards(visit: Visit, entries: readonly Registered[], query = ""): Html {
  return html`<ul class="cards">${entries.map(({ action }) => html`<li><a href="${visit.to(`/playground/${action.name}`) + query}"><b>${titleOfAction(action.name)}</b><span>${action.summary}</span><small>${action.name}</small></a></li>`)}</ul>`;
}

function sentByForm(form: Form, values: FormValues): Sent {
  const body = bodyOf(form, values, {});
  const fields = Object.entries(body).filter(([name]) => !(name in form.action.sources));
  return { action: form.action, fields: Object.fromEntries(fields), sources: givenOf(form, values) };
}

/** Empty where nothing is told. */
function heardIn(
  { action }: Registered,
  { understood }: { readonly understood?: object | null },
): readonly HeardGroup[] {
  const told = action.understand?.schema.required ?? [];
  return understood ? heardGroups(understood as Readonly<Record<string, unknown>>, told) : [];
}

/** A key that was used for another request is replaced, so that the next attempt is not refused for it again. */
function freshKey(values: ReadonlyMap<string, string>, { body }: Refusal): FormValues {
  const reused =
    Array.isArray(body.detail) && (body.detail as Issue[]).some(({ type }) => type === "idempotency_key_reused");
  return reused ? new Map([...values, ["idempotency_key", randomUUID()]]) : values;
}

function sentenceOf({ body }: Refusal): string {
  const { detail } = body;
  return typeof detail === "string" ? detail : (detail as Issue[]).map(({ msg }) => msg).join(". ");
}

const GROUPS: Readonly<Record<string, string>> = { create: "Create", adapt: "Adapt" };

function groups(actions: ReadonlyMap<string, Registered>): readonly (readonly [string, readonly Registered[]])[] {
  const found = new Map<string, Registered[]>();
  for (const [name, registered] of actions) {
    const group = name.slice(0, name.indexOf("."));
    found.set(group, [...(found.get(group) ?? []), registered]);
  }
  return [...found].sort(([one], [other]) => (one === "create" ? -1 : other === "create" ? 1 : one < other ? -1 : 1));
}

/** Requests that the declaration gives as examples, to begin with. */
function examples(visit: Visit, { action }: Registered): Value {
  const usable = action.examples.flatMap((example, index) => {
    const words = Object.entries(example).filter(
      ([name, value]) => !(name in action.sources) && typeof value !== "object",
    );
    return words.length === 0
      ? []
      : [
          {
            index: index + 1,
            text: words.map(([name, value]) => (typeof value === "string" ? value : `${name} ${value}`)).join(" · "),
          },
        ];
  });
  if (usable.length === 0) return null;
  return html`<section class="panel"><h2>Begin with an example</h2><ul>${usable.map(({ index, text }) => html`<li><a ${attributes({ href: visit.to(`/playground/${action.name}?example=${index}`), class: "user-text" })}>${text.replaceAll("\n", " ").slice(0, 140)}</a></li>`)}</ul>${action.seeded && html`<p class="soft">The same words and the same seed give the same samples.</p>`}</section>`;
}
