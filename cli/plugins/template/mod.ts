/** What a server takes from this package. */
import action from "./action.ts";

export const actions = () => [action];
