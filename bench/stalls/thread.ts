/** The thread that writes, with stamps: `patch.ts` goes first. */
import "./patch.ts";
import "../../core/adapters/sqlite/thread.ts";
