/**
 * `@tonwerk/plugin`: all that an author of actions imports; our own actions import the same. Tests import
 * `@tonwerk/plugin/testing`.
 */
export * from "../../contract/mod.ts";
export * from "./engine_names.ts";
export * from "./fields.ts";
export * from "./limits.ts";
