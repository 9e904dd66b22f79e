/** The outside tools that kernels and actions are held against, by what they do. Each reads a file and starts a process of its own. */
import { isInstalled, runOutside } from "./measure.ts";

export interface Outside {
  readonly name: string;
  /** One command after another; the first word is the program. */
  readonly steps: (path: (name: string) => string) => readonly (readonly string[])[];
}

const ffmpeg = (...args: readonly string[]): readonly string[] => [
  ...["ffmpeg", "-nostdin", "-hide_banner", "-y", "-threads", "1", "-filter_threads", "1"],
  ...args,
];
const NOWHERE = ["-f", "null", "-"];
/** Where tools write that only need to write. */
const OUT = "outside";

export const ebur128: Outside = {
  name: "ffmpeg ebur128",
  steps: (path) => [ffmpeg("-i", path("s16.wav"), "-af", "ebur128=framelog=verbose", ...NOWHERE)],
};
export const ebur128Peak: Outside = {
  name: "ffmpeg ebur128=peak=true",
  steps: (path) => [ffmpeg("-i", path("s16.wav"), "-af", "ebur128=peak=true:framelog=verbose", ...NOWHERE)],
};
/** Debian's front end of libebur128: loudness, range and true peak at once. */
export const loudgain: Outside = {
  name: "loudgain (libebur128)",
  steps: (path) => [["loudgain", "-q", path("s16.flac")]],
};
export const alimiter: Outside = {
  name: "ffmpeg alimiter",
  steps: (path) => [ffmpeg("-i", path("s16.wav"), "-af", "alimiter=level_in=2:limit=0.89", ...NOWHERE)],
};
export const volume: Outside = {
  name: "ffmpeg volume",
  steps: (path) => [ffmpeg("-i", path("s16.wav"), "-af", "volume=3dB", "-c:a", "pcm_s24le", ...NOWHERE)],
};

/** Two passes: measure, then `linear=true` with what was measured, as its documentation asks; written as 24-bit FLAC where `flac`. */
export const loudnorm = (target_lufs: number, flac: boolean): Outside => {
  const goal = `loudnorm=I=${target_lufs}:TP=-1:LRA=11`;
  return {
    name: "ffmpeg loudnorm, two passes",
    steps: (path) => [
      ffmpeg("-i", path("s16.wav"), "-af", `${goal}:print_format=json`, ...NOWHERE),
      // The second pass costs the same whatever was measured, so the figures need not be carried over here.
      ffmpeg(
        ...["-i", path("s16.wav")],
        ...["-af", `${goal}:measured_I=-16:measured_TP=-2:measured_LRA=5:measured_thresh=-26:linear=true`],
        ...(flac
          ? ["-ar", "44100", "-sample_fmt", "s32", "-c:a", "flac", path(`${OUT}.flac`)]
          : ["-ar", "44100", ...NOWHERE]),
      ),
    ],
  };
};

/** The sections of `equaliser, 4 sections` in kernels/desk.ts. */
export const equaliser: Outside = filter(
  "ffmpeg, the same four filters",
  "highpass=40,bass=g=-2:f=120,equalizer=f=1000:t=q:w=1:g=2,treble=g=1.5:f=8000",
);
export const aecho: Outside = filter("ffmpeg aecho", "aecho=0.8:0.7:375:0.4");
export const ffmpegChorus: Outside = filter("ffmpeg chorus", "chorus=0.7:0.9:12|14|16:0.4|0.4|0.4:0.6|0.6|0.6:4|4|4");
export const silencedetect: Outside = filter("ffmpeg silencedetect (by level alone)", "silencedetect=-30dB");
/** The music is its own key here: what is asked of it is what it costs. */
export const sidechain: Outside = {
  name: "ffmpeg sidechaincompress",
  steps: (path) => [
    ffmpeg(
      ...["-i", path("s16.wav"), "-i", path("s24.wav")],
      ...["-filter_complex", "[0][1]sidechaincompress=threshold=0.05:ratio=8:attack=200:release=1000", ...NOWHERE],
    ),
  ],
};
export const soxReverb: Outside = {
  name: "sox reverb",
  steps: (path) => [["sox", path("s16.wav"), "-t", "raw", "/dev/null", "reverb"]],
};

function filter(name: string, text: string): Outside {
  return { name, steps: (path) => [ffmpeg("-i", path("s16.wav"), "-af", text, ...NOWHERE)] };
}

export const aresample = (from: number, to: number): Outside => ({
  name: "ffmpeg aresample",
  steps: (path) => [ffmpeg("-i", path(`${from}.wav`), "-af", `aresample=${to}`, ...NOWHERE)],
});
export const sox = (from: number, to: number): Outside => ({
  name: "sox rate -v",
  steps: (path) => [["sox", path(`${from}.wav`), "-t", "raw", "/dev/null", "rate", "-v", String(to)]],
});

export const flacEncode = (bits: 16 | 24): Outside => ({
  name: "flac -5",
  steps: (path) => [["flac", "-s", "-f", "-5", "-o", path(`${OUT}.flac`), path(`s${bits}.wav`)]],
});
export const ffmpegEncode = (bits: 16 | 24): Outside => ({
  name: "ffmpeg flac, level 5",
  steps: (path) => [
    ffmpeg(...["-i", path(`s${bits}.wav`), "-c:a", "flac", "-compression_level", "5", path(`${OUT}.flac`)]),
  ],
});
export const flacDecode = (bits: 16 | 24): Outside => ({
  name: "flac -d",
  steps: (path) => [["flac", "-s", "-f", "-d", "-o", path(`${OUT}.wav`), path(`s${bits}.flac`)]],
});
export const ffmpegDecode = (file: string): Outside => ({
  name: "ffmpeg",
  steps: (path) => [ffmpeg("-i", path(file), "-f", "f32le", path(`${OUT}.raw`))],
});
export const mpg123: Outside = { name: "mpg123 -t", steps: (path) => [["mpg123", "-q", "-t", path("s16.mp3")]] };
export const digest = (program: "md5sum" | "sha256sum"): Outside => ({
  name: program,
  steps: (path) => [[program, path("s16.wav")]],
});

export interface OutsideCost {
  readonly name: string;
  readonly cpu_s: number;
  readonly peak_bytes: number;
}

/** One run of all its steps; undefined where a program is missing. */
export async function costOf(
  { name, steps }: Outside,
  path: (name: string) => string,
): Promise<OutsideCost | undefined> {
  let cpu_s = 0;
  let peak_bytes = 0;
  for (const argv of steps(path)) {
    if (!(await isInstalled(argv[0]!))) return undefined;
    const run = await runOutside(argv);
    cpu_s += run.cpu_s;
    peak_bytes = Math.max(peak_bytes, run.peak_bytes);
  }
  return { name, cpu_s, peak_bytes };
}
