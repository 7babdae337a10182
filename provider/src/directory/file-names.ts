import { isRecord, type Json, type JsonObject } from '@svc/schema'

/** The parts of a table's or function's name that make up its file's: schema (or dataset) and name. */
export function namePartsOf(name: Json): readonly string[] {
  if (isRecord(name)) {
    const { schema, dataset, name: own } = name as JsonObject
    if (own !== undefined) return [schema ?? dataset, own].filter((part) => part !== undefined).map(String)
    return [JSON.stringify(name)]
  }
  return Array.isArray(name) ? name.map(String) : [String(name)]
}

/**
 * A file name (without ending) for each of several names, in their order: `schema_name`, no two alike even where
 * upper and lower case are the same. Characters no file system likes are percent-encoded; of names that still
 * collide (`a_b`.`c` and `a`.`b_c`, or `A` and `a`) every unusual character is.
 */
export function fileNames(names: readonly (readonly string[])[]): readonly string[] {
  const plain = names.map((parts) => parts.map(encodeUnsafe).join('_'))
  const uses = new Map<string, number>()
  for (const name of plain) uses.set(folded(name), (uses.get(folded(name)) ?? 0) + 1)
  return names.map((parts, i) => {
    const name = plain[i] ?? ''
    return (uses.get(folded(name)) ?? 0) > 1 ? parts.map(encodeUnusual).join('_') : name
  })
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()

// control characters, the separators of any system, what Windows refuses, and the percent sign itself
const unsafe = /[\p{Cc}/\\%:*?"<>|]|^\./gu

const encodeUnsafe = (part: string) => part.replace(unsafe, percent)
const encodeUnusual = (part: string) => part.replace(/[^a-z0-9.-]|^\./gu, percent)

function percent(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}
