import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { checkJson, placeIn, type Range, type Reading, readMembers, skipValue } from '../json-bytes/index.ts'
import { refuseDeep } from '../remote-schemas/index.ts'

/**
 * Returns where the members of a GraphQL answer are. An object of data is read by `readData`, which is passed where it
 * begins and returns where it ends: an answer is walked through once. Throws remote-schema-error for what is not JSON
 * (reference/remote-schemas#requests-to-remotes).
 */
export function readAnswer(
  bytes: Buffer,
  readData: (start: number) => number,
): { readonly data: Range | null; readonly errors: unknown } {
  let data: Range | null = null
  let found: Range | null = null
  const readMember = (key: string, start: number): number => {
    const end = key === 'data' && bytes[start] === openBrace ? readData(start) : skipValue(bytes, start)
    if (key === 'data') data = { start, end }
    if (key === 'errors') found = { start, end }
    return end
  }
  try {
    checkJson(bytes, (at) => (bytes[at] === openBrace ? readMembers(bytes, at, readMember) : skipValue(bytes, at)))
    const errors = found && parseExactly(text(bytes, found))
    refuseDeep(errors)
    return { data, errors: errors ?? undefined }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ApiError('remote-schema-error', Path.root, 'the remote schema did not answer with JSON', {
      internal: cause.message.slice(0, 200),
      cause,
    })
  }
}

const openBrace = 0x7b

export const isObject = (bytes: Buffer, { start }: Range): boolean => bytes[start] === openBrace

const text = (bytes: Buffer, { start, end }: Range): string => bytes.toString('utf8', start, end)

/** Which remote schema answered, and to which query. */
export interface Asked {
  readonly remote: string
  /** Of the field in the client's document. */
  readonly path: Path
  /** Fields that lead to the value and are not in the client's document. */
  readonly hidden: number
}

/** Throws remote-schema-error where a value is not what the remote schema's own schema promises (docs/remote-schemas.md). */
export function refuseUnexpected({ bytes, problem }: Reading, start: number, { remote, path, hidden }: Asked): void {
  if (!problem) return
  const { at, expected, missing } = problem
  const inside = [...placeIn(bytes, start, at), ...(missing === null ? [] : [missing])]
  const place = [...path.response, ...inside.slice(hidden)].join('.')
  const said = missing === null ? `with ${nameOf(bytes, at, expected.kind === 'word')}` : 'without a member'
  const promised = missing === null ? `${expected.type}` : `a member "${missing}" of ${expected.type}`
  throw new ApiError(
    'remote-schema-error',
    path,
    `the remote schema ${JSON.stringify(remote)} answered ${said} at ${JSON.stringify(place)}, where its schema has ${promised}`,
  )
}

/** What kind of value stands there: its contents are no one's but the client's. */
function nameOf(bytes: Buffer, at: number, isWord: boolean): string {
  switch (bytes[at]) {
    case 0x6e:
      return 'null'
    case 0x22:
      return isWord ? 'another value' : 'a string'
    case 0x7b:
      return 'an object'
    case 0x5b:
      return 'a list'
    case 0x74:
    case 0x66:
      return 'a boolean'
    case undefined:
      return 'nothing'
  }
  return 'a number'
}

/** Returns the bytes of a value, with the parts that are passed on as something else. */
export function passedOn({ bytes, replaced }: Reading, { start, end }: Range): Buffer {
  const parts: Uint8Array[] = []
  let from = start
  for (let i = firstFrom(replaced, start); i < replaced.length; i++) {
    const one = replaced[i]
    if (!one || one.end > end) break
    parts.push(bytes.subarray(from, one.start), one.by)
    from = one.end
  }
  if (parts.length === 0) return bytes.subarray(start, end)
  return Buffer.concat([...parts, bytes.subarray(from, end)])
}

/** The first that begins at `at` or behind it. */
function firstFrom(replaced: Reading['replaced'], at: number): number {
  let low = 0
  let high = replaced.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((replaced[middle]?.start ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
