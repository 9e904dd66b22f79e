/**
 * Ends of operations, told once each, although this node learns of its own twice: from the verb that ended them and,
 * like every other node, from the server; in either order.
 */
export interface Ended {
  /** Before the verb is sent. */
  begin(id: string): void;
  /** The verb was answered: it won. */
  won(id: string): void;
  /** It did not, or nobody knows. */
  over(id: string): void;
  /** What the server said. */
  heard(ids: readonly string[]): void;
  /** Some may have been missed. */
  missed(): void;
}

export function createEnded(tell: (ids: readonly string[] | null) => void): Ended {
  /** `asked`: under way. `heard`: under way, and the server said so first. `told`: the server has not said so yet. */
  const own = new Map<string, "asked" | "heard" | "told">();
  return {
    begin(id) {
      // The server's word may never come; what was told twice then does no harm.
      if (own.size >= OWN_MAX) own.clear();
      own.set(id, "asked");
    },
    won(id) {
      if (own.get(id) === "heard") {
        own.delete(id);
        return;
      }
      own.set(id, "told");
      tell([id]);
    },
    over(id) {
      own.delete(id);
    },
    heard(ids) {
      const news = ids.filter((id) => {
        const state = own.get(id);
        if (state === "told") own.delete(id);
        if (state === "asked") own.set(id, "heard");
        return state !== "told";
      });
      if (news.length > 0) tell(news);
    },
    missed() {
      for (const [id, state] of own) if (state === "told") own.delete(id);
      tell(null);
    },
  };
}

const OWN_MAX = 10_000;
