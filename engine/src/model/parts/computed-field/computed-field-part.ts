import { computedFieldReadKey, tableNameReadKey } from '../../graph.ts'
import { argumentScalars, asksClient } from '../../names/argument-types.ts'
import type { Claim, Names } from '../../names/claim.ts'
import { generatedType } from '../../naming/source-naming.ts'
import { refuseUnsupported } from '../../resolve/unsupported.ts'
import type { ResolvedComputedField } from '../../resolved-rows.ts'
import { tableIdOf } from '../../table-id.ts'
import { draftLookup } from '../../update/model-draft.ts'
import type { Part, Reading } from '../part.ts'
import { tableStore } from '../table-store.ts'
import { resolveComputedField } from './resolve-computed-field.ts'

/**
 * A field that a function of the database computes from a table's rows (reference/metadata-operations#computed-fields);
 * it stands in its table.
 */
export const computedFieldPart: Part<ResolvedComputedField, 'computed_field'> = {
  key: 'computed_field',
  type: 'computed_field',
  resolve({ value }, { source, table, tables }) {
    refuseUnsupported(source.object, source.state, 'computedFields')
    return resolveComputedField(value, table.shape, table.graphql, tables)
  },
  names: namesOf,
  dependentText: ({ above, own }) => `computed field ${above}.${own}`,
  isCascaded: true,
  readKeys: (at, { value }) => [computedFieldReadKey(tableIdOf(at), String(value.name))],
  store: tableStore({
    of: (parts) => parts.computedFields,
    get: (draft, id, name) => draftLookup(draft).computedField(id, name) ?? undefined,
    readKey: computedFieldReadKey,
  }),
}

function namesOf({ name, arguments: given, returns }: ResolvedComputedField, reading: Reading): Names {
  const { id, graphql, shape } = reading.table
  const scalars = argumentScalars(given, shape.types)
  if (returns.kind === 'scalar') scalars.add(shape.types.graphqlScalar(returns.type))
  if (returns.kind === 'columns') for (const { type } of returns.columns) scalars.add(shape.types.graphqlScalar(type))
  return { claims: claimsOf(), at: ['name'], scalars, scalarsAt: ['definition', 'function'] }

  /** `<cf>_<T>_args` and `<cf>_fields` (reference/database-objects#computed-fields), where there are such types. */
  function claimsOf(): readonly Claim[] {
    const own: Claim[] =
      returns.kind === 'columns'
        ? [{ kind: 'type', name: generatedType(graphql.naming, name, 'fields'), isRow: false }]
        : []
    if (graphql.baseName === null || !asksClient(given)) return own
    reading.note(tableNameReadKey(id))
    return [...own, { kind: 'type', name: generatedType(graphql.naming, name, graphql.baseName, 'args'), isRow: false }]
  }
}
