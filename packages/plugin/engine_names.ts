/**
 * What our engines of music and effects call themselves, for `engine` of an action whose outputs they make. A number is
 * raised whenever the same request and seed would give other samples; on a server it is that of the server, whatever
 * the package was written with.
 */
export { ENGINE as REMIX_ENGINE } from "../../runners/music/remix/engine.ts";
export { ENGINE as STUDIO_ENGINE } from "../../runners/music/studio/shared.ts";
