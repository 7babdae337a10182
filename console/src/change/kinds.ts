import { catalogue, type ResourceKind } from '../../../provider/src/resources/index.ts'

/** The kinds that are declared most often; all other kinds are there as well. */
const common = [
  'Table',
  'ObjectRelationship',
  'ArrayRelationship',
  'SelectPermission',
  'InsertPermission',
  'UpdatePermission',
  'DeletePermission',
  'EventTrigger',
  'Action',
]

export const commonKinds: readonly ResourceKind[] = common.flatMap(
  (name) => catalogue.find(({ kind }) => kind === name) ?? [],
)
export const otherKinds: readonly ResourceKind[] = catalogue.filter((kind) => !commonKinds.includes(kind))

/** `SelectPermission` -> `select permission` */
export const kindTitle = ({ name }: ResourceKind): string => name.replaceAll('_', ' ')

/** Attributes of the object only: the rest are for the tool that manages it. */
export function shownAttributes({ fields, parents, identityPaths }: ResourceKind): ResourceKind['attributes'] {
  const heads = new Set(identityPaths.map(([head]) => head))
  return Object.fromEntries(
    fields
      .filter(({ name, at }) => at !== null || parents.includes(name) || heads.has(name))
      .map(({ name, attribute }) => [name, attribute]),
  )
}
