/**
 * Counters and histograms that cost some ten nanoseconds on the way of a request: plain numbers here, handed to
 * prom-client when somebody asks for the text. Its own `observe` finds its labels anew each time, which took 1.3 to 3
 * µs (Bun, Deno).
 */
import { Counter, Histogram, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;
type Values<Metric extends { get(): Promise<{ values: unknown }> }> = Awaited<ReturnType<Metric["get"]>>["values"];

/** More sets of labels than this are a mistake: what comes later is counted under "other". */
const LABEL_SETS_MAX = 1_000;

/** Numbers of one set of labels. */
export class Tally {
  /** How many fell into each bucket, the last one without an upper edge. */
  readonly counts: Float64Array;
  sum = 0;
  readonly #edges: readonly number[];

  constructor(edges: readonly number[]) {
    this.#edges = edges;
    this.counts = new Float64Array(edges.length + 1);
  }

  observe(value: number): void {
    const edges = this.#edges;
    let bucket = 0;
    while (bucket < edges.length && value > edges[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sum += value;
  }
}

export class Count {
  value = 0;
  add(more = 1): void {
    this.value += more;
  }
}

/** The children of one metric, one for each set of label values. */
class Children<Child> {
  readonly all = new Map<string, { readonly labels: Labels; readonly child: Child }>();
  readonly #names: readonly string[];
  readonly #create: () => Child;

  constructor(names: readonly string[], create: () => Child) {
    this.#names = names;
    this.#create = create;
  }

  get(...values: readonly string[]): Child {
    const key = values.join("\n");
    const known = this.all.get(key);
    if (known !== undefined) return known.child;
    if (this.all.size >= LABEL_SETS_MAX && values.some((value) => value !== OTHER)) {
      return this.get(...values.map(() => OTHER));
    }
    const labels = Object.fromEntries(this.#names.map((name, index) => [name, values[index] ?? ""]));
    const child = this.#create();
    this.all.set(key, { labels, child });
    return child;
  }
}

const OTHER = "other";

interface Description {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** `of(...values)` finds the child to observe with; keep it where the labels are known beforehand. */
export class TalliedHistogram extends Histogram {
  readonly #children: Children<Tally>;
  readonly #edges: readonly number[];
  readonly #name: string;
  readonly #help: string;

  constructor({ name, help, labels }: Description, edges: readonly number[], registry: Registry) {
    super({ name, help, labelNames: [...labels], buckets: [...edges], registers: [registry] });
    this.#children = new Children(labels, () => new Tally(edges));
    this.#edges = edges;
    this.#name = name;
    this.#help = help;
  }

  of(...values: readonly string[]): Tally {
    return this.#children.get(...values);
  }

  /** What the registry and `get` ask for. */
  getForPromString(): object {
    const values: object[] = [];
    for (const { labels, child } of this.#children.all.values()) {
      let below = 0;
      for (const [index, count] of child.counts.entries()) {
        below += count;
        const le = this.#edges[index] ?? "+Inf";
        values.push({ metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: below });
      }
      values.push({ metricName: `${this.#name}_sum`, labels, value: child.sum });
      values.push({ metricName: `${this.#name}_count`, labels, value: below });
    }
    return { name: this.#name, help: this.#help, type: "histogram", aggregator: "sum", values };
  }
}

export class TalliedCounter extends Counter {
  readonly #children: Children<Count>;

  constructor({ name, help, labels }: Description, registry: Registry) {
    super({ name, help, labelNames: [...labels], registers: [registry] });
    this.#children = new Children(labels, () => new Count());
    if (labels.length === 0) this.of();
  }

  of(...values: readonly string[]): Count {
    return this.#children.get(...values);
  }

  override async get(): ReturnType<Counter["get"]> {
    const values: Values<Counter> = [...this.#children.all.values()].map(({ labels, child }) => ({
      labels,
      value: child.value,
    }));
    return { ...(await super.get()), values };
  }
}
