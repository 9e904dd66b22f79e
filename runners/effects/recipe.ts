import { type EffectPack, packs } from "../packs/mod.ts";
import { renderCall } from "./recipes/call.ts";
import type { Voice } from "./voice.ts";

/** One kind of sound: what its pack says, and how it is made. */
export interface Recipe extends EffectPack {
  readonly name: string;
  /** Writes into the voice's empty channels, any level; peaks are brought together later. */
  readonly render: (voice: Voice) => void;
}

/** How sounds are made, by name; the numbers of calls stand in their packs. */
export type Renders = Readonly<Record<string, Recipe["render"] | "call">>;

/** Those that are made here, in their order, and those of packs that are made as one of them. */
export function recipesOf(renders: Renders): readonly Recipe[] {
  const all = packs("effects");
  const own = Object.entries(renders).map(([name, making]) => {
    const pack = all.get(name)!;
    return { ...pack, name, render: making === "call" ? rendersCall(pack) : making };
  });
  const added = [...all].flatMap(([name, pack]) => {
    if (name in renders) return [];
    const like = own.find((recipe) => recipe.name === pack.made_as);
    const render = pack.call === undefined ? like?.render : rendersCall(pack);
    return render === undefined ? [] : [{ ...pack, name, render }];
  });
  return [...own, ...added];
}

function rendersCall({ call }: EffectPack): Recipe["render"] {
  return (voice) => renderCall(voice, call!);
}
