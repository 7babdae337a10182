import { keyOf, skipSpace, skipString, skipValue, wrongJson } from '../json-bytes/index.ts'
import type { JoinMember, JoinTree, PreparedJoin } from './join-tree.ts'
import type { Filling, JsonPieces } from './json-pieces.ts'

/** Receives the keys of rows. */
export interface TakesKeys {
  /**
   * Takes the keys of a row, of a join of the tree: where their JSON texts stand in the bytes, beginnings and ends by turns.
   * The list is the scanner's own, and another row's once this returns. The result is where its value will be.
   */
  take(join: PreparedJoin, bytes: Buffer, keys: readonly number[]): Filling
  /** Which of those values it will be. */
  taken: number
}

/**
 * Finds the rows of a tree in JSON: for each join of a row its keys are taken out and passed on, and a hole is left
 * where its value will be. All else remains as bytes. Throws a SyntaxError for what is not JSON, as far as it reads.
 */
export function scanRows(bytes: Buffer, start: number, end: number, tree: JoinTree, taker: TakesKeys): JsonPieces {
  const scan: Scan = {
    bytes,
    taker,
    pieces: [],
    holes: [],
    numbers: [],
    from: start,
    members: [],
    places: [],
    memberCount: 0,
    cuts: [],
    cutCount: 0,
    keys: [],
    keyPlaces: [],
    keyCount: 0,
    taken: [],
    orders: new Map(),
  }
  scanValue(scan, start, tree)
  scan.pieces.push(scan.from, end)
  scan.holes.push(null)
  scan.numbers.push(0)
  return { bytes, pieces: scan.pieces, holes: scan.holes, numbers: scan.numbers }
}

interface Scan {
  readonly bytes: Buffer
  readonly taker: TakesKeys
  readonly pieces: number[]
  readonly holes: (Filling | null)[]
  readonly numbers: number[]
  /** Where the piece begins that has no end yet. */
  from: number
  // of the rows that are being read, each behind those it is inside of: thousands of rows make no garbage, which lists would
  // that are made shorter after each row, since V8 frees their memory then
  /** Places with values of joins: the member, where its value begins and ends. */
  readonly members: JoinMember[]
  readonly places: number[]
  memberCount: number
  /** What is cut out: where it begins and ends. */
  readonly cuts: number[]
  cutCount: number
  /** Where keys of joins begin and end, and for each the numbers of its join and of itself. */
  readonly keys: number[]
  readonly keyPlaces: number[]
  keyCount: number
  /** Of one join, for a caller that takes them. */
  readonly taken: number[]
  /** Members of rows in the order of the row before, by the tree that the row is of. */
  readonly orders: Map<JoinTree, Guess[]>
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
  const { bytes, memberCount: firstMember, cutCount: firstCut, keyCount: firstKey } = scan
  const order = orderOf(scan, tree)
  let nth = 0
  let kept = 0
  let comma = at
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) return i + 1
  for (;;) {
    const member = i
    // rows have their members in one order: the name is mostly that of the row before
    let guess = order[nth]
    if (!guess || !isAt(bytes, i, guess.quoted)) {
      guess = guessAt(bytes, i, tree)
      if (nth < mostGuesses) order[nth] = guess
    }
    nth++
    const known = guess.member
    i = skipSpace(bytes, i + guess.quoted.length)
    if (bytes[i] !== 0x3a) wrongJson(bytes, i)
    const start = skipSpace(bytes, i + 1)
    const end = skipValue(bytes, start)
    i = skipSpace(bytes, end)
    const isLast = bytes[i] === 0x7d
    if (!isLast && bytes[i] !== 0x2c) wrongJson(bytes, i)
    const next = isLast ? i : skipSpace(bytes, i + 1)
    if (known?.key) {
      addKey(scan, known.key, start, end)
      if (kept > 0) addCut(scan, comma, end)
      else addCut(scan, member, next)
    } else {
      if (known) addMember(scan, known, start, end)
      kept++
    }
    if (isLast) break
    comma = i
    i = next
  }
  applyEdits(scan, tree, firstKey, firstMember, firstCut)
  scan.memberCount = firstMember
  scan.cutCount = firstCut
  scan.keyCount = firstKey
  return i + 1
}

/** The name of a member as it is written, and what it is of the tree. */
interface Guess {
  readonly quoted: Uint8Array
  readonly member: JoinMember | undefined
}

const mostGuesses = 64

function orderOf({ orders }: Scan, tree: JoinTree): Guess[] {
  const known = orders.get(tree)
  if (known) return known
  const made: Guess[] = []
  orders.set(tree, made)
  return made
}

function guessAt(bytes: Buffer, at: number, tree: JoinTree): Guess {
  const end = skipString(bytes, at)
  return { quoted: Uint8Array.prototype.slice.call(bytes, at, end), member: memberOf(bytes, at + 1, end - 1, tree) }
}

function isAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  const { length } = text
  for (let i = 0; i < length; i++) if (bytes[at + i] !== text[i]) return false
  return true
}

function addMember(scan: Scan, member: JoinMember, start: number, end: number): void {
  const at = scan.memberCount++
  scan.members[at] = member
  scan.places[2 * at] = start
  scan.places[2 * at + 1] = end
}

function addCut(scan: Scan, start: number, end: number): void {
  scan.cuts[scan.cutCount] = start
  scan.cuts[scan.cutCount + 1] = end
  scan.cutCount += 2
}

function addKey(scan: Scan, { join, number }: NonNullable<JoinMember['key']>, start: number, end: number): void {
  const at = scan.keyCount++
  scan.keys[2 * at] = start
  scan.keys[2 * at + 1] = end
  scan.keyPlaces[2 * at] = join
  scan.keyPlaces[2 * at + 1] = number
}

/** In the order of the row: what is cut and what is filled may stand in any. */
function applyEdits(scan: Scan, tree: JoinTree, firstKey: number, firstMember: number, firstCut: number): void {
  const { members, places, cuts, memberCount: lastMember, cutCount: lastCut } = scan
  let cut = firstCut
  for (let at = firstMember; at < lastMember; at++) {
    const member = members[at]
    const start = places[2 * at] ?? 0
    const end = places[2 * at + 1] ?? 0
    for (; cut < lastCut && (cuts[cut] ?? 0) < start; cut += 2) put(scan, cuts[cut] ?? 0, cuts[cut + 1] ?? 0, null)
    const number = member ? joinOf(member, scan, firstKey) : -1
    const join = tree.joins[number]
    if (join) put(scan, start, end, scan.taker.take(join, scan.bytes, keysOf(join, number, scan, firstKey)))
    else if (member?.below) scanValue(scan, start, member.below)
  }
  for (; cut < lastCut; cut += 2) put(scan, cuts[cut] ?? 0, cuts[cut + 1] ?? 0, null)
}

/** Of several types behind one response key each has a join of its own; a row has the keys of one. -1: it has none. */
function joinOf({ joins }: JoinMember, { keyPlaces, keyCount }: Scan, firstKey: number): number {
  for (const join of joins) for (let i = firstKey; i < keyCount; i++) if (keyPlaces[2 * i] === join) return join
  return -1
}

/** The keys of a join of this row; of equal names the last counts. */
function keysOf(join: PreparedJoin, number: number, scan: Scan, firstKey: number): readonly number[] {
  const { keys, keyPlaces, keyCount, taken } = scan
  const count = join.keys.length
  if (taken.length !== 2 * count) taken.length = 2 * count
  for (let i = 0; i < count; i++) {
    let at = keyCount - 1
    while (at >= firstKey && (keyPlaces[2 * at] !== number || keyPlaces[2 * at + 1] !== i)) at--
    if (at < firstKey) throw new SyntaxError(`"${join.keys[i]}" is missing`)
    taken[2 * i] = keys[2 * at] ?? 0
    taken[2 * i + 1] = keys[2 * at + 1] ?? 0
  }
  return taken
}

/** A part of a row is removed, or replaced by a value. */
function put(scan: Scan, start: number, end: number, filling: Filling | null): void {
  if (filling !== null || start !== scan.from) {
    scan.pieces.push(scan.from, start)
    scan.holes.push(filling)
    scan.numbers.push(filling === null ? 0 : scan.taker.taken)
  }
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
