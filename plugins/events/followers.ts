/**
 * Who follows an operation or an account on this node. The store says which operations changed, whoever changed them;
 * one read at a time finds what became of all that are followed, whatever the number of followers.
 */
import { type Facade, liveAccountOf, type Snapshot } from "../../core/surface.ts";

interface Follower {
  readonly account_id: string;
  show(operation: Snapshot): void;
  /** Something may have been missed, or nobody is told any more: a client that comes again resumes. */
  close(): void;
}

export interface Followers {
  /** `id`: of an operation or an account. The returned function ends it. */
  follow(id: string, follower: Follower): () => void;
  /** Looks at these soon, as if they had changed. */
  look(ids: Iterable<string>): void;
  closeAll(): void;
  stop(): void;
}

/** Of one read. */
const IDS_MAX = 500;

export function createFollowers({ store }: Pick<Facade, "store">): Followers {
  const followers = new Map<string, Set<Follower>>();
  let accounts = 0;
  const changed = new Set<string>();
  let looking = false;

  const close = (account_id: string | null): void => {
    for (const some of [...followers.values()])
      for (const one of [...some]) if (account_id === null || liveAccountOf(one.account_id) === account_id) one.close();
  };

  const readAll = async (): Promise<void> => {
    while (changed.size > 0) {
      const ids = [...changed].slice(0, IDS_MAX);
      for (const id of ids) changed.delete(id);
      for (const operation of await store.snapshots(ids, false))
        for (const id of [operation.id, operation.account_id])
          for (const one of [...(followers.get(id) ?? [])]) one.show(operation);
    }
  };
  const look: Followers["look"] = (ids) => {
    for (const id of ids) if (accounts > 0 || followers.has(id)) changed.add(id);
    if (looking || changed.size === 0) return;
    looking = true;
    readAll()
      .catch(() => {
        changed.clear();
        close(null);
      })
      .finally(() => {
        looking = false;
      });
  };

  const stops = [
    store.onProgress(look),
    store.onEnded((ids) => (ids === null ? close(null) : look(ids))),
    // A key that is revoked follows nothing more.
    store.onAccountChanged(close),
  ];

  return {
    follow(id, follower) {
      const others = followers.get(id) ?? new Set();
      followers.set(id, others.add(follower));
      if (!isOperation(id)) accounts++;
      return () => {
        if (!others.delete(follower)) return;
        if (!isOperation(id)) accounts--;
        if (others.size === 0) followers.delete(id);
      };
    },
    look,
    closeAll: () => close(null),
    stop() {
      for (const stop of stops) stop();
      close(null);
    },
  };
}

const isOperation = (id: string): boolean => id.startsWith("op_");
