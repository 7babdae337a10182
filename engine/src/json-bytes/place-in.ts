import { type Range, readMembers } from './members.ts'
import { skipSpace, skipValue } from './skip-value.ts'

/** The keys and indices that lead from a value to the one inside it that begins at `at`. The bytes are JSON. */
export function placeIn(bytes: Buffer, start: number, at: number): readonly (string | number)[] {
  const keys: (string | number)[] = []
  let from = start
  while (from < at) {
    const inside: { key: string | number; range: Range } | undefined = partAround(bytes, from, at)
    if (!inside) break
    keys.push(inside.key)
    from = inside.range.start
  }
  return keys
}

function partAround(bytes: Buffer, start: number, at: number) {
  let found: { key: string | number; range: Range } | undefined
  const visit = (key: string | number, from: number): number => {
    const end = skipValue(bytes, from)
    if (from <= at && at < end) found = { key, range: { start: from, end } }
    return end
  }
  if (bytes[start] === 0x7b) readMembers(bytes, start, visit)
  else if (bytes[start] === 0x5b) readItems(bytes, start, visit)
  return found
}

function readItems(bytes: Buffer, start: number, visit: (index: number, from: number) => number): void {
  let i = skipSpace(bytes, start + 1)
  for (let index = 0; bytes[i] !== 0x5d; index++) {
    i = skipSpace(bytes, visit(index, i))
    if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
  }
}
