/** Gains of each channel into left and right. */
export interface Fold {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** -3 dB, as ITU-R BS.775-3 table 2 gives it for centre and surrounds in two-channel stereo. */
const HALF_POWER = Math.SQRT1_2;

/**
 * How three to eight channels become two by ITU-R BS.775: fronts at full level, centre and surrounds 3 dB lower, low-frequency
 * effects left out. Undefined for one and two channels, which stay as they are.
 *
 * @param mask speakers as in WAVEFORMATEXTENSIBLE; where it does not name each channel, the usual order for their number is taken
 */
export function foldOf(channels: number, mask: number): Fold | undefined {
  if (channels <= 2) return undefined;
  const named = speakers(mask);
  const layout = named.length === channels ? named : speakers(USUAL[channels] ?? 0);
  const gains = layout.map((bit) => SPEAKERS[bit] ?? CENTRE);
  return { left: gains.map(([left]) => left), right: gains.map(([, right]) => right) };
}

/** Folds the first `frames` of `channels` into two, from the start of `out`. */
export function foldInto(
  channels: readonly Float32Array[],
  frames: number,
  { left, right }: Fold,
  out: readonly Float32Array[],
): void {
  const first = out[0]!;
  const second = out[1]!;
  for (let n = 0; n < frames; n++) {
    let l = 0;
    let r = 0;
    for (let channel = 0; channel < channels.length; channel++) {
      const sample = channels[channel]![n]!;
      l += left[channel]! * sample;
      r += right[channel]! * sample;
    }
    first[n] = l;
    second[n] = r;
  }
}

const CENTRE = [HALF_POWER, HALF_POWER] as const;
const LEFT = [1, 0] as const;
const RIGHT = [0, 1] as const;
const LEFT_SURROUND = [HALF_POWER, 0] as const;
const RIGHT_SURROUND = [0, HALF_POWER] as const;
const NOT_HEARD = [0, 0] as const;

/** By bit of the mask: FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR. */
const SPEAKERS: readonly (readonly [number, number])[] = [
  LEFT,
  RIGHT,
  CENTRE,
  NOT_HEARD,
  LEFT_SURROUND,
  RIGHT_SURROUND,
  LEFT,
  RIGHT,
  CENTRE,
  LEFT_SURROUND,
  RIGHT_SURROUND,
  CENTRE,
  LEFT_SURROUND,
  CENTRE,
  RIGHT_SURROUND,
  LEFT_SURROUND,
  CENTRE,
  RIGHT_SURROUND,
];

/** Mask by number of channels, as FLAC (RFC 9639, 9.1.3) orders them: 3.0, quad, 5.0, 5.1, 6.1, 7.1. */
const USUAL: Readonly<Record<number, number>> = {
  3: 0x007,
  4: 0x033,
  5: 0x037,
  6: 0x03f,
  7: 0x70f,
  8: 0x63f,
};

/** Bits of the mask, lowest first: the order in which the channels come. */
function speakers(mask: number): number[] {
  return SPEAKERS.flatMap((_, bit) => ((mask >>> bit) & 1 ? [bit] : []));
}
