import type { Recipe } from "../recipe.ts";
import { AIR } from "./air.ts";
import { FICTION } from "./fiction.ts";
import { IMPACTS } from "./impacts.ts";
import { INTERFACE } from "./interface.ts";
import { LIFE } from "./life.ts";
import { NATURE } from "./nature.ts";
import { TABLEWARE } from "./tableware.ts";
import { THINGS } from "./things.ts";
import { VEHICLES } from "./vehicles.ts";

export const RECIPES: readonly Recipe[] = [
  ...IMPACTS,
  ...AIR,
  ...INTERFACE,
  ...NATURE,
  ...VEHICLES,
  ...LIFE,
  ...THINGS,
  ...TABLEWARE,
  ...FICTION,
];
