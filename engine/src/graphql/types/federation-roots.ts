import type { Model } from '../../model/index.ts'
import { anyRef, entityKey, entityUnion, serviceType } from './federation-types.ts'
import type { QueryRootMeaning } from './query-root-type.ts'
import { argument, byName, type Field, listOf, namedField, nonNull, refTo } from './type.ts'
import { introspects, visibleTable } from './visible-table.ts'

const serviceField: Field<QueryRootMeaning> = namedField(
  '_service',
  'What a gateway has to know of this schema',
  nonNull(refTo(serviceType)),
  { kind: 'service' },
)

const entitiesField: Field<QueryRootMeaning> = {
  name: '_entities',
  description: 'Objects by their keys, in the order asked; null where there is none',
  args: byName([argument('representations', null, nonNull(listOf(nonNull(anyRef))))]),
  type: nonNull(listOf(refTo(entityUnion))),
  meaning: { kind: 'entities' },
}

/** The root fields of federation that a role has, if it has any others. */
export function federationFields(
  model: Model,
  role: string,
  isEmpty: () => boolean,
): readonly Field<QueryRootMeaning>[] {
  if (!model.input.settings.apolloFederation || isEmpty()) return []
  const isAny = model.tables.some(({ isEntity, id }) => {
    const table = isEntity ? visibleTable(model, role, id) : undefined
    return table !== undefined && entityKey(table) !== null
  })
  return [...(isAny ? [entitiesField] : []), ...(introspects(model, role) ? [serviceField] : [])]
}
