/** Tracked tables (reference/metadata-operations#tables). */
import {
  childrenOf,
  findObject,
  isDefaultConfiguration,
  type Json,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  setApolloFederationConfigArgs,
  setTableCustomFieldsArgs,
  setTableCustomizationArgs,
  setTableIsEnumArgs,
  type TableConfiguration,
  type TrackTableArgs,
  tableAddress,
  tableText,
  trackTableArgs,
  trackTableVersion1Args,
  type UntrackTableArgs,
  untrackTableArgs,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withNew, withValue } from '../change-object.ts'
import { dropWithDependents } from '../drop-dependents.ts'
import { namedTable, requireReady, requireSource, requireTable, type TableArgs, withoutAbsent } from '../find-table.ts'
import { type Applied, defineOperation, defineSourceOperation, type SourceOperation } from '../operation.ts'
import type { OperationContext } from '../operation-context.ts'

/**
 * Tracks a table. Throws already-tracked, not-supported when a function has the name, and what a
 * configuration of unknown columns throws; a table the database lacks becomes inconsistent.
 */
export function track(
  document: MetadataDocument,
  args: TrackTableArgs,
  path: Path,
  context: OperationContext,
): Applied {
  const source = requireSource(document, args.source, path, path.at('source'))
  requireReady(args.source, path, context)
  const at = tableAddress(args.source, args.table)
  const text = tableText(args.table)
  if (findObject(document, at)) throw path.error('already-tracked', `view/table already tracked: "${text}"`, 'table')
  if (childrenOf(source, 'function').has(ownKey('function', { function: args.table })))
    throw path.error('not-supported', `function with name "${text}" already exists`, 'table')
  if (args.configuration) checkConfiguration(args.configuration, args, at, path, context)
  refuseConstraintNames(args, at, path, context)
  const { source: _, ...value } = args
  return withNew(document, at, value)
}

/**
 * Throws validation-failed for a key whose name cannot stand in GraphQL's enum of constraints. In a
 * document such a table is served without that value.
 */
function refuseConstraintNames(
  args: Pick<TrackTableArgs, 'source' | 'table' | 'configuration'>,
  table: ObjectAddress,
  path: Path,
  context: OperationContext,
): void {
  // without a name of its own in GraphQL the table has no such enum
  if (!graphqlName.test(args.configuration?.custom_name ?? String(args.table.name))) return
  const names = context.table(args.source, table)?.constraints.filter((name) => !graphqlName.test(name)) ?? []
  const [name] = names
  if (name === undefined) return
  const proposed = name.replace(/[^_0-9A-Za-z]/g, '_').replace(/^(?=[0-9])/, '_')
  const { schema, name: called } = args.table
  const sql = `ALTER TABLE ${quoted(schema)}.${quoted(called)} RENAME CONSTRAINT ${quoted(name)} TO ${proposed}`
  throw path.error(
    'validation-failed',
    `cannot include the constraint "${name}" of table "${tableText(args.table)}" in the GraphQL schema because it is not a valid GraphQL identifier: rename it, for example with ${sql}`,
    'table',
  )
}

const graphqlName = /^[_A-Za-z][_0-9A-Za-z]*$/

const quoted = (name: unknown) => `"${String(name).replaceAll('"', '""')}"`

/** Untracks a table and removes everything below it. Throws already-untracked, dependency-error. */
export function untrack(
  document: MetadataDocument,
  args: UntrackTableArgs,
  path: Path,
  context: OperationContext,
): Applied {
  requireSource(document, args.source, path, path.at('source'))
  const at = tableAddress(args.source, args.table)
  if (!findObject(document, at))
    throw path.error('already-untracked', `view/table already untracked: "${tableText(args.table)}"`, 'table')
  return dropWithDependents(document, { object: at, cascade: args.cascade, path, at: path.at('table') }, context)
}

/**
 * Columns that are not there, and two columns under one name. Throws not-exists, already-exists
 * (reference/metadata-operations#tables).
 */
function checkConfiguration(
  configuration: TableConfiguration,
  { source }: TableArgs,
  table: ObjectAddress,
  path: Path,
  context: OperationContext,
): void {
  const known = context.table(source, table)
  if (!known) return
  const configured = configuration.column_config
  const at = path.at('configuration', 'column_config')
  for (const column of Object.keys(configured))
    if (!known.columns.includes(column))
      throw new ApiError(
        'not-exists',
        path,
        `configuration was given for the column "${column}", but no such column exists`,
        { at: at.at(column) },
      )
  const byField = new Map<string, string>()
  for (const column of known.columns) {
    const field = (Object.hasOwn(configured, column) ? configured[column]?.custom_name : undefined) ?? column
    const other = byField.get(field)
    if (other !== undefined)
      throw new ApiError(
        'already-exists',
        path,
        `the columns "${other}" and "${column}" have the same field name "${field}"`,
        { at: at.at(Object.hasOwn(configured, column) ? column : other) },
      )
    byField.set(field, column)
  }
}

function customize(
  document: MetadataDocument,
  args: TableArgs,
  configuration: TableConfiguration,
  path: Path,
  context: OperationContext,
): Applied {
  const { address, object } = requireTable(document, args, path)
  requireReady(args.source, path, context)
  checkConfiguration(configuration, args, address, path, context)
  const value = withoutAbsent({
    ...object.value,
    configuration: isDefaultConfiguration(configuration) ? undefined : configuration,
  })
  return withValue(document, address, value)
}

/** Sets a key of a table's value, or removes it (undefined). not-exists. */
function setKey(
  document: MetadataDocument,
  args: TableArgs,
  key: Readonly<Record<string, Json | undefined>>,
  path: Path,
  context: OperationContext,
): Applied {
  const { address, object } = requireTable(document, args, path)
  requireReady(args.source, path, context)
  return withValue(document, address, withoutAbsent({ ...object.value, ...key }))
}

const trackTable = defineSourceOperation({
  name: 'track_table',
  args: ({ names }) => trackTableArgs(names.style),
  check: 'object',
  rereads: namedTable,
  tracks: ({ source, table }) => [tableAddress(source, table)],
  apply: track,
})

/**
 * track_table of /v1/query, version 1: the table itself, or `{table, is_enum}`
 * (reference/metadata-document#both-spellings).
 */
export const trackTableVersion1 = defineOperation({
  type: 'track_table',
  args: trackTableVersion1Args,
  check: 'object',
  rereads: namedTable,
  tracks: ({ source, table }) => [tableAddress(source, table)],
  apply: track,
})

const untrackTable = defineSourceOperation({
  name: 'untrack_table',
  args: ({ names }) => untrackTableArgs(names.style),
  check: 'no-new',
  mentions: namedTable,
  drops: ({ source, table }) => [tableAddress(source, table)],
  apply: untrack,
})

/** set_table_customization: replaces the whole configuration. not-exists, already-exists. */
const setTableCustomization = defineSourceOperation({
  name: 'set_table_customization',
  args: ({ names }) => setTableCustomizationArgs(names.style),
  check: 'object',
  rereads: namedTable,
  apply: (document, args, path, context) => customize(document, args, args.configuration, path, context),
})

/** set_table_custom_fields: replaces names of root fields and columns, keeps name and comments. */
const setTableCustomFields = defineSourceOperation({
  name: 'set_table_custom_fields',
  args: ({ names }) => setTableCustomFieldsArgs(names.style),
  check: 'object',
  rereads: namedTable,
  apply(document, args, path, context) {
    const { object } = requireTable(document, args, path)
    const { custom_root_fields, column_config, custom_column_names } = args
    const { comment, custom_name } = (object.value.configuration ?? {}) as Partial<TableConfiguration>
    // in the order of an export
    const configuration = {
      column_config,
      ...(comment !== undefined && { comment }),
      custom_column_names,
      ...(custom_name !== undefined && { custom_name }),
      custom_root_fields,
    }
    return customize(document, args, configuration, path, context)
  },
})

/** set_table_is_enum: what rows a table must have to be an enum is reference/database-objects#enum-tables. not-exists. */
const setTableIsEnum = defineSourceOperation({
  name: 'set_table_is_enum',
  args: ({ names }) => setTableIsEnumArgs(names.style),
  check: 'object',
  rereads: namedTable,
  apply: (document, { is_enum, ...args }, path, context) =>
    setKey(document, args, { is_enum: is_enum ? true : undefined }, path, context),
})

/** set_apollo_federation_config: makes a table an entity, or none (reference/metadata-operations#tables). not-exists. */
const setApolloFederationConfig = defineSourceOperation({
  name: 'set_apollo_federation_config',
  args: ({ names }) => setApolloFederationConfigArgs(names.style),
  check: 'object',
  rereads: namedTable,
  apply: (document, { apollo_federation_config, ...args }, path, context) =>
    setKey(document, args, { apollo_federation_config }, path, context),
})

export const tableOperations: readonly SourceOperation[] = [
  trackTable,
  untrackTable,
  setTableCustomization,
  setTableCustomFields,
  setTableIsEnum,
  setApolloFederationConfig,
]
