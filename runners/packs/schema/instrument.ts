/** An instrument. */
import { type Static, Type } from "@sinclair/typebox";

export type InstrumentPack = Static<typeof InstrumentPack>;
export const InstrumentPack = Type.Object({});
