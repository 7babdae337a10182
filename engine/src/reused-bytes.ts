/**
 * Memory for answers of some size, used again as soon as one is written. Memory of V8's own for each would be 60 MB a
 * second at full load, for which V8 scans the whole heap several times a second: without this an answer of 100 rows
 * costs 1.5 times the CPU (bench/results/queries.md).
 *
 * A caller that takes bytes and does not return them loses nothing: they are garbage-collected. A caller that returns
 * them must be the last that refers to them.
 */
interface Piece {
  readonly bytes: Buffer
  isTaken: boolean
}

const pieces = new WeakMap<ArrayBufferLike, Piece>()
const free = new Map<number, Piece[]>()

/** So many bytes of any content. */
export function takeBytes(length: number): Buffer {
  if (length < LEAST || length > MOST) return Buffer.allocUnsafe(length)
  const size = 2 ** Math.ceil(Math.log2(length))
  const piece = free.get(size)?.pop() ?? newPiece(size)
  piece.isTaken = true
  return piece.bytes.subarray(0, length)
}

/** Ignores bytes that were not taken here, or were returned. */
export function giveBytesBack(bytes: Buffer): void {
  const piece = pieces.get(bytes.buffer)
  if (!piece?.isTaken) return
  piece.isTaken = false
  const { length } = piece.bytes
  const others = free.get(length) ?? []
  free.set(length, others)
  if (others.length * length < MOST_KEPT) others.push(piece)
}

function newPiece(size: number): Piece {
  const piece = { bytes: Buffer.allocUnsafeSlow(size), isTaken: false }
  pieces.set(piece.bytes.buffer, piece)
  return piece
}

/** Smaller ones share memory in node. */
const LEAST = 4096
const MOST = 1_048_576
/** Bytes, of one size. */
const MOST_KEPT = 2 * MOST
