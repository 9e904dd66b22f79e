/** What the functions of a WebAssembly module are called: profilers tell only their index, and its exports have names. */

const MAGIC = 0x6d736100;
const EXPORT_SECTION = 7;
const FUNCTION = 0;

/** Names by index of the functions that are exported. Throws where `bytes` is no module. */
export function exportedFunctions(bytes: Uint8Array): ReadonlyMap<number, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC) throw new Error("Cannot read the names: it is no module");
  let at = 8;
  // Unsigned LEB128 (WebAssembly core specification 5.2.2); sizes and indices have at most 32 bits.
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const names = new Map<number, string>();
  while (at < bytes.length) {
    const section = view.getUint8(at++);
    const end = number() + at;
    if (section === EXPORT_SECTION) {
      for (let left = number(); left > 0; left--) {
        const length = number();
        const name = new TextDecoder().decode(bytes.subarray(at, at + length));
        at += length;
        const kind = view.getUint8(at++);
        const index = number();
        if (kind === FUNCTION) names.set(index, name);
      }
    }
    at = end;
  }
  return names;
}
