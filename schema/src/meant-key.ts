import { childTypesOf, type ObjectType, objectKinds } from './object-kinds.ts'
import { sourceKeys, tableKeys } from './own-part.ts'

const topKeys = ['version', ...listsOf(null)]
const inSource = [...sourceKeys, ...listsOf('source')]
const inTable = [...tableKeys, ...listsOf('table')]

/** By where it stands: at the top, in a source, in a table. */
const keysAt = (path: readonly (string | number)[]): readonly string[] =>
  path.length === 1 ? topKeys : path.includes('tables') ? inTable : inSource

function listsOf(type: ObjectType | null): readonly string[] {
  return childTypesOf(type).map((child) => objectKinds[child].list)
}

/** The key that one which the format does not know may be meant for; `path` as `readMetadata` reports it. */
export function meantKey(path: readonly (string | number)[]): string | null {
  const key = String(path.at(-1))
  return meantWord(key, keysAt(path))
}

/** Of some words the one that another is probably meant for. */
export function meantWord(key: string, words: readonly string[]): string | null {
  const ranked = words
    .map((one) => ({ one, far: distance(key, one) }))
    .filter(({ far, one }) => far <= Math.ceil(one.length / 3))
    .toSorted((a, b) => a.far - b.far)
  return ranked[0]?.one ?? null
}

/** Letters to insert, remove, replace or exchange with their neighbour. */
function distance(a: string, b: string): number {
  const [left, right] = [a.toLowerCase().slice(0, 100), b.toLowerCase()]
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[right.length] ?? 0
}
