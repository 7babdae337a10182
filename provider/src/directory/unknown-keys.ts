import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { meantKey } from '@svc/schema'
import { isCollection, isNode, isPair, LineCounter, parseDocument } from 'yaml'
import { databasesFile } from './files.ts'

/** A key that metadata does not know, where it stands in the files. */
export interface UnknownKey {
  /** As metadata has it: sources.0.acitons. */
  readonly path: string
  /** With the file and, where it is found, the line. */
  readonly place: string
  /** The key that was probably meant. */
  readonly meant: string | null
}

/** `keys`: paths in the metadata; those below sources are looked up in databases.yaml of a directory. */
export async function placeUnknownKeys(
  keys: readonly (readonly (string | number)[])[],
  path: string,
  isDirectory: boolean,
): Promise<readonly UnknownKey[]> {
  const file = isDirectory ? join(path, databasesFile) : path
  const shown = relative(process.cwd(), file) || file
  const text = keys.length === 0 ? '' : await readFile(file, 'utf8').catch(() => '')
  return keys.map((key) => {
    const inside = isDirectory && key[0] === 'sources' ? key.slice(1) : key
    const line = lineOf(text, inside)
    return { path: key.join('.'), meant: meantKey(key), place: line === null ? shown : `${shown}:${line}` }
  })
}

/** The line of a key, or of an item of a list; null where the text has none there. */
export function lineOf(text: string, inside: readonly (string | number)[]): number | null {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const within = inside.length > 1 ? document.getIn(inside.slice(0, -1), true) : document.contents
  if (!isCollection(within)) return null
  const last = inside.at(-1)
  if (typeof last === 'number') {
    const item = within.items[last]
    const range = isNode(item) ? item.range : undefined
    return range ? lines.linePos(range[0]).line : null
  }
  const pair = within.items.find((item) => isPair(item) && String(item.key) === last)
  const range = isPair(pair)
    ? (pair.key as { readonly range?: readonly [number, number, number] } | null)?.range
    : undefined
  return range ? lines.linePos(range[0]).line : null
}
