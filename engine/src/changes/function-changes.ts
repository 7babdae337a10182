import {
  address,
  childrenOf,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  ownKey,
  sourceAddress,
  tableText,
} from '@svc/schema'
import type { DatabaseFunction } from '../backends/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { SourceFunctions } from '../sources/index.ts'

/** The functions that metadata names of a source, before and after SQL. */
interface FunctionChange {
  readonly source: string
  readonly before: SourceFunctions
  readonly after: SourceFunctions
}

/** The computed fields of a source whose function (known by its identity) is no longer there by its name. */
export const lostComputedFields = (document: MetadataDocument, change: FunctionChange): readonly ObjectAddress[] =>
  change.before === change.after
    ? []
    : fieldsOf(document, change.source).flatMap(({ at, own }) => (isLost(own, change) ? [at] : []))

/** The tracked functions of a source that are no longer there by their name. */
export const lostFunctions = (document: MetadataDocument, change: FunctionChange): readonly ObjectAddress[] =>
  change.before === change.after ? [] : trackedIn(document, change.source).filter(({ own }) => isLost(own, change))

function isLost(own: string, { before, after }: FunctionChange): boolean {
  const known = onlyOne(before, own)
  return known !== undefined && !after.get(own)?.overloads.some(({ oid }) => oid === known.oid)
}

const trackedIn = (document: MetadataDocument, source: string): readonly ObjectAddress[] => {
  const above = sourceAddress(source)
  const object = findObject(document, above)
  return object ? [...childrenOf(object, 'function').keys()].map((own) => address('function', own, above)) : []
}

/**
 * Throws not-supported for a tracked function, or one of a computed field, that SQL made volatile or overloaded
 * (reference/metadata-operations#sql).
 */
export function refuseAlteredFunctions(document: MetadataDocument, change: FunctionChange, path: Path): void {
  const { source, before, after } = change
  if (before === after) return
  refuseAlteredTracked(document, change, path)
  for (const { own, object, table } of fieldsOf(document, source)) {
    const known = onlyOne(before, own)
    const now = after.get(own)?.overloads ?? []
    const { name, definition } = object.value
    const called = tableText((definition as JsonObject).function ?? null)
    if (known && now.length > 1)
      throw new ApiError(
        'not-supported',
        path,
        `The function "${called}" associated with computed field"${String(name)}" of table "${table}" is being overloaded`,
      )
    if (known && known.volatility !== 'volatile' && now[0]?.volatility === 'volatile')
      throw new ApiError(
        'not-supported',
        path,
        `The type of function "${called}" associated with computed field "${String(name)}" of table "${table}" is being altered to "VOLATILE"`,
      )
  }
}

function refuseAlteredTracked(document: MetadataDocument, { source, before, after }: FunctionChange, path: Path): void {
  const still = trackedIn(document, source).filter(({ own }) => onlyOne(before, own))
  const textOf = (at: ObjectAddress) => `"${tableText(findObject(document, at)?.value.function ?? null)}"`
  const overloaded = still.filter(({ own }) => (after.get(own)?.overloads.length ?? 0) > 1)
  if (overloaded.length > 0)
    throw new ApiError(
      'not-supported',
      path,
      `the following tracked function(s) cannot be overloaded: ${overloaded.map(textOf).join(', ')}`,
    )
  for (const at of still)
    if (
      onlyOne(before, at.own)?.volatility !== 'volatile' &&
      after.get(at.own)?.overloads[0]?.volatility === 'volatile'
    )
      throw new ApiError(
        'not-supported',
        path,
        `type of function ${textOf(at)} is altered to "VOLATILE" which is not supported now`,
      )
}

interface Field {
  readonly at: ObjectAddress
  readonly object: MetadataObject
  /** Of the function. */
  readonly own: string
  readonly table: string
}

function fieldsOf(document: MetadataDocument, source: string): readonly Field[] {
  const above = sourceAddress(source)
  const tables = childrenOf(findObject(document, above) ?? { children: {} }, 'table')
  return [...tables].flatMap(([ownTable, table]) =>
    [...childrenOf(table, 'computed_field')].map(([ownField, object]) => ({
      at: address('computed_field', ownField, address('table', ownTable, above)),
      object,
      own: ownKey('function', { function: (object.value.definition as JsonObject).function ?? null }),
      table: tableText(table.value.table ?? null),
    })),
  )
}

/** Of a name that stands for several functions no computed field was made. */
function onlyOne(functions: SourceFunctions, own: string): DatabaseFunction | undefined {
  const overloads = functions.get(own)?.overloads ?? []
  return overloads.length === 1 ? overloads[0] : undefined
}
