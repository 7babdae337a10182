/** JSON as pieces of buffers that were received: bytes are copied once, into the answer. */
export interface JsonPieces {
  readonly bytes: Buffer
  /** Begin and end of each piece that remains, in turn. */
  readonly pieces: number[]
  /** Whose value stands behind each piece; null: no one's. */
  readonly holes: (Filling | null)[]
  /** Which of its values. */
  readonly numbers: number[]
}

/** Values that are known later. Each may stand at any number of places. */
export interface Filling {
  /** Null: they are null. */
  bytes: Buffer | null
  /** Where each value begins and ends, by turns. */
  ranges: readonly number[]
  /** Those that contain others, by their numbers. */
  readonly inner: (JsonPieces | null | undefined)[]
}

export const makeFilling = (): Filling => ({ bytes: null, ranges: [], inner: [] })

export const nullFilling: Filling = makeFilling()

const nullText = Buffer.from('null')

/**
 * Returns the length in bytes; above `most` it stops counting. Pieces contain no cycles, and no more levels than joins
 * are nested.
 */
export function sizeOfPieces({ pieces, holes, numbers }: JsonPieces, most: number): number {
  let size = 0
  for (let i = 0; i < pieces.length && size <= most; i += 2) size += (pieces[i + 1] ?? 0) - (pieces[i] ?? 0)
  for (let i = 0; i < holes.length && size <= most; i++) {
    const hole = holes[i]
    if (!hole) continue
    const number = numbers[i] ?? 0
    const inner = hole.inner.length > 0 ? hole.inner[number] : null
    if (inner) size += sizeOfPieces(inner, most - size)
    else size += hole.bytes ? (hole.ranges[2 * number + 1] ?? 0) - (hole.ranges[2 * number] ?? 0) : nullText.length
  }
  return size
}

/** Writes it and says where it ends. */
export function writePieces({ bytes, pieces, holes, numbers }: JsonPieces, into: Buffer, at: number): number {
  let end = at
  for (let i = 0; i < holes.length; i++) {
    end = copied(bytes, pieces[2 * i] ?? 0, pieces[2 * i + 1] ?? 0, into, end)
    const hole = holes[i]
    if (!hole) continue
    const number = numbers[i] ?? 0
    const inner = hole.inner.length > 0 ? hole.inner[number] : null
    if (inner) end = writePieces(inner, into, end)
    else if (!hole.bytes) end = copied(nullText, 0, nullText.length, into, end)
    else end = copied(hole.bytes, hole.ranges[2 * number] ?? 0, hole.ranges[2 * number + 1] ?? 0, into, end)
  }
  return end
}

/** Shorter ones are copied faster than native code is called. */
function copied(bytes: Buffer, start: number, end: number, into: Buffer, at: number): number {
  if (end - start > 16) return at + bytes.copy(into, at, start, end)
  for (let i = start; i < end; i++) into[at + i - start] = bytes[i] ?? 0
  return at + end - start
}
