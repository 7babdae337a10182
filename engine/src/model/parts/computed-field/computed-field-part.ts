import { computedFieldReadKey, tableNameReadKey } from '../../graph.ts'
import { argumentScalars, asksClient } from '../../names/argument-types.ts'
import type { Claim, Names } from '../../names/claim.ts'
import { announce } from '../../names/names.ts'
import { generatedType } from '../../naming/source-naming.ts'
import { refuseUnsupported } from '../../resolve/unsupported.ts'
import type { ResolvedComputedField } from '../../resolved-rows.ts'
import { tableIdOf } from '../../table-id.ts'
import { draftLookup, partsOf } from '../../update/model-draft.ts'
import type { Part, Reading } from '../part.ts'
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
  store: {
    get: (draft, at, { value }) => draftLookup(draft).computedField(tableIdOf(at), String(value.name)) ?? undefined,
    set(draft, at, object, value) {
      const [id, name] = [tableIdOf(at), String(object.value.name)]
      if (!draft.graph.nodes.get(id)?.served) return
      const { computedFields } = partsOf(draft, id)
      if (value) computedFields.set(name, value)
      else computedFields.delete(name)
      announce(draft, computedFieldReadKey(id, name))
    },
  },
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
