import { keyOf, skipSpace, skipString, skipValue, wrongJson } from '../json-bytes/index.ts'
import type { JoinMember, JoinTree, PreparedJoin } from './join-tree.ts'
import type { Rope, Slot } from './rope.ts'

/** Takes the keys of a row as JSON texts, of a join of the tree; the slot is where its value will be. */
export type TakeKeys = (join: PreparedJoin, keys: readonly string[]) => Slot

/**
 * Finds the rows of a tree in JSON: for each join of a row its keys are taken out and handed on, and a slot is left where
 * its value will be. All else stays as bytes. Throws a SyntaxError for what is not JSON, as far as it looks.
 */
export function scanRows(bytes: Buffer, start: number, end: number, tree: JoinTree, take: TakeKeys): Rope {
  const scan: Scan = { bytes, take, pieces: [], holes: [], from: start, members: [], places: [], cuts: [] }
  scanValue(scan, start, tree)
  scan.pieces.push(scan.from, end)
  scan.holes.push(null)
  return { bytes, pieces: scan.pieces, holes: scan.holes }
}

interface Scan {
  readonly bytes: Buffer
  readonly take: TakeKeys
  readonly pieces: number[]
  readonly holes: (Slot | null)[]
  /** Where the piece begins that has no end yet. */
  from: number
  // of the rows that are being read, each behind those it is inside of: thousands of rows make no garbage
  /** Places where others stand: the member, where its value begins and ends. */
  readonly members: JoinMember[]
  readonly places: number[]
  /** What is cut out: where it begins and ends. */
  readonly cuts: number[]
}

/** The place behind a value whose objects, in however many lists, are rows of the tree. */
function scanValue(scan: Scan, at: number, tree: JoinTree): number {
  const { bytes } = scan
  if (bytes[at] === 0x7b) return scanRow(scan, at, tree)
  if (bytes[at] !== 0x5b) return skipValue(bytes, at)
  // lists inside lists are rare, and yet may be deep
  let depth = 1
  let i = skipSpace(bytes, at + 1)
  for (;;) {
    const byte = bytes[i]
    if (byte === 0x5d) {
      i++
      if (--depth === 0) return i
      i = skipSpace(bytes, i)
      if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
      continue
    }
    if (byte === 0x5b) {
      depth++
      i = skipSpace(bytes, i + 1)
      continue
    }
    i = skipSpace(bytes, byte === 0x7b ? scanRow(scan, i, tree) : skipValue(bytes, i))
    if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
    else if (bytes[i] !== 0x5d) wrongJson(bytes, i)
  }
}

function scanRow(scan: Scan, at: number, tree: JoinTree): number {
  const { bytes, members, places, cuts } = scan
  const firstMember = members.length
  const firstCut = cuts.length
  // the keys of each join of the tree, in its order
  let found: (string | undefined)[][] | null = null
  let kept = 0
  let comma = at
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) return i + 1
  for (;;) {
    const member = i
    const keyEnd = skipString(bytes, i)
    const known = memberOf(bytes, member + 1, keyEnd - 1, tree)
    i = skipSpace(bytes, keyEnd)
    if (bytes[i] !== 0x3a) wrongJson(bytes, i)
    const start = skipSpace(bytes, i + 1)
    const end = skipValue(bytes, start)
    i = skipSpace(bytes, end)
    const isLast = bytes[i] === 0x7d
    if (!isLast && bytes[i] !== 0x2c) wrongJson(bytes, i)
    const next = isLast ? i : skipSpace(bytes, i + 1)
    if (known?.key) {
      const { join, number } = known.key
      found ??= []
      const keys = found[join] ?? []
      keys[number] = bytes.toString('latin1', start, end)
      found[join] = keys
      if (kept > 0) cuts.push(comma, end)
      else cuts.push(member, next)
    } else {
      if (known) {
        members.push(known)
        places.push(start, end)
      }
      kept++
    }
    if (isLast) break
    comma = i
    i = next
  }
  applyEdits(scan, tree, found ?? nothing, firstMember, firstCut)
  members.length = firstMember
  places.length = 2 * firstMember
  cuts.length = firstCut
  return i + 1
}

type Found = readonly (readonly (string | undefined)[] | undefined)[]
const nothing: Found = []

/** In the order of the row: what is cut and what is filled may stand in any. */
function applyEdits(scan: Scan, tree: JoinTree, found: Found, firstMember: number, firstCut: number): void {
  const { members, places, cuts } = scan
  const lastMember = members.length
  const lastCut = cuts.length
  let cut = firstCut
  for (let at = firstMember; at < lastMember; at++) {
    const member = members[at]
    const start = places[2 * at] ?? 0
    const end = places[2 * at + 1] ?? 0
    for (; cut < lastCut && (cuts[cut] ?? 0) < start; cut += 2) put(scan, cuts[cut] ?? 0, cuts[cut + 1] ?? 0, null)
    const number = member && joinOf(member, found)
    const join = number === undefined ? undefined : tree.joins[number]
    const keys = number === undefined ? undefined : found[number]
    if (join && keys) put(scan, start, end, scan.take(join, whole(join, keys)))
    else if (member?.below) scanValue(scan, start, member.below)
  }
  for (; cut < lastCut; cut += 2) put(scan, cuts[cut] ?? 0, cuts[cut + 1] ?? 0, null)
}

/** Of several types behind one response key each has a join of its own; a row has the keys of one. */
function joinOf({ joins }: JoinMember, found: Found): number | undefined {
  for (const join of joins) if (found[join] !== undefined) return join
  return undefined
}

function whole(join: PreparedJoin, keys: readonly (string | undefined)[]): readonly string[] {
  for (let i = 0; i < join.keys.length; i++)
    if (keys[i] === undefined) throw new SyntaxError(`"${join.keys[i]}" is missing`)
  return keys as readonly string[]
}

/** A part of a row goes, or a value comes into its place. */
function put(scan: Scan, start: number, end: number, slot: Slot | null): void {
  scan.pieces.push(scan.from, start)
  scan.holes.push(slot)
  scan.from = end
}

function memberOf(bytes: Buffer, start: number, end: number, { members }: JoinTree): JoinMember | undefined {
  const candidates = members[end - start]
  if (candidates)
    for (const candidate of candidates) {
      const { name } = candidate
      let i = 0
      while (i < name.length && bytes[start + i] === name[i]) i++
      if (i === name.length) return candidate
    }
  return isEscaped(bytes, start, end) ? escapedMember(bytes, start, end, members) : undefined
}

function isEscaped(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === 0x5c) return true
  return false
}

/** Servers may write letters of names as escapes. */
function escapedMember(
  bytes: Buffer,
  start: number,
  end: number,
  members: JoinTree['members'],
): JoinMember | undefined {
  const name = Buffer.from(keyOf(bytes, start, end))
  return members[name.length]?.find((member) => name.equals(member.name))
}
