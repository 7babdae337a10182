import { ApiError } from '../../errors.ts'
import { directives } from '../types/directives.ts'
import { stringRef } from '../types/scalar-types.ts'
import { listOf, nonNull, refTo } from '../types/type.ts'
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

/** Of the list's marker. */
export const typeListName = (index: number): string => `types ${index}`

/** `types`: the only list whose texts are cached from one answer to the next, and the only one that is always long. */
const planTypes: PlanMeta<null> = (context, selected) => {
  const printer = planSelection(context, typeMeta, selected)
  const typeLists = typeListsOf(context)
  const marker = listMarker(typeListName(typeLists.length))
  typeLists.push(printer)
  if (typeLists.length > mostTypeLists)
    throw new ApiError(
      'validation-failed',
      selected.path,
      `a request may select all types at most ${mostTypeLists} times`,
    )
  return {
    key: `types${printer.key}`,
    // put in its place once it is made, see plan-introspection.ts
    print: () => marker,
  }
}

/** `__Schema`. There is only one, so its value is null. */
export const schemaMeta: MetaType<null> = metaType('__Schema', [
  metaField(
    'description',
    stringRef,
    leaf(() => null),
  ),
  metaField(
    'directives',
    nonNull(listOf(nonNull(refTo(directiveMeta)))),
    nodes(
      () => directiveMeta,
      () => [...directives.values()],
    ),
  ),
  metaField(
    'mutationType',
    refTo(typeMeta),
    node(
      () => typeMeta,
      (_schema, printContext) => {
        const root = wholeMutationRoot(printContext.schema)
        return root && refTo(root)
      },
    ),
  ),
  metaField(
    'queryType',
    nonNull(refTo(typeMeta)),
    node(
      () => typeMeta,
      (_schema, printContext) => refTo(wholeQueryRoot(printContext.schema)),
    ),
  ),
  metaField(
    'subscriptionType',
    refTo(typeMeta),
    node(
      () => typeMeta,
      (_schema, printContext) => {
        const root = wholeSubscriptionRoot(printContext.schema)
        return root && refTo(root)
      },
    ),
  ),
  metaField('types', nonNull(listOf(nonNull(refTo(typeMeta)))), planTypes),
])
