/** From `/openapi.json`: the first example of every action, as the scenarios submit it. */

export interface Example {
  readonly path: string;
  /** Without `idempotency_key` and `callback_url`; sources as they are. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Names of the fields that are audio, in the order of the body. */
  readonly sources: readonly string[];
}

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly put?: {
          /** Of an action. */
          readonly "x-tonwerk"?: { readonly action?: string };
          readonly requestBody?: {
            readonly content?: Readonly<
              Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
            >;
          };
        };
      }
    >
  >;
}

/** By a name that k6 takes for a scenario: `adapt.auto_duck` becomes `adapt_auto_duck`. */
export function actionExamples(description: unknown): Readonly<Record<string, Example>> {
  const examples: Record<string, Example> = {};
  for (const [path, { put }] of Object.entries((description as Description).paths)) {
    const [first] = Object.values(put?.requestBody?.content?.["application/json"]?.examples ?? {});
    if (put?.["x-tonwerk"]?.action === undefined || first === undefined) continue;
    const { idempotency_key: _key, callback_url: _url, ...body } = first.value as Record<string, unknown>;
    const sources = Object.keys(body).filter((name) => isSource(body[name]));
    examples[path.slice("/v1/".length).replaceAll(/[^0-9A-Za-z_-]/gu, "_")] = { path, body, sources };
  }
  return examples;
}

/** The same request with other audio: `urls` by the name of the source. */
export function withSources(example: Example, urls: ReadonlyMap<string, string>): Example {
  const own = example.sources.map((name) => [name, { url: urls.get(name) }]);
  return { ...example, body: { ...example.body, ...Object.fromEntries(own) } };
}

function isSource(value: unknown): boolean {
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string";
}
