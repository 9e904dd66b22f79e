/** The way out as the contract of plugins has it. `./mod.ts` hands all of it on. */

/** Where an action may go by `context.fetch`. */
export interface FetchRules<Setting extends string = string> {
  /** `api.example.com`, `api.example.com:8443`; never what redirects lead to, for none are followed. */
  readonly hosts?: readonly string[];
  /**
   * Texts of `config` that hold an address, `https://api.example.com/v1`: its host as well, for what operators run
   * themselves.
   */
  readonly hosts_of?: readonly Setting[];
  /** Most bytes of an answer, to 100,000,000; absent: 10,000,000. */
  readonly bytes_max?: number;
  /** For each request, to 600; absent: 60. */
  readonly seconds_max?: number;
}

export interface FetchRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface FetchAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
