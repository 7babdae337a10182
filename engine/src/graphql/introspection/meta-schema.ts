import { invalid } from '../../errors.ts'
import { directives } from '../types/directives.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { stringRef } from '../types/scalar-types.ts'
import { listOf, type NamedType, nonNull, refTo, type TypeRef } from '../types/type.ts'
import { listMarker } from './join-texts.ts'
import {
  leaf,
  type MetaType,
  metaField,
  metaType,
  node,
  nodes,
  type PlanMeta,
  planSelection,
  typeListsOf,
} from './meta-object.ts'
import { directiveMeta, typeMeta } from './meta-types.ts'
import { wholeMutationRoot, wholeQueryRoot, wholeSubscriptionRoot } from './root-types.ts'

const mostTypeLists = 4

/** Returns the name in the marker of a list of all types. */
export const typeListName = (index: number): string => `types ${index}`

/** `types`: the only list whose texts are cached from one answer to the next, and the only one that is always long. */
const planTypes: PlanMeta<null> = (context, selected) => {
  const printer = planSelection(context, typeMeta, selected)
  const typeLists = typeListsOf(context)
  const marker = listMarker(typeListName(typeLists.length))
  typeLists.push(printer)
  if (typeLists.length > mostTypeLists)
    throw invalid(selected.path, `a request may select all types at most ${mostTypeLists} times`)
  return {
    key: `types${printer.key}`,
    // put in its place once it is made, see plan-introspection.ts
    print: () => marker,
  }
}

/** A root type, or null where the schema has none. */
const root = (type: TypeRef, wholeRoot: (schema: RoleSchema) => NamedType | null) =>
  node<null, TypeRef>(
    type,
    () => typeMeta,
    (_schema, { schema }) => {
      const found = wholeRoot(schema)
      return found && refTo(found)
    },
  )

/** `__Schema`. There is only one, so its value is null. */
export const schemaMeta: MetaType<null> = metaType<null>('__Schema', {
  description: leaf(stringRef, () => null),
  directives: nodes(
    nonNull(listOf(nonNull(refTo(directiveMeta)))),
    () => directiveMeta,
    () => [...directives.values()],
  ),
  mutationType: root(refTo(typeMeta), wholeMutationRoot),
  queryType: root(nonNull(refTo(typeMeta)), wholeQueryRoot),
  subscriptionType: root(refTo(typeMeta), wholeSubscriptionRoot),
  types: metaField(nonNull(listOf(nonNull(refTo(typeMeta)))), planTypes),
})
