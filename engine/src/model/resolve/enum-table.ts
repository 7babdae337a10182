import { childrenOf, type MetadataObject, type TableConfiguration } from '@svc/schema'
import type { DatabaseTable, EnumValue, EnumValues } from '../../backends/index.ts'
import type { ReadySource, SourceState } from '../../sources/index.ts'
import { generatedType, type SourceNaming } from '../naming/source-naming.ts'
import type { ResolvedEnum } from '../resolved-rows.ts'
import { quotedTable, tableOwn } from '../table-id.ts'
import { baseNameOf, isGraphqlName } from './graphql-name.ts'
import { databaseError, type ResolutionError, reasonText } from './resolution-error.ts'
import { refuseUnsupported } from './unsupported.ts'

/** A table's part in enums: the one it is itself, and those that its columns refer to, by column name. */
export interface TableEnums {
  readonly own: ResolvedEnum | null
  readonly ofColumns: ReadonlyMap<string, ResolvedEnum>
}

export const noEnums: TableEnums = { own: null, ofColumns: new Map() }

/**
 * The enums of a tracked table (reference/database-objects#enum-tables). Throws a ResolutionError when it is marked as
 * an enum and cannot be one, or when one of its columns refers to two enum tables. Reads only the document and the
 * databases, so that it does not matter in which order tables are resolved.
 */
export function enumsOf(
  source: MetadataObject,
  state: ReadySource,
  own: string,
  table: DatabaseTable,
  naming: SourceNaming,
): TableEnums {
  if (state.enums.size === 0 && !isMarked(source, own)) return noEnums
  if (isMarked(source, own)) {
    refuseUnsupported(source, state, 'enums')
    requireEnum(state, own, table, naming)
  }
  return { own: enumOf(source, state, own, naming), ofColumns: enumsOfColumns(source, state, table, naming) }
}

const isMarked = (source: MetadataObject, own: string): boolean =>
  childrenOf(source, 'table').get(own)?.value.is_enum === true

/** The enum that a table of a source is; null where it is none, or is marked as one and cannot be. */
export function enumOf(
  source: MetadataObject,
  state: SourceState | undefined,
  own: string,
  naming: SourceNaming,
): ResolvedEnum | null {
  const object = childrenOf(source, 'table').get(own)
  if (state?.status !== 'ready' || object?.value.is_enum !== true) return null
  const table = state.introspection.tables.get(own)
  const values = state.enums.get(own)
  if (!table || values?.status !== 'read' || problems(state, table, values, naming).length > 0) return null
  const configuration = object.value.configuration as Partial<TableConfiguration> | undefined
  const baseName = baseNameOf(configuration?.custom_name, table.table, state.backend.types.names)
  return baseName === null ? null : shared(generatedType(naming, baseName, 'enum'), values, naming)
}

const isInCapitals = ({ convention }: SourceNaming): boolean => convention === 'graphql-default'

/** One object for all columns that refer to it, as long as the values are the same. */
const made = new WeakMap<EnumValues, ResolvedEnum>()

function shared(name: string, of: EnumValues & { readonly status: 'read' }, naming: SourceNaming): ResolvedEnum {
  const capitals = isInCapitals(naming)
  const known = made.get(of)
  if (known?.name === name && (known.stored !== null) === capitals) return known
  const now: ResolvedEnum = capitals ? inCapitals(name, of.values) : { name, values: of.values, stored: null }
  made.set(of, now)
  return now
}

function inCapitals(name: string, values: readonly EnumValue[]): ResolvedEnum {
  const shown = values.map((value) => ({ ...value, name: value.name.toUpperCase() }))
  return {
    name,
    values: shown.sort((a, b) => (a.name < b.name ? -1 : 1)),
    stored: Object.fromEntries(values.map((value) => [value.name.toUpperCase(), value.name])),
  }
}

function requireEnum(state: ReadySource, own: string, table: DatabaseTable, naming: SourceNaming): void {
  const reasons = problems(state, table, state.enums.get(own), naming)
  if (reasons.length === 0) return
  const text = `the table ${quotedTable(table.table)} cannot be used as an enum ${reasonText(reasons)}`
  throw databaseError(text, ['is_enum'])
}

function problems(
  state: ReadySource,
  table: DatabaseTable,
  values: EnumValues | undefined,
  naming: SourceNaming,
): readonly string[] {
  const shape = state.backend.enumShape?.(table)
  if (!shape) return ['its kind of database has no enum tables']
  if (!shape.ok) return shape.reasons
  // in the middle of an atomic bulk; checked when its end state is
  if (values === undefined) return []
  if (values.status !== 'read') return [values.status === 'failed' ? values.reason : 'its values were not read']
  if (values.values.length === 0) return ['the table must have at least one row']
  const names = values.values.map(({ name }) => name)
  const invalid = names.filter((name) => !isEnumValueName(name))
  if (invalid.length > 0) return [invalidNames(invalid)]
  return isInCapitals(naming) ? sameInCapitals(names) : []
}

/** As graphql-default writes them; of two that are one then, a filter could mean only one. */
function sameInCapitals(names: readonly string[]): readonly string[] {
  const shown = new Map<string, string>()
  for (const name of names) {
    const other = shown.get(name.toUpperCase())
    if (other !== undefined) return [`the values "${other}" and "${name}" are the same in capitals`]
    shown.set(name.toUpperCase(), name)
  }
  return []
}

const isEnumValueName = (name: string): boolean => isGraphqlName(name) && !['true', 'false', 'null'].includes(name)

function invalidNames(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.at(-1) ?? ''
  if (quoted.length === 1) return `the value ${last} is not a valid GraphQL enum value name`
  const others = quoted.slice(0, -1).join(', ')
  return `the values ${others}${quoted.length > 2 ? ',' : ''} and ${last} are not valid GraphQL enum value names`
}

function enumsOfColumns(
  source: MetadataObject,
  state: ReadySource,
  table: DatabaseTable,
  naming: SourceNaming,
): ReadonlyMap<string, ResolvedEnum> {
  const found = new Map<string, { readonly target: DatabaseTable; readonly of: ResolvedEnum }>()
  for (const key of table.foreignKeys) {
    const [pair, ...others] = key.columns
    const own = tableOwn(key.target)
    const target = state.introspection.tables.get(own)
    if (!pair || others.length > 0 || !target || !isMarked(source, own)) continue
    // a key that refers to itself says nothing of its values
    if (target.primaryKey?.columns[0] !== pair.to || (target === table && pair.from === pair.to)) continue
    const of = enumOf(source, state, own, naming)
    if (!of) continue
    const other = found.get(pair.from)
    if (other && other.target !== target) throw twoEnums(table, pair.from, [other.target, target])
    found.set(pair.from, { target, of })
  }
  return found.size === 0 ? noEnums.ofColumns : new Map([...found].map(([column, { of }]) => [column, of]))
}

function twoEnums({ table }: DatabaseTable, column: string, enums: readonly DatabaseTable[]): ResolutionError {
  const names = enums.map((one) => quotedTable(one.table)).sort()
  return databaseError(
    `column "${column}" in table ${quotedTable(table)} references multiple enum tables (${names.join(', ')})`,
  )
}
