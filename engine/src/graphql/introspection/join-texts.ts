import type { Pause } from './pause.ts'

/** A list that is too long to be printed at once. */
export interface LaterList {
  readonly texts: () => Iterable<string>
}

/** Stands in a printed text for such a list, or for that of all types. JSON holds no NUL. */
export const listMarker = (name: string): string => `\0${name}\0`

const chunk = 64_000

/**
 * A printed text with its lists in their places, as bytes, made piece by piece: 43 MB take 100 ms. `lists`: finished
 * ones by the name of their marker; `later`: by number.
 */
export async function joinTexts(
  text: string,
  lists: ReadonlyMap<string, readonly Buffer[]>,
  later: readonly LaterList[],
  pause: Pause,
): Promise<readonly Buffer[]> {
  const bytes: Buffer[] = []
  for (const [i, piece] of text.split('\0').entries()) {
    if (i % 2 === 0) {
      bytes.push(Buffer.from(piece))
      continue
    }
    const list = later[Number(piece)]
    bytes.push(openingBracket)
    if (list) await join(list, bytes, lists, later, pause)
    else for (const part of lists.get(piece) ?? []) bytes.push(part)
    bytes.push(closingBracket)
  }
  return bytes
}

const openingBracket = Buffer.from('[')
const closingBracket = Buffer.from(']')

async function join(
  list: LaterList,
  bytes: Buffer[],
  lists: ReadonlyMap<string, readonly Buffer[]>,
  later: readonly LaterList[],
  pause: Pause,
): Promise<void> {
  let part: string[] = []
  let size = 0
  let before = ''
  const flush = async () => {
    const joined = `${before}${part.join(',')}`
    for (const piece of await joinTexts(joined, lists, later, pause)) bytes.push(piece)
    part = []
    size = 0
    before = ','
  }
  for (const text of list.texts()) {
    part.push(text)
    size += text.length
    if (size >= chunk) await flush()
    await pause()
  }
  if (part.length > 0) await flush()
}
