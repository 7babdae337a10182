import type { Engine } from '../engine.ts'
import type { Servers } from './servers.ts'
import { columns, type Database, databases, type Permission, type Relationship, type Table } from './tables.ts'

function definitionOf({ target, form, mapping }: Relationship): object {
  if (target.source !== 'remote')
    return {
      to_source: { source: target.source, table: { schema: 'public', name: target.name }, relationship_type: form, field_mapping: mapping }, // biome-ignore format: one line
    }
  const pairs = Object.entries(mapping)
  const field = form === 'object' ? target.name : `${target.name}s`
  return {
    to_remote_schema: {
      remote_schema: 'remote',
      lhs_fields: pairs.map(([from]) => from),
      remote_field: { [field]: { arguments: Object.fromEntries(pairs.map(([from, to]) => [to, `$${from}`])) } },
    },
  }
}

/** All relationships and permissions at once. */
export async function replace(
  engine: Engine,
  { otherUrl, remoteUrl, actionUrl }: Omit<Servers, 'close'> & { readonly otherUrl: string },
  tables: readonly Table[],
): Promise<void> {
  const relationshipsOf = (table: Table) =>
    table.relationships.map((one) => ({ name: one.name, definition: definitionOf(one) }))
  const sourceOf = (source: Database) => ({
    name: source,
    kind: 'postgres',
    configuration: { connection_info: { database_url: source === 'default' ? engine.databaseUrl : otherUrl } },
    tables: tables
      .filter((table) => table.source === source)
      .map((table) => ({
        table: { schema: 'public', name: table.name },
        remote_relationships: relationshipsOf(table),
        ...(table.permission && permissionsOf(table.permission)),
      })),
  })
  const fields = columns.map((name) => ({ name, type: name === 'id' ? 'Int!' : name === 't' ? 'String' : 'Int' }))
  const outputs = tables.filter(({ source }) => source === 'action')
  const full = {
    version: 3,
    sources: databases.map(sourceOf),
    remote_schemas: [
      {
        name: 'remote',
        definition: { url: remoteUrl },
        remote_relationships: tables
          .filter(({ source }) => source === 'remote')
          .map((table) => ({ type_name: table.name, relationships: relationshipsOf(table) })),
      },
    ],
    custom_types: {
      objects: outputs.map(({ name, relationships }) => ({
        name: `Output${name}`,
        fields,
        relationships: relationships.map(({ name: own, target, form, mapping }) => ({
          name: own,
          type: form,
          source: target.source,
          remote_table: { schema: 'public', name: target.name },
          field_mapping: mapping,
        })),
      })),
    },
    actions: outputs.map(({ name }) => ({
      name,
      definition: { kind: 'synchronous', type: 'query', arguments: [{ name: 'id', type: 'Int!' }], output_type: `Output${name}`, handler: actionUrl }, // biome-ignore format: one line
      permissions: [{ role: 'user' }],
    })),
  }
  for (const metadata of [{ version: 3, sources: [] }, full]) {
    const { status, text } = await engine.metadata('replace_metadata', metadata)
    if (status !== 200) throw new Error(text)
  }
}

const permissionsOf = ({ columns: shown, filter, aggregates, limit }: Permission) => ({
  select_permissions: [
    {
      role: 'user',
      permission: { columns: shown, filter, allow_aggregations: aggregates, ...(limit !== null && { limit }) },
    },
  ],
  update_permissions: [{ role: 'user', permission: { columns: ['b'], filter } }],
})
