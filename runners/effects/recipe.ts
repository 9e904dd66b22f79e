import { type RecipeFacts, readRecipe } from "./pack.ts";
import type { Voice } from "./voice.ts";

/** One kind of sound and how it is made. */
export interface Recipe extends RecipeFacts {
  readonly name: string;
  /** Writes into the voice's empty channels, any level; peaks are brought together later. */
  readonly render: (voice: Voice) => void;
}

/** How sounds are made, by name. */
export type Renders = Readonly<Record<string, Recipe["render"]>>;

export function recipesOf(renders: Renders): readonly Recipe[] {
  return Object.entries(renders).map(([name, render]) => ({ ...readRecipe(name), name, render }));
}
