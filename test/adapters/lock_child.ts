/** Locks the folder named by the argument and says `locked`, or says why it could not; then holds it until it is killed. */
import { lockDataFolder } from "../../core/adapters/files/data_lock.ts";

try {
  // Dropped on purpose: the lock must not depend on the caller's keeping it.
  lockDataFolder(process.argv[2] ?? "");
  // Rubbish, so that a collector has a reason to run.
  setInterval(() => Array.from({ length: 100_000 }, (_, n) => ({ n })).length, 20);
  console.log("locked");
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
}
