import { type EffectPack, packs } from "../packs/mod.ts";
import type { Voice } from "./voice.ts";

/** One kind of sound: what its pack says, and how it is made. */
export interface Recipe extends EffectPack {
  readonly name: string;
  /** Writes into the voice's empty channels, any level; peaks are brought together later. */
  readonly render: (voice: Voice) => void;
}

/** How sounds are made, by name. */
export type Renders = Readonly<Record<string, Recipe["render"]>>;

/** Those that are made here, in their order, and those of packs that are made as one of them. */
export function recipesOf(renders: Renders): readonly Recipe[] {
  const all = packs("effects");
  const own = Object.entries(renders).map(([name, render]) => ({ ...all.get(name)!, name, render }));
  const added = [...all].flatMap(([name, pack]) => {
    const render = renders[pack.made_as ?? ""];
    return render === undefined || name in renders ? [] : [{ ...pack, name, render }];
  });
  return [...own, ...added];
}
