/**
 * What the pages of API keys and of signing secrets share: a form makes one, which is shown once, and a page asks
 * before one ends.
 */
import { Refusal, refuse } from "../../../core/surface.ts";
import type { Route, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { type Html, html, type Value } from "../html.ts";
import { redirect } from "../page.ts";
import { csrfField, textField } from "../parts.ts";
import { confirmPage } from "./confirm.ts";
import { detailOf } from "./problem.ts";

/** What stands on the page beside the list: `made` in plain, this once; `typed`: the form as it was sent. */
export interface Shown {
  readonly made?: string;
  readonly typed?: FormValues;
  readonly problem?: Value;
  readonly status?: number;
}

interface Kind<Row> {
  /** Its page is `/keys`, and who may do this may change it. */
  readonly access: "keys" | "secrets";
  readonly title: string;
  readonly noun: string;
  /** How one ends: `Revoke`, and `revoked` when it is done. */
  readonly verb: string;
  readonly done: string;
  readonly warning: string;
  show(visit: Visit, shown?: Shown): Promise<Response>;
  live(account_id: string): Promise<readonly Row[]>;
  describe(row: Row): Html;
  create(visit: Visit, label: string, typed: FormValues): Promise<{ readonly plain: string }>;
  end(visit: Visit, id: string): Promise<void>;
}

export function credentialRoutes<Row extends { readonly id: string }>(kind: Kind<Row>): readonly Route[] {
  const { access, title, noun, verb, done, warning, show } = kind;
  const path = `/${access}`;
  const ending = `${path}/:id/${verb.toLowerCase()}`;
  const named = async (visit: Visit): Promise<Row> => {
    const found = (await kind.live(visit.by.account.id)).find(({ id }) => id === visit.params.id);
    if (found === undefined) throw refuse.notFound();
    return found;
  };
  const problem = (error: unknown): Shown => {
    if (!(error instanceof Refusal) || (error.status !== 409 && error.status !== 422)) throw error;
    return { problem: detailOf(error), status: error.status };
  };
  return [
    { method: "GET", path, access: "read", answer: (visit) => show(visit) },
    {
      method: "POST",
      path,
      access,
      async answer(visit, typed) {
        try {
          const { plain } = await kind.create(visit, typed.get("label") ?? "", typed);
          return await show(visit, { made: plain });
        } catch (error) {
          return show(visit, { typed, ...problem(error) });
        }
      },
    },
    {
      method: "GET",
      path: ending,
      access,
      async answer(visit) {
        const row = await named(visit);
        return confirmPage(visit, {
          ...{ title, at: path, asks: `${verb} this ${noun}?`, about: kind.describe(row) },
          consequence: `${warning} This cannot be undone.`,
          path: ending.replace(":id", row.id),
          verb: `${verb} the ${noun}`,
          keep: "Keep it",
        });
      },
    },
    {
      method: "POST",
      path: ending,
      access,
      async answer(visit) {
        const { id } = await named(visit);
        return kind.end(visit, id).then(
          () => redirect(visit, `${path}?done=${done}`),
          (error: unknown) => show(visit, problem(error)),
        );
      },
    },
  ];
}

/** `fields`: beside the label. */
export function createForm(
  visit: Visit,
  path: string,
  noun: string,
  typed: FormValues | undefined,
  help: string,
  fields: Value = null,
): Html {
  const more = { required: true, maxlength: 100, autocomplete: "off", dir: "auto" };
  const label = textField({ name: "label", label: "Label", value: typed?.get("label") ?? "", help, more });
  return html`<form class="panel form" method="post" action="${visit.to(path)}"><h2>Create a ${noun}</h2>
${fields}<div class="inline-form">${csrfField(visit)}${label}<button class="primary">Create ${noun}</button></div></form>`;
}
