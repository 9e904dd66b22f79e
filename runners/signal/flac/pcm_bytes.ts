/**
 * Samples as FLAC counts them for its MD5: interleaved, little-endian, signed, in as few whole bytes as `bits` need.
 *
 * @param channels whole numbers within `bits`
 * @param into at least `count` frames long
 * @returns the part of `into` that was filled
 */
export function packPcm(channels: readonly Int32Array[], count: number, bits: number, into: Uint8Array): Uint8Array {
  const width = bytesPerSample(bits);
  const stride = width * channels.length;
  for (const [channel, samples] of channels.entries()) {
    // A loop of its own for each width: nearly all files are of these two.
    if (width === 2) pack16(samples, count, channel * width, stride, into);
    else if (width === 3) pack24(samples, count, channel * width, stride, into);
    else pack(samples, count, width, channel * width, stride, into);
  }
  return into.subarray(0, count * stride);
}

export function bytesPerSample(bits: number): number {
  return (bits + 7) >> 3;
}

function pack16(samples: Int32Array, count: number, begin: number, stride: number, into: Uint8Array): void {
  for (let n = 0, at = begin; n < count; n++, at += stride) {
    const value = samples[n]!;
    into[at] = value;
    into[at + 1] = value >> 8;
  }
}

function pack24(samples: Int32Array, count: number, begin: number, stride: number, into: Uint8Array): void {
  for (let n = 0, at = begin; n < count; n++, at += stride) {
    const value = samples[n]!;
    into[at] = value;
    into[at + 1] = value >> 8;
    into[at + 2] = value >> 16;
  }
}

function pack(
  samples: Int32Array,
  count: number,
  width: number,
  begin: number,
  stride: number,
  into: Uint8Array,
): void {
  for (let n = 0, at = begin; n < count; n++, at += stride) {
    for (let byte = 0; byte < width; byte++) into[at + byte] = samples[n]! >> (8 * byte);
  }
}
