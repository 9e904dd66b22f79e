/** Where the contract lay until 2026-11-29: folders of plugins that import it by this path keep working. */
export * from "../contract/mod.ts";
