/** What a server takes from this package. */
import words from "./action.ts";

export const actions = () => [words];
