/** The musical sections of a genre. */
import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import { Id } from "../common.ts";
import { Form } from "./form.ts";
import { Grooves } from "./grooves.ts";
import { Lineup } from "./lineup.ts";
import { Melody } from "./melody.ts";
import { Mix } from "./mix.ts";
import { Progressions } from "./progressions.ts";
import { Singing } from "./singing.ts";
import { Styles } from "./styles.ts";

/** As an engine reads them: complete. */
export interface Music {
  readonly form: Form;
  readonly progressions: Progressions;
  readonly grooves: Grooves;
  readonly lineup: Lineup;
  readonly styles: Styles;
  readonly melody: Melody;
  readonly singing: Singing;
  readonly mix: Mix;
}

export const MUSIC = {
  form: Form,
  progressions: Progressions,
  grooves: Grooves,
  lineup: Lineup,
  styles: Styles,
  melody: Melody,
  singing: Singing,
  mix: Mix,
} satisfies { readonly [Name in keyof Music]: TObject };

/** As it may be written: what is left out is as in the genre that it is like. */
const written = <Properties extends TProperties>(whole: TObject<Properties>) =>
  Type.Optional(
    Type.Object({ like: Type.Optional(Id), ...Type.Partial(whole).properties }, { additionalProperties: false }),
  );

export type WrittenMusic = { readonly [Name in keyof Music]?: Partial<Music[Name]> & { readonly like?: string } };

export const music = {
  form: written(Form),
  progressions: written(Progressions),
  grooves: written(Grooves),
  lineup: written(Lineup),
  styles: written(Styles),
  melody: written(Melody),
  singing: written(Singing),
  mix: written(Mix),
};
