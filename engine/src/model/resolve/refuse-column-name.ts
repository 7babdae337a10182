import type { GraphqlTable } from './graphql-table.ts'
import { ResolutionError } from './resolution-error.ts'

/** What an error about the name of a field that is taken says of it. */
export const nameClash = { cause: 'clash', at: ['name'], bare: true } as const

/** A column has its name and its field's before anything else in its table. Throws ResolutionError. */
export function refuseColumnName(name: string, graphql: GraphqlTable): void {
  if (graphql.columnsByName.has(name))
    throw new ResolutionError('field definition conflicts with postgres column', nameClash)
  const column = graphql.columnsByField.get(name)
  if (column)
    throw new ResolutionError(
      `field definition conflicts with custom field name for postgres column "${column.name}"`,
      nameClash,
    )
}

/** Returns the error of a name that two objects of a table have for a field. */
export const conflictingField = (name: string): ResolutionError =>
  new ResolutionError(`conflicting definitions for field "${name}"`, { ...nameClash, prefix: 'Conflicting objects' })
