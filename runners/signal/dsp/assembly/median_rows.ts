/**
 * The middle of every column of `count` rows of bytes, of an even count the upper one of the two, into `out`.
 *
 * @param rows the first row; the next ones `stride` bytes on
 * @param width of a row, a multiple of 16
 * @param room 16 · count bytes
 */
export function medianRows(rows: usize, stride: i32, count: i32, width: i32, room: usize, out: usize): void {
  const middle = room + ((<usize>(count >> 1)) << 4);
  for (let column: usize = 0; column < <usize>width; column += 16) {
    let row = rows + column;
    // What was sorted so far, upwards.
    let end = room;
    for (let k = 0; k < count; k++) {
      let value = v128.load(row);
      for (let at = room; at < end; at += 16) {
        const there = v128.load(at);
        v128.store(at, i8x16.min_u(there, value));
        value = i8x16.max_u(there, value);
      }
      v128.store(end, value);
      end += 16;
      row += <usize>stride;
    }
    v128.store(out + column, v128.load(middle));
  }
}
