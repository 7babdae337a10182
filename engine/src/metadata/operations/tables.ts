/**
 * track_tables and untrack_tables: what can be done is done, the rest is reported
 * (reference/metadata-operations#tables).
 */
import {
  addressText,
  type MetadataDocument,
  type ObjectAddress,
  type TrackTablesArgs,
  tableAddress,
  tableText,
  trackTablesArgs,
  type UntrackTablesArgs,
  untrackTablesArgs,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import type { TableArgs } from '../find-table.ts'
import {
  type Applied,
  defineSourceOperation,
  type NamedSource,
  type SourceOperation,
  type TablesOfSource,
  type Warning,
} from '../operation.ts'
import { track, untrack } from './table.ts'

type TablesArgs = TrackTablesArgs | UntrackTablesArgs

function tablesOf({ tables }: TablesArgs): readonly TablesOfSource[] {
  const sources = [...new Set(tables.map(({ source }) => source))]
  return sources.map((source) => ({
    source,
    tables: tables.filter((table) => table.source === source).map(({ table }) => table),
  }))
}

/** Of the members. */
const sources = ({ tables }: TablesArgs, path: Path): readonly NamedSource[] =>
  tables.map(({ source: name }, i) => ({ name, at: path.at('tables', i, 'source') }))

const addressOf = ({ source, table }: TableArgs): ObjectAddress => tableAddress(source, table)

function refuseDuplicates({ tables }: TablesArgs, path: Path): void {
  const seen = new Set<string>()
  tables.forEach((args, i) => {
    const text = addressText(addressOf(args))
    if (seen.has(text))
      throw new ApiError(
        'bad-request',
        path.at('tables'),
        `The following tables occur more than once in the request: ${tableText(args.table)}`,
        { at: path.at('tables', i) },
      )
    seen.add(text)
  })
}

/** Each member by itself: one that throws is a warning. Throws invalid-configuration when all do. */
function each<Args extends TableArgs>(
  document: MetadataDocument,
  members: readonly Args[],
  path: Path,
  failed: { readonly code: string; readonly all: string },
  apply: (document: MetadataDocument, args: Args, path: Path) => Applied,
): Applied {
  const touched: ObjectAddress[] = []
  const warnings: Warning[] = []
  let rest = document
  members.forEach((args, i) => {
    try {
      const applied = apply(rest, args, path.at('tables', i))
      rest = applied.document
      touched.push(...applied.touched)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      warnings.push(warning(failed.code, args, error.message))
    }
  })
  if (warnings.length > 0 && warnings.length === members.length)
    throw new ApiError('invalid-configuration', path, failed.all, { internal: warnings })
  return { document: rest, touched, warnings }
}

const warning = (code: string, { source, table }: TableArgs, message: string): Warning => ({
  code,
  type: 'table',
  name: `table ${tableText(table)} in source ${source}`,
  message,
})

const trackFailed = { code: 'track-table-failed', all: 'all tables failed to track' }
const untrackFailed = { code: 'untrack-table-failed', all: 'all tables failed to untrack' }

const trackTables = defineSourceOperation({
  name: 'track_tables',
  args: ({ names }) => trackTablesArgs(names.style),
  check: 'each',
  sources,
  rereads: tablesOf,
  tracks: ({ tables }) => tables.map(addressOf),
  apply(document, args, path, context) {
    refuseDuplicates(args, path)
    return each(document, args.tables, path, trackFailed, (rest, member, at) => track(rest, member, at, context))
  },
  wording: (args) => ({
    allowWarnings: args.allow_warnings,
    allFailed: trackFailed.all,
    warning(address, reason) {
      const member = args.tables.find((table) => addressText(addressOf(table)) === addressText(address))
      return warning(trackFailed.code, member ?? { source: '', table: {} }, reason)
    },
  }),
})

const untrackTables = defineSourceOperation({
  name: 'untrack_tables',
  args: ({ names }) => untrackTablesArgs(names.style),
  check: 'each',
  sources,
  mentions: tablesOf,
  drops: ({ tables }) => tables.map(addressOf),
  apply(document, args, path, context) {
    refuseDuplicates(args, path)
    return each(document, args.tables, path, untrackFailed, (rest, member, at) => untrack(rest, member, at, context))
  },
  wording: (args) => ({
    allowWarnings: args.allow_warnings,
    allFailed: untrackFailed.all,
    warning(address, reason) {
      const member = args.tables.find((table) => addressText(addressOf(table)) === addressText(address))
      return warning(untrackFailed.code, member ?? { source: '', table: {} }, reason)
    },
  }),
})

export const tablesOperations: readonly SourceOperation[] = [trackTables, untrackTables]
