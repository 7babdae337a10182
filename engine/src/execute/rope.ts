/** JSON as pieces of what others gave: bytes are copied once, into the answer. */
export interface Rope {
  readonly bytes: Buffer
  /** Beginnings and ends of the pieces that stay, by turns. */
  readonly pieces: number[]
  /** What stands behind each piece; null: nothing. */
  readonly holes: (Slot | null)[]
}

/** A value that is known later. It may stand at any number of places. */
export interface Slot {
  /** Null: the value is null. */
  bytes: Buffer | null
  start: number
  end: number
  /** Where others stand in it. */
  rope: Rope | null
}

export const makeSlot = (): Slot => ({ bytes: null, start: 0, end: 0, rope: null })

export const emptySlot: Slot = makeSlot()

const nullText = Buffer.from('null')

/** Bytes that it takes. `most`: above that nobody asks how many. Ropes hold no cycles, and no more levels than joins are nested. */
export function ropeSize({ pieces, holes }: Rope, most: number): number {
  let size = 0
  for (let i = 0; i < pieces.length && size <= most; i += 2) size += (pieces[i + 1] ?? 0) - (pieces[i] ?? 0)
  for (let i = 0; i < holes.length && size <= most; i++) {
    const hole = holes[i]
    if (!hole) continue
    if (hole.rope) size += ropeSize(hole.rope, most - size)
    else size += hole.bytes ? hole.end - hole.start : nullText.length
  }
  return size
}

/** Writes it and says where it ends. */
export function writeRope({ bytes, pieces, holes }: Rope, into: Buffer, at: number): number {
  let end = at
  for (let i = 0; i < holes.length; i++) {
    end += bytes.copy(into, end, pieces[2 * i], pieces[2 * i + 1])
    const hole = holes[i]
    if (!hole) continue
    if (hole.rope) end = writeRope(hole.rope, into, end)
    else end += hole.bytes ? hole.bytes.copy(into, end, hole.start, hole.end) : nullText.copy(into, end)
  }
  return end
}
