/** What an answer must be, as far as a query says so. */
export type Expected =
  | string
  | number
  | boolean
  | null
  | { readonly kind: 'object'; readonly members: readonly (readonly [as: string, value: Expected])[] }
  /** A list whose order is that of the groups; within a group nothing says what comes first. */
  | { readonly kind: 'list'; readonly groups: readonly (readonly Expected[])[] }
  /** Nothing says which. */
  | { readonly kind: 'one-of'; readonly of: readonly Expected[] }
  /** JSON of a column. */
  | { readonly kind: 'json'; readonly text: string }
  /** Perhaps computed by dividing; `text`: shown as a string. */
  | { readonly kind: 'number'; readonly number: number; readonly text: boolean }
  /** A cursor or a global id: JSON in base64, whose members have no order. */
  | { readonly kind: 'base64'; readonly of: Packed }

/** What a cursor holds. */
export type Packed = Expected | readonly Packed[] | ReadonlyMap<string, Packed>

/** Where an answer differs from what it must be; null: nowhere. */
export function difference(actual: unknown, expected: Expected, path = '$'): string | null {
  const differs = () => `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
  if (typeof expected !== 'object' || expected === null) return actual === expected ? null : differs()
  switch (expected.kind) {
    case 'object': {
      if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs()
      const keys = expected.members.map(([as]) => as)
      if (Object.keys(actual).join() !== keys.join()) return `${path}: keys ${Object.keys(actual)} instead of ${keys}`
      const members = actual as Readonly<Record<string, unknown>>
      return first(expected.members, ([as, value]) => difference(members[as], value, `${path}.${as}`))
    }
    case 'list': {
      const length = expected.groups.reduce((sum, group) => sum + group.length, 0)
      if (!Array.isArray(actual)) return differs()
      if (actual.length !== length)
        return `${path}: ${actual.length} rows instead of ${length}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected.groups)}`
      let start = 0
      for (const group of expected.groups) {
        const found = unmatched(actual.slice(start, start + group.length), group, `${path}[${start}]`)
        if (found) return found
        start += group.length
      }
      return null
    }
    case 'one-of':
      return expected.of.some((one) => difference(actual, one, path) === null) ? null : differs()
    case 'json':
      return canonicalJson(actual) === expected.text ? null : differs()
    case 'number':
      return typeof actual === (expected.text ? 'string' : 'number') && isClose(Number(actual), expected.number)
        ? null
        : differs()
    case 'base64': {
      const json = typeof actual === 'string' ? unpacked(actual) : undefined
      return json === undefined ? differs() : packedDifference(json, expected.of, `${path}.decoded`)
    }
  }
}

function unpacked(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

function packedDifference(actual: unknown, expected: Packed, path: string): string | null {
  if (expected instanceof Map) {
    const members = (typeof actual === 'object' ? actual : null) as Readonly<Record<string, unknown>> | null
    const keys = [...expected.keys()].toSorted().join()
    if (!members || Object.keys(members).toSorted().join() !== keys)
      return `${path}: ${JSON.stringify(actual)} instead of keys ${keys}`
    return first([...expected], ([key, value]) => packedDifference(members[key], value, `${path}.${key}`))
  }
  if (isList(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
    return first([...expected.entries()], ([i, value]) => packedDifference(actual[i], value, `${path}[${i}]`))
  }
  return difference(actual, expected as Expected, path)
}

const isList = (packed: Packed): packed is readonly Packed[] => Array.isArray(packed)

function unmatched(actual: readonly unknown[], group: readonly Expected[], path: string): string | null {
  const [only] = group
  if (group.length === 1 && only !== undefined) return difference(actual[0], only, path)
  const left = [...actual]
  for (const expected of group) {
    const at = left.findIndex((one) => difference(one, expected, path) === null)
    if (at < 0) return `${path}: no row ${JSON.stringify(expected)} among ${JSON.stringify(left)}`
    left.splice(at, 1)
  }
  return null
}

function first<T>(items: readonly T[], find: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

const canonicalJson = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)
