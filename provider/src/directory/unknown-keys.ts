import { readFile } from 'node:fs/promises'
import { meantKey, meantWord } from '@svc/schema'
import { isCollection, isNode, isPair, LineCounter, parseDocument } from 'yaml'
import { shown } from './unused-files.ts'

/** A key that metadata does not know, where it stands in the files. */
export interface UnknownKey {
  /** As metadata has it: sources.0.acitons. */
  readonly path: string
  /** With the file and, where it is found, the line. */
  readonly place: string
  /** The key that was probably meant. */
  readonly meant: string | null
}

/** Where a value stands that metadata has at a path. */
export interface Place {
  /** Null where it is not known. */
  readonly file: string | null
  /** Its path inside that file. */
  readonly inside: readonly (string | number)[]
}

/** Finds the keys at the end of paths in their files. */
export async function placeUnknownKeys(
  keys: readonly KeyAt[],
  placeOf: (path: KeyAt['path']) => Place,
): Promise<readonly UnknownKey[]> {
  const texts = new Map<string, string>()
  const found: UnknownKey[] = []
  for (const { path, known } of keys) {
    const { file, inside } = placeOf(path)
    const text = file === null ? '' : (texts.get(file) ?? (await readFile(file, 'utf8').catch(() => '')))
    if (file !== null) texts.set(file, text)
    const line = lineOf(text, inside)
    const place = file === null ? '' : shown(file)
    found.push({
      path: (known ? inside : path).join('.'),
      meant: known ? meantWord(String(path.at(-1)), known) : meantKey(path),
      place: line === null ? place : `${place}:${line}`,
    })
  }
  return found
}

interface KeyAt {
  readonly path: readonly (string | number)[]
  /** The keys that the object may have; without, those of where it stands. */
  readonly known?: readonly string[]
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
