/** Songs that keep workers busy. */
import { randomUUID } from "node:crypto";
import { openService } from "../../cli/bench/service.ts";
import type { Stack } from "./stacks.ts";

const SONG = {
  lyrics:
    "[Verse]\nMorning on the river, silver on the stone\nEvery road I wander leads me back to home\n[Chorus]\nCarry me over, carry me on\nSing till the night is gone",
  prompt: "indie folk, warm, acoustic guitar, female voice, 96 bpm",
  duration: 120,
};
const START_MS = 60_000;

export interface Songs {
  /** Of those at work. */
  started(): Promise<number>;
  cancel(): Promise<void>;
}

/** Resolves once `at_work` of them are being made; `queued` more follow. */
export async function keepWorking({ url, keys }: Stack, at_work: number, queued = 2 * at_work): Promise<Songs> {
  const call = openService(url, keys[0]!);
  const ids: string[] = [];
  for (let n = 0; n < at_work + queued; n++) {
    const { status, body } = await call("PUT", "/v1/create.new_song", {
      idempotency_key: randomUUID(),
      ...SONG,
      seed: n,
    });
    if (status !== 200) throw new Error(`Cannot submit a song: ${status} ${JSON.stringify(body)}`);
    ids.push(body.song.id);
  }
  const started = async (): Promise<number> => {
    const all = await Promise.all(ids.map((id) => call("GET", `/v1/create.new_song?id=${id}`)));
    return all.filter(({ body }) => body.song.status === "processing" && body.song.progress > 0).length;
  };
  const until = performance.now() + START_MS;
  while ((await started()) < at_work) {
    if (performance.now() > until) throw new Error("No worker began a song in time");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    started,
    async cancel() {
      for (const id of ids) await call("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
    },
  };
}
