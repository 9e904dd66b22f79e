/** Small files that are much to decode: at uploads, in pictures, in operations that fail and are refunded. */
import type { Attack, Attacker } from "../attack.ts";
import { constantFlac, longWav, silentWavesWav } from "../bombs.ts";

const DUCK = "adapt.auto_duck";
const NORMALISE = "adapt.normalise_loudness";
const AT_ONCE = 12;

export const DECODING: readonly Attack[] = [
  {
    name: "silent-waves",
    finding: "2",
    what: "uploads of 84 bytes that claim an hour of silence at 192 kHz and 8 channels, 12 at a time",
    prepare: async (attacker) => () => attacker.inParallel(AT_ONCE, () => attacker.upload(silentWavesWav())),
  },
  {
    name: "constant-flac",
    finding: "2",
    what: "uploads of 300 KB of FLAC that are an hour at 192 kHz and 8 channels, 12 at a time",
    async prepare(attacker) {
      const bomb = constantFlac();
      return () => attacker.inParallel(AT_ONCE, () => attacker.upload(bomb));
    },
  },
  {
    name: "pictures",
    finding: "3",
    what: "pictures of sources of an hour whose operations failed, all at once; the largest that is taken as an upload",
    async prepare(attacker) {
      const visitor = await attacker.signedIn();
      const ids: string[] = [];
      for (let n = 0; n < 2; n++) {
        // Different bytes, so that nothing is kept from the one before.
        const url = await largestUpload(attacker, [
          () => silentWavesWav(3_600 * 192_000 - n),
          () => constantFlac({ value: n }),
          () => constantFlac({ sample_rate: 48_000, channels: 2, value: n }),
          () => longWav(3_600, n / 128),
          () => longWav(600, n / 128),
        ]);
        const id = await attacker.submit(NORMALISE, { source: { url } });
        if (id === undefined) continue;
        await attacker.ended(NORMALISE, id);
        ids.push(id);
      }
      const names = ["waveform-light-1x", "spectrogram-2x"];
      return () =>
        attacker.inParallel(ids.length * names.length, async (lane) => {
          const path = `/operations/${ids[lane % ids.length]}/sources/source/pictures/${names[lane % names.length]}`;
          attacker.count((await visitor.get(path, Math.max(1, attacker.until - performance.now()))).status);
          await attacker.pause(100);
        });
    },
  },
  {
    name: "one-bomb-twice",
    finding: "6",
    what: "two uploads of one file, the largest that is taken, as voice and music of ducking, which is refused after decoding and refunded",
    async prepare(attacker) {
      const bytes: Uint8Array[] = [];
      const file = (make: () => Uint8Array) => () => (bytes[0] = make());
      const music = await largestUpload(attacker, [
        file(() => constantFlac()),
        file(() => constantFlac({ seconds: 599, sample_rate: 48_000, channels: 2 })),
        file(() => longWav(599)),
      ]);
      const voice = await attacker.upload(bytes[0]!);
      return () =>
        attacker.inParallel(4, () => attacker.submit(DUCK, { music: { url: music }, voice: { url: voice } }));
    },
  },
  {
    name: "long-jobs",
    finding: "own",
    what: "paid work: ducking of ten minutes, a credit each, 4 submitted at a time; what a small node with one place does with it",
    async prepare(attacker) {
      const candidates = (value: number) => [
        () => constantFlac({ seconds: 599, sample_rate: 48_000, channels: 2, value }),
        () => longWav(599, value / 128),
      ];
      const music = await largestUpload(attacker, candidates(0));
      const voice = await largestUpload(attacker, candidates(1));
      return () =>
        attacker.inParallel(4, () => attacker.submit(DUCK, { music: { url: music }, voice: { url: voice } }));
    },
  },
];

/** Signed URL of the first that is taken. */
async function largestUpload(attacker: Attacker, files: readonly (() => Uint8Array)[]): Promise<string> {
  for (const [index, file] of files.entries()) {
    const url = await attacker.upload(file());
    if (url === undefined) continue;
    if (index > 0) attacker.notes.push(`takes only file ${index + 1} of ${files.length}`);
    return url;
  }
  throw new Error("No file is taken");
}
