/** What a server takes from this package. */
import tremolo from "./action.ts";

export const actions = () => [tremolo];
