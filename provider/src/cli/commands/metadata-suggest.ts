import { isRecord, type Json, type JsonObject, kindOfSource, operationPrefix } from '@svc/schema'
import { Command } from 'commander'
import type { MetadataClient } from '../../client/index.ts'
import { DirectoryError, printYaml } from '../../directory/index.ts'
import type { Run } from '../run-command.ts'
import { suggestTables, type TableInfo, tableName } from '../suggest-tables.ts'

interface SuggestFlags {
  readonly source: string
  readonly tables?: string
  readonly all?: boolean
}

/**
 * `svc metadata suggest`: the tables and views of a source's database, by name; of those that are chosen metadata as YAML, with
 * the relationships that their foreign keys make among them. Nothing is written.
 */
export function suggestCommand(run: Run): Command {
  const command = new Command('suggest')
    .description('list the tables of a database, or print metadata of those that are chosen')
    .option('--source <name>', 'the source whose database it is', 'default')
    .option('--tables <names>', 'print metadata of these, as they are listed, with commas')
    .option('--all', 'of all of them')
  return command.action((flags: SuggestFlags) =>
    run(command, async (context) => {
      const client = context.client()
      const tables = await readTables(client, flags.source)
      const chosen = flags.all ? tables : chosenOf(tables, flags.tables)
      if (chosen) return context.print(printYaml(suggestTables(chosen)).trimEnd())
      for (const table of tables)
        context.print(`${tableName(table.name)}${table.type === 'table' ? '' : `  ${table.type}`}`)
      context.note(
        'next: `svc metadata suggest --tables NAMES`, or --all, for the `tables` of metadata/databases/databases.yaml',
      )
    }),
  )
}

function chosenOf(tables: readonly TableInfo[], names: string | undefined): readonly TableInfo[] | null {
  if (names === undefined) return null
  return names.split(',').map((given) => {
    const name = given.trim()
    const found = tables.find((table) => tableName(table.name) === name || table.name.name === name)
    if (!found) throw new DirectoryError(`the database has no table ${name}: \`svc metadata suggest\` lists them`)
    return found
  })
}

async function readTables(client: MetadataClient, source: string): Promise<readonly TableInfo[]> {
  const { body: metadata } = await client.send({ type: 'export_metadata', args: {} })
  const sources = isRecord(metadata) && Array.isArray(metadata.sources) ? metadata.sources.filter(isRecord) : []
  const found = sources.find(({ name }) => name === source)
  if (!found) throw new DirectoryError(`the engine has no source ${source}`)
  const prefix = operationPrefix(kindOfSource(found))
  const { body: names } = await client.send({ type: `${prefix}_get_source_tables`, args: { source } })
  const read = (table: Json) => ({ type: `${prefix}_get_table_info`, args: { source, table } })
  const { body: infos } = await client.send({ type: 'bulk', args: (Array.isArray(names) ? names : []).map(read) })
  return (Array.isArray(infos) ? infos.filter(isRecord) : []).map(infoOf)
}

const infoOf = ({ name, type, columns, primary_key, foreign_keys }: JsonObject): TableInfo => ({
  name: isRecord(name) ? name : {},
  type: String(type),
  columns: (Array.isArray(columns) ? columns.filter(isRecord) : []).map((column) => String(column.name)),
  primaryKey: Array.isArray(primary_key) ? primary_key.map(String) : [],
  foreignKeys: Object.values(isRecord(foreign_keys) ? foreign_keys : {})
    .filter(isRecord)
    .map(({ foreign_table, column_mapping }) => ({
      target: isRecord(foreign_table) ? foreign_table : {},
      columns: Object.keys(isRecord(column_mapping) ? column_mapping : {}),
    })),
})
