/** Who wants to hear of something. */
export interface Listeners<What extends readonly unknown[]> {
  /** One listener that throws is reported by the runtime; it keeps nobody else from hearing, nor fails who tells. */
  tell(...what: What): void;
  /** The returned function ends it. */
  listen(listener: (...what: What) => void): () => void;
}

export function createListeners<What extends readonly unknown[]>(): Listeners<What> {
  const listeners = new Set<(...what: What) => void>();
  return {
    tell(...what) {
      for (const listener of [...listeners]) {
        try {
          listener(...what);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
