/** What a server takes from this package. */
import bands from "./action.ts";

export const actions = () => [bands];
