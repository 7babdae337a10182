import {
  childrenOf,
  declaresCustomType,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
} from '@svc/schema'

/**
 * A plan checks a table that exists but is not tracked yet as if it were, with the default configuration
 * (docs/dry-run.md). In the plan's fork such a table carries this mark, by which it is left out of what the plan
 * reports.
 */
const mark = 'svc implicit'

export const implicitTable = (table: JsonObject): MetadataObject => ({
  type: 'table',
  value: { table, [mark]: true },
  children: {},
})

export const isImplicit = (object: MetadataObject | null | undefined): boolean => object?.value[mark] === true

/** Whether anything stands below a table that no one has declared. */
export const assumesTables = (document: MetadataDocument): boolean =>
  [...childrenOf(document, 'source').values()].some((source) =>
    [...childrenOf(source, 'table').values()].some(
      (table) => isImplicit(table) && Object.values(table.children).some((below) => below.size > 0),
    ),
  )

/** Whether the fork has the object as a declared one. */
export function isDeclared(document: MetadataDocument, address: ObjectAddress): boolean {
  const object = findObject(document, address)
  return (object !== undefined && !isImplicit(object)) || declaresCustomType(document, address)
}
