/** What waits for a slot: a line for each name, served in turn, so that a long line makes nobody else's longer. */
interface Line<Item> {
  readonly waiting: Set<Item>;
  /** How many of this name are being served. */
  served: number;
}

export class Lines<Item> {
  readonly #each_max: number;
  /** By name, in the order of their turns. A name without items is forgotten. */
  readonly #lines = new Map<string, Line<Item>>();

  /** `each_max`: most items of one name that are served at once. */
  constructor(each_max: number) {
    this.#each_max = each_max;
  }

  get size(): number {
    let size = 0;
    for (const { waiting } of this.#lines.values()) size += waiting.size;
    return size;
  }

  /** All that wait, in no particular order. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const { waiting } of this.#lines.values()) yield* waiting;
  }

  add(name: string, item: Item): void {
    const line = this.#lines.get(name) ?? { waiting: new Set(), served: 0 };
    line.waiting.add(item);
    this.#lines.set(name, line);
  }

  /** Takes an item out of its line; false where it does not wait. */
  delete(name: string, item: Item): boolean {
    const line = this.#lines.get(name);
    if (!line?.waiting.delete(item)) return false;
    this.#forget(name, line);
    return true;
  }

  /** Whose turn it is; undefined: nobody waits whose name has not `each_max` served already. */
  next(): Item | undefined {
    for (const { waiting, served } of this.#lines.values()) {
      if (served < this.#each_max) for (const item of waiting) return item;
    }
    return undefined;
  }

  /** The item leaves its line to be served, until `end` is called for its name. */
  begin(name: string, item: Item): void {
    const line = this.#lines.get(name);
    if (!line?.waiting.delete(item)) throw new Error(`Cannot serve what does not wait in line "${name}"`);
    line.served++;
    this.#goToEnd(name, line);
  }

  end(name: string): void {
    const line = this.#lines.get(name);
    if (line === undefined) return;
    line.served--;
    // Again: who came while this was served has waited longer than the next of this name.
    this.#goToEnd(name, line);
    this.#forget(name, line);
  }

  #goToEnd(name: string, line: Line<Item>): void {
    this.#lines.delete(name);
    this.#lines.set(name, line);
  }

  #forget(name: string, { waiting, served }: Line<Item>): void {
    if (waiting.size === 0 && served === 0) this.#lines.delete(name);
  }
}
