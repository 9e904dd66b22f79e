/** Every kernel that is measured: what is set up outside the clock, one run over all of the material, and the outside tools that do the same. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Level } from "../../core/ports/mod.ts";
import { samplesOf } from "../../runners/samples.ts";
import { fromDecibel } from "../../runners/signal/dsp/decibel.ts";
import { Fft } from "../../runners/signal/dsp/fft.ts";
import { GainCurve, limiterGain, PeakMap } from "../../runners/signal/dsp/limiter.ts";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";
import { resample } from "../../runners/signal/dsp/resample.ts";
import { truePeak } from "../../runners/signal/dsp/true_peak.ts";
import { crc16 } from "../../runners/signal/flac/crc.ts";
import { type FlacSource, readFlacFile, writeFlacFile } from "../../runners/signal/flac/mod.ts";
import { master } from "../../runners/signal/master/master.ts";
import { measure } from "../../runners/signal/master/measure.ts";
import { Rendering } from "../../runners/signal/master/rendering.ts";
import { decode } from "../../runners/signal/media/decode.ts";
import * as outside from "../outside.ts";
import { DESK_KERNELS } from "./desk.ts";
import { ENGINE_KERNELS } from "./engines.ts";
import type { Kernel } from "./kernel.ts";
import { RATE } from "./material.ts";

const signal = new AbortController().signal;
const LIMITS = { seconds_min: 0, seconds_max: 7_200, bytes_max: Number.MAX_SAFE_INTEGER };
/** LU of limiting, about what dense pop needs on its way to -9 LUFS. */
const LIMITED_LU = 4;
/** Points of a transform: the usual one of analysis. */
const FFT_SIZE = 4_096;

export const KERNELS: readonly Kernel[] = [
  {
    name: "loudness",
    prepare:
      async ({ channels }) =>
      () =>
        integratedLoudness(channels, RATE),
    outside: [outside.ebur128],
  },
  {
    name: "true peak",
    prepare:
      async ({ channels }) =>
      () =>
        truePeak(channels),
  },
  {
    name: "loudness and true peak",
    prepare: async ({ channels }) => {
      const sound = samplesOf({ sample_rate: RATE, channels });
      return () => measure(sound, false, signal);
    },
    outside: [outside.ebur128Peak, outside.loudgain],
  },
  {
    name: "plain gain",
    prepare: async ({ channels }) => {
      const audio = { sample_rate: RATE, channels };
      const rendering = new Rendering(samplesOf(audio), 0.7, undefined, 24, false);
      return () => readAll(rendering);
    },
    outside: [outside.volume],
  },
  {
    name: "limiter",
    prepare: async ({ channels }) => {
      const audio = { sample_rate: RATE, channels };
      const drive = fromDecibel(LIMITED_LU);
      const ceiling = fromDecibel(-1);
      return () => {
        const map = new PeakMap(channels.length, channels[0]!.length, ceiling / drive);
        map.push(channels);
        map.finish();
        const gains = limiterGain(map, drive, ceiling, RATE);
        readAll(
          new Rendering(
            samplesOf(audio),
            drive,
            gains === undefined ? undefined : new GainCurve(gains, map),
            24,
            false,
          ),
        );
      };
    },
    outside: [outside.alimiter],
  },
  mastering("master, one gain", -LIMITED_LU),
  mastering("master, limited", LIMITED_LU),
  ...(
    [
      [48_000, 44_100],
      [96_000, 44_100],
      [22_050, 44_100],
      [44_100, 48_000],
    ] as const
  ).map(
    ([from, to]): Kernel => ({
      name: `resample ${from} to ${to}`,
      rate: from,
      prepare:
        async ({ channels }) =>
        () =>
          resample(channels, from, to),
      outside: [outside.sox(from, to), outside.aresample(from, to)],
    }),
  ),
  {
    name: `transforms of ${FFT_SIZE} points`,
    prepare: async ({ channels }) => {
      const fft = new Fft(FFT_SIZE);
      const real = new Float64Array(FFT_SIZE);
      const imaginary = new Float64Array(FFT_SIZE);
      return () => {
        for (const channel of channels) {
          for (let at = 0; at + FFT_SIZE <= channel.length; at += FFT_SIZE) {
            real.set(channel.subarray(at, at + FFT_SIZE));
            imaginary.fill(0);
            fft.transform(real, imaginary);
          }
        }
      };
    },
  },
  ...([16, 24] as const).flatMap((bits): Kernel[] => [
    {
      name: `FLAC encode, ${bits} bits`,
      prepare: async ({ channels, path }) => {
        const source = rounded(channels, bits);
        return () => writeFlacFile(source, RATE, path("kernel.flac"), {}, signal);
      },
      outside: [outside.flacEncode(bits), outside.ffmpegEncode(bits)],
    },
    {
      name: `FLAC decode, ${bits} bits`,
      prepare:
        async ({ path }) =>
        async () => {
          for await (const { count } of readFlacFile(path(`s${bits}.flac`), signal))
            if (count === 0) throw new Error("an empty frame");
        },
      outside: [outside.flacDecode(bits), outside.ffmpegDecode(`s${bits}.flac`)],
    },
  ]),
  decoding("WAV decode, 16 bits", "s16.wav", [outside.ffmpegDecode("s16.wav")]),
  decoding("WAV decode, 24 bits", "s24.wav", [outside.ffmpegDecode("s24.wav")]),
  decoding("MP3 decode", "s16.mp3", [outside.mpg123, outside.ffmpegDecode("s16.mp3")]),
  {
    name: "CRC-16 of the PCM",
    prepare: async ({ path }) => {
      const bytes = await readFile(path("s16.wav"));
      return () => crc16(bytes, 0, bytes.length);
    },
  },
  digesting("md5", "md5sum"),
  digesting("sha256", "sha256sum"),
  ...DESK_KERNELS,
  ...ENGINE_KERNELS,
];

/** To `above_lu` over what one gain could reach under the ceiling. */
function mastering(name: string, above_lu: number): Kernel {
  return {
    name,
    async prepare({ channels }) {
      const { lufs, true_peak_dbtp } = await measure(samplesOf({ sample_rate: RATE, channels }), false, signal);
      const target_lufs = Math.min(-6, lufs - 1 - true_peak_dbtp + above_lu);
      const level: Level = { kind: "loudness", target_lufs, allow_compression: true };
      return () => master({ sample_rate: RATE, channels }, level, { bits: 24, ring: false }, signal);
    },
    outside: [outside.loudnorm(-14, false)],
  };
}

function decoding(name: string, file: string, tools: readonly outside.Outside[]): Kernel {
  return {
    name,
    prepare:
      async ({ path }) =>
      () =>
        decode(path(file), LIMITS, signal, "own"),
    outside: tools,
  };
}

function digesting(algorithm: string, program: "md5sum" | "sha256sum"): Kernel {
  return {
    name: `${algorithm} of the PCM`,
    async prepare({ path }) {
      const bytes = await readFile(path("s16.wav"));
      return () => createHash(algorithm).update(bytes).digest("hex");
    },
    outside: [outside.digest(program)],
  };
}

function readAll(rendering: Rendering): void {
  const block = Array.from({ length: rendering.channels }, () => new Float32Array(8_192));
  for (let from = 0; from < rendering.frames; from += 8_192)
    rendering.samples(from, Math.min(rendering.frames, from + 8_192), block);
}

/** In whole steps, before the clock starts. */
function rounded(channels: readonly Float32Array[], bits: 16 | 24): FlacSource {
  const full = 2 ** (bits - 1);
  const whole = channels.map((channel) =>
    channel.map((value) => Math.max(-full, Math.min(full - 1, Math.round(value * full))) / full + 0),
  );
  return { ...samplesOf({ sample_rate: RATE, channels: whole }), bits };
}
