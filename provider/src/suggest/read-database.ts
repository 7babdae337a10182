import { isRecord, type Json, type JsonObject, kindOfSource, operationPrefix } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import type { Database, DatabaseFunction, DatabaseTable, ObjectName } from './database.ts'

/** What the database of a source has now, tracked or not, by name. `source` is its entry in metadata. Throws ClientError. */
export async function readDatabase(client: MetadataClient, source: JsonObject): Promise<Database> {
  const prefix = operationPrefix(kindOfSource(source))
  const { body } = await client.send({ type: `${prefix}_get_source_objects`, args: { source: source.name ?? null } })
  const { tables, functions } = isRecord(body) ? body : {}
  return {
    tables: recordsOf(tables).map(tableOf).filter(isUsers),
    functions: recordsOf(functions).map(functionOf).filter(isUsers),
  }
}

/** Of neither this command's migrations nor the reference's catalogue. */
const isUsers = ({ name }: { readonly name: ObjectName }): boolean =>
  name.schema !== 'svc_migrations' && name.schema !== 'hdb_catalog'

const recordsOf = (json: Json | undefined): readonly JsonObject[] => (Array.isArray(json) ? json.filter(isRecord) : [])

const recordOf = (json: Json | undefined): JsonObject => (isRecord(json) ? json : {})

const textsOf = (json: Json | undefined): readonly string[] => (Array.isArray(json) ? json.map(String) : [])

const tableOf = ({ name, type, columns, keys, foreign_keys }: JsonObject): DatabaseTable => ({
  name: recordOf(name),
  type: String(type).replace('-', ' '),
  columns: textsOf(columns),
  keys: Array.isArray(keys) ? keys.map(textsOf) : [],
  foreignKeys: recordsOf(foreign_keys).map(({ table, column_mapping }) => ({
    target: recordOf(table),
    columns: Object.entries(recordOf(column_mapping)).map(([from, to]) => [from, String(to)] as const),
  })),
})

const functionOf = ({ name, returns, computes_field_of }: JsonObject): DatabaseFunction => ({
  name: recordOf(name),
  returns: isRecord(returns) ? returns : null,
  rowOf: isRecord(computes_field_of) ? computes_field_of : null,
})
