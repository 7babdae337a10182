import { isRecord, type JsonObject, kindOfSource, operationPrefix, recordOf, recordsIn, textsIn } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import type { Database, DatabaseFunction, DatabaseTable, ObjectName } from './database.ts'

/** What the database of a source has now, tracked or not, by name. `source` is its entry in metadata. Throws ClientError. */
export async function readDatabase(client: MetadataClient, source: JsonObject): Promise<Database> {
  const prefix = operationPrefix(kindOfSource(source))
  const { body } = await client.send({ type: `${prefix}_get_source_objects`, args: { source: source.name ?? null } })
  const { tables, functions } = recordOf(body)
  return {
    tables: recordsIn(tables).map(tableOf).filter(isUsers),
    functions: recordsIn(functions).map(functionOf).filter(isUsers),
  }
}

/** Of neither this command's migrations nor the reference's catalogue. */
const isUsers = ({ name }: { readonly name: ObjectName }): boolean =>
  name.schema !== 'svc_migrations' && name.schema !== 'hdb_catalog'

const tableOf = ({ name, type, columns, keys, foreign_keys }: JsonObject): DatabaseTable => ({
  name: recordOf(name),
  type: String(type).replace('-', ' '),
  columns: textsIn(columns),
  keys: Array.isArray(keys) ? keys.map(textsIn) : [],
  foreignKeys: recordsIn(foreign_keys).map(({ table, column_mapping }) => ({
    target: recordOf(table),
    columns: Object.entries(recordOf(column_mapping)).map(([from, to]) => [from, String(to)] as const),
  })),
})

const functionOf = ({ name, returns, computes_field_of }: JsonObject): DatabaseFunction => ({
  name: recordOf(name),
  returns: isRecord(returns) ? returns : null,
  rowOf: isRecord(computes_field_of) ? computes_field_of : null,
})
