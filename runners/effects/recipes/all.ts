import { derived } from "../../packs/mod.ts";
import { recipesOf } from "../recipe.ts";
import { AIR } from "./air.ts";
import { ANIMALS } from "./animals.ts";
import { DEVICES } from "./devices.ts";
import { FICTION } from "./fiction.ts";
import { GENERIC } from "./generic.ts";
import { HOUSEHOLD } from "./household.ts";
import { IMPACTS } from "./impacts.ts";
import { INTERFACE } from "./interface.ts";
import { LIFE } from "./life.ts";
import { NATURE } from "./nature.ts";
import { PEOPLE } from "./people.ts";
import { TABLEWARE } from "./tableware.ts";
import { THINGS } from "./things.ts";
import { TONES } from "./tones.ts";
import { VEHICLES } from "./vehicles.ts";

export const recipes = derived(() =>
  recipesOf({
    ...IMPACTS,
    ...AIR,
    ...INTERFACE,
    ...NATURE,
    ...VEHICLES,
    ...LIFE,
    ...THINGS,
    ...TABLEWARE,
    ...FICTION,
    ...ANIMALS,
    ...PEOPLE,
    ...HOUSEHOLD,
    ...DEVICES,
    ...GENERIC,
    ...TONES,
  }),
);
