/** Bytes that are written at once. */
export const SLICE = 1_048_576

/** The pieces of an answer, cut and gathered into slices of so many bytes or few more. */
export function* slicesOf(pieces: readonly Buffer[]): Generator<readonly Buffer[], undefined> {
  let slice: Buffer[] = []
  let size = 0
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + SLICE)
      at += part.length
      slice.push(part)
      size += part.length
      if (size < SLICE) continue
      yield slice
      slice = []
      size = 0
    }
  if (slice.length > 0) yield slice
}
