/** Fields that functions of the database compute (reference/metadata-operations#computed-fields). */
import {
  addComputedFieldArgs,
  address,
  dropComputedFieldArgs,
  findObject,
  ownKey,
  tableAddress,
  tableText,
} from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { withNew } from '../change-object.ts'
import { dropWithDependents, tablePermissions } from '../drop-dependents.ts'
import { namedTable, requireReady, requireTable, withoutAbsent } from '../find-table.ts'
import { defineSourceOperation, type SourceOperation } from '../operation.ts'
import { declaredField, nameTaken } from './relationship.ts'

/** add_computed_field. already-exists; what is wrong with the function makes it inconsistent. */
const addComputedField = defineSourceOperation({
  name: 'add_computed_field',
  args: ({ names }) => addComputedFieldArgs(names.style),
  check: 'object',
  mentions: namedTable,
  apply(document, args, path, context) {
    const { name, definition, comment } = args
    const { address: parent, object } = requireTable(document, args, path, path.at('table'))
    requireReady(args.source, path, context)
    if (declaredField(object, name)) throw nameTaken(name, args.table, path, path.at('name'))
    const at = address('computed_field', ownKey('computed_field', { name }), parent)
    const value = withoutAbsent({ name, definition: definition, comment })
    return withNew(document, at, value)
  },
})

/**
 * drop_computed_field. not-exists; dependency-error; cascade removes dependent permissions
 * (reference/metadata-document#dependencies).
 */
const dropComputedField = defineSourceOperation({
  name: 'drop_computed_field',
  args: ({ names }) => dropComputedFieldArgs(names.style),
  check: 'no-new',
  mentions: namedTable,
  drops: ({ source, table, name }) => [
    address('computed_field', ownKey('computed_field', { name }), tableAddress(source, table)),
  ],
  apply(document, args, path, context) {
    const { address: parent } = requireTable(document, args, path, path.at('table'))
    const found = address('computed_field', ownKey('computed_field', { name: args.name }), parent)
    const at = path.at('name')
    if (!findObject(document, found))
      throw new ApiError(
        'not-exists',
        at,
        `computed field "${args.name}" does not exist in table "${tableText(args.table)}"`,
        { at },
      )
    const { cascade } = args
    return dropWithDependents(document, { object: found, cascade, removes: tablePermissions, path, at }, context)
  },
})

export const computedFieldOperations: readonly SourceOperation[] = [addComputedField, dropComputedField]
