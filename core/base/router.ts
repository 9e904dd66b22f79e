/** One table of routes, asked by method and path: for the API and for every other surface that answers HTTP. */

export interface Routed {
  readonly method: string;
  /** `/keys`, `/keys/:id/revoke` (one segment each) or `/audio/*` (whatever follows). */
  readonly path: string;
}

/** Values of the segments that a path names. */
export type Params = Readonly<Record<string, string>>;

export interface Router<Route extends Routed> {
  /**
   * The route whose path has no pattern and is exactly this text. Costs one look-up: for paths that nobody has parsed.
   */
  findExact(method: string, path: string): Route | undefined;
  /**
   * The route of a path as a URL parser writes it. An exact path goes before a pattern, and the first pattern before
   * later ones.
   */
  find(method: string, path: string): { readonly route: Route; readonly params: Params } | undefined;
  /** The routes of a path for any method; none: the path is unknown. */
  listAt(path: string): readonly Route[];
}

export function createRouter<Route extends Routed>(routes: readonly Route[]): Router<Route> {
  const exact = Map.groupBy(
    routes.filter(({ path }) => !hasPattern(path)),
    ({ path }) => path,
  );
  const patterns = routes
    .filter(({ path }) => hasPattern(path))
    .map((route) => ({ route, pattern: compilePattern(route.path) }));

  const findExact = (method: string, path: string): Route | undefined => {
    const found = exact.get(path);
    if (found !== undefined) for (const route of found) if (route.method === method) return route;
    return undefined;
  };
  return {
    findExact,
    find(method, path) {
      const route = findExact(method, path);
      if (route !== undefined) return { route, params: {} };
      for (const { route, pattern } of patterns) {
        const fit = route.method === method ? pattern.exec(path) : null;
        if (fit !== null) return { route, params: { ...fit.groups } };
      }
      return undefined;
    },
    listAt(path) {
      const fitting = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
      return [...(exact.get(path) ?? []), ...fitting];
    },
  };
}

/**
 * Where the path of an absolute HTTP URL begins, as it was sent: at the first slash after the authority, which is never
 * empty.
 */
export const pathStart = (url: string): number => url.indexOf("/", "https://".length);

const hasPattern = (path: string): boolean => /[:*]/u.test(path);

/** A named segment holds an id, an action's name or a number, none of which needs decoding. */
function compilePattern(path: string): RegExp {
  const source = path
    .replaceAll(".", "\\.")
    .replace(/:(\w+)/gu, "(?<$1>[\\w.-]{1,200})")
    .replace("*", ".*");
  return new RegExp(`^${source}$`);
}
