/** Wraps each verb of a store, which keeps its arguments; its answer is what `wrap` makes of it. */
export function mapVerbs<Verbs extends object>(verbs: Verbs, wrap: (name: string, verb: never) => unknown): Verbs {
  return Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, wrap(name, verb as never)])) as Verbs;
}
