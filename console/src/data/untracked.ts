import type { Client } from '../engine/client.ts'
import { prefixOf, type Source, shownTable, type TableName } from '../engine/metadata.ts'

/** Tables of a source's database that nothing declares. Throws EngineError. */
export async function readUntracked(client: Client, { name, kind, tables }: Source): Promise<readonly TableName[]> {
  const found = await client.read<readonly TableName[]>(`${prefixOf(kind)}_get_source_tables`, { source: name })
  const tracked = new Set(tables?.map(({ table }) => shownTable(table)))
  return found.filter((table) => !tracked.has(shownTable(table)))
}
