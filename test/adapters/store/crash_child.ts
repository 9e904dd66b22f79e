/**
 * Submits and ends operations until it is killed, and prints `submitted <id>` or `ended <id>` after each acknowledgement.
 * Argument: path of the database, in which account `acc_crash` exists.
 */
import { openSqliteStore } from "../../../core/adapters/sqlite/store.ts";
import { fakeClock } from "../../clock.ts";
import { endOf, FAILED, submission } from "./fixtures.ts";

const clock = fakeClock();
const store = await openSqliteStore({ file: process.argv[2] ?? "", clock });
// Ids of an earlier life of this process must not come again.
const life = process.pid;

async function client(): Promise<never> {
  for (let i = 0; ; i++) {
    const made = submission("acc_crash", clock.now());
    const sent = { ...made, id: `${made.id}_${life}` };
    const { kind } = await store.submit(sent);
    if (kind !== "accepted") throw new Error(`Cannot go on: a submission was answered ${kind}`);
    console.log(`submitted ${sent.id}`);
    if (i % 2 === 1) continue;
    if (!(await store.terminate(endOf(sent.id, 0, clock.now(), FAILED)))) throw new Error("Cannot go on: an end lost");
    console.log(`ended ${sent.id}`);
  }
}
await Promise.all(Array.from({ length: 16 }, client));
