/**
 * The middle of every column of `count` rows of bytes, of an even count the upper one of the two, into `out`: bit by bit the largest value
 * below which no more than half of the others lie.
 *
 * @param rows the first row; the next ones `stride` bytes on
 * @param count at most 255
 * @param width of a row, a multiple of 16
 * @param room 16 · count bytes
 */
export function medianRows(rows: usize, stride: i32, count: i32, width: i32, room: usize, out: usize): void {
  const half = i8x16.splat(<i8>(count >> 1));
  // Comparisons with a sign are single instructions.
  const flip = i8x16.splat(-128);
  const end = room + ((<usize>count) << 4);
  const even = room + ((<usize>(count & ~1)) << 4);
  for (let column: usize = 0; column < <usize>width; column += 16) {
    let row = rows + column;
    for (let to = room; to < end; to += 16) {
      v128.store(to, v128.xor(v128.load(row), flip));
      row += <usize>stride;
    }
    let middle = flip;
    for (let bit = 128; bit > 0; bit >>= 1) {
      const higher = i8x16.add(middle, i8x16.splat(<i8>bit));
      let one = i8x16.splat(0);
      let other = one;
      let at = room;
      for (; at < even; at += 32) {
        one = i8x16.sub(one, i8x16.gt_s(higher, v128.load(at)));
        other = i8x16.sub(other, i8x16.gt_s(higher, v128.load(at, 16)));
      }
      if (at < end) one = i8x16.sub(one, i8x16.gt_s(higher, v128.load(at)));
      const below = i8x16.add(one, other);
      middle = v128.bitselect(higher, middle, i8x16.le_u(below, half));
    }
    v128.store(out + column, v128.xor(middle, flip));
  }
}
