/** The thread that copies the log, with stamps: `patch.ts` goes first. */
import "./patch.ts";
import "../../core/adapters/sqlite/fast/checkpoint_thread.ts";
