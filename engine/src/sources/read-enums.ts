import { equalJson } from '@svc/schema'
import type { EnumValues, Introspection, SourceConnection } from '../backends/index.ts'
import type { SourceEnums } from './source-state.ts'

/** The same marks with some of them (by own key) read again; the same reference when their values are unchanged. */
export async function readEnums(
  enums: SourceEnums,
  keys: Iterable<string>,
  { tables }: Introspection,
  connection: Pick<SourceConnection, 'readEnum'>,
): Promise<SourceEnums> {
  const next = new Map(enums)
  let changed = false
  for (const key of keys) {
    const table = tables.get(key)
    const values = (table && (await connection.readEnum?.(table))) ?? nothing
    const known = enums.get(key)
    if (known && equalJson(known, values)) continue
    next.set(key, values)
    changed = true
  }
  return changed ? next : enums
}

const nothing: EnumValues = { status: 'none' }

/** Marks of tables that were not read yet. */
export const unread = (keys: Iterable<string>): SourceEnums => new Map([...keys].map((key) => [key, nothing]))
