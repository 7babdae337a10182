/**
 * The GraphQL types of actions (reference/actions#schema-of-a-role): root fields, objects as a role sees them, and
 * input types.
 */
import type { GraphqlType } from '@svc/schema'
import { keptFor, keptForEach } from '../../kept-for.ts'
import {
  type ActionBase,
  type ActionField,
  type ActionObject,
  type ActionRelationship,
  type ActionTypes,
  actionPart,
  type Model,
  partValues,
  type ResolvedAction,
  type RootName,
  visibleAction,
} from '../../model/index.ts'
import type { QueryRootMeaning } from './query-root-type.ts'
import { scalarRef } from './scalar-types.ts'
import { keyedRowsFields, type RowsForm } from './select-arguments.ts'
import {
  argument,
  byName,
  type EnumType,
  enumOf,
  type Field,
  type InputType,
  inputType,
  lazyRef,
  listOf,
  type NamedRef,
  namedField,
  namedInput,
  nonNull,
  type ObjectType,
  objectType,
  refTo,
  type ScalarType,
  type TypeRef,
  type TypeSource,
} from './type.ts'

/** What a root field does: calls the handler, leaves a call to be made later, or shows what became of one. */
export type ActionForm = 'call' | 'enqueue' | 'result'

export type ActionMeaning =
  | { readonly kind: 'field'; readonly field: ActionField }
  | { readonly kind: 'relationship'; readonly as: RowsForm; readonly relationship: ActionRelationship }
  /** Of an asynchronous action's result. */
  | { readonly kind: 'own'; readonly name: 'id' | 'created_at' | 'errors' }
  | { readonly kind: 'output' }

/** What types need to know of a role. */
export interface ActionSeer extends TypeSource {
  readonly model: Model
  readonly role: string
}

/** A root field of an action, for the roles that have a permission for it or inherit one. */
export function actionField(seer: ActionSeer, root: RootName, name: string): Field<QueryRootMeaning> | undefined {
  const action = visibleAction(seer.model, seer.role, name)
  const form = action && formOf(action, root)
  if (!action || !form) return undefined
  const args = form === 'result' ? idArguments : argumentsOf(action)
  return namedField(name, action.description, typeOf(seer, action, form), { kind: 'action', form, action }, args)
}

/** Returns the fields of a root that call actions, in the order of their names. */
export function actionFields(seer: ActionSeer, root: RootName): readonly Field<QueryRootMeaning>[] {
  return [...partValues(seer.model, actionPart).values()]
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => actionField(seer, root, name) ?? [])
}

function formOf({ kind }: ResolvedAction, root: RootName): ActionForm | null {
  switch (kind) {
    case 'query':
      return root === 'query' ? 'call' : null
    case 'synchronous':
      return root === 'mutation' ? 'call' : null
    case 'asynchronous':
      return root === 'mutation' ? 'enqueue' : 'result'
  }
}

const idArguments = byName([argument('id', 'the unique id of an action', nonNull(scalarRef('uuid')))])

const argumentsOf = (action: ResolvedAction) =>
  byName(action.arguments.map((one) => argument(one.name, one.description, inputTypeRef(action.types, one))))

function typeOf(seer: ActionSeer, action: ResolvedAction, form: ActionForm): TypeRef {
  switch (form) {
    case 'call':
      return outputTypeRef(seer, action)
    case 'enqueue':
      return nonNull(scalarRef('uuid'))
    case 'result':
      return lazyRef(action.name, 'OBJECT', () => resultType(seer, action))
  }
}

const outputTypeRef = (seer: ActionSeer, { output, types }: ResolvedAction): TypeRef =>
  wrapped(output.type, baseRef(types, output.base, seer))

/** What an asynchronous action has come to; named after the action. */
export function resultType(seer: ActionSeer, action: ResolvedAction): ObjectType<ActionMeaning> {
  const own = (name: 'id' | 'created_at' | 'errors', description: string, type: TypeRef): Field<ActionMeaning> =>
    namedField(name, description, type, { kind: 'own', name })
  return objectType<ActionMeaning>(action.name, `fields of action: "${action.name}"`, [
    own('id', 'the unique id of an action', nonNull(scalarRef('uuid'))),
    own('created_at', 'the time at which this action was created', nonNull(scalarRef('timestamptz'))),
    own('errors', 'errors related to the invocation', scalarRef('json')),
    namedField('output', 'the output fields of this action', outputTypeRef(seer, action), { kind: 'output' }),
  ])
}

/** The types of objects as one role sees them in one model. */
const objectTypes = keptFor((seer: ActionSeer) =>
  keptFor((object: ActionObject, types: ActionTypes) =>
    objectType<ActionMeaning>(object.name, object.description, [
      ...[...object.fields.values()].map((field): Field<ActionMeaning> => {
        const type = wrapped(field.type, baseRef(types, field.base, seer))
        return namedField(field.name, field.description, type, { kind: 'field', field })
      }),
      ...[...object.relationships.values()].flatMap((relationship) => {
        const target = seer.tableTypes(relationship.target)?.table
        if (!target) return []
        const { name, kind } = relationship
        return keyedRowsFields<ActionMeaning>(name, kind, target, '', (as) => ({
          kind: 'relationship',
          as,
          relationship,
        }))
      }),
    ]),
  ),
)

/** An object as a role sees it: relationships lead to tables that it may select from. */
export const actionObjectType = (
  seer: ActionSeer,
  types: ActionTypes,
  object: ActionObject,
): ObjectType<ActionMeaning> => objectTypes(seer)(object, types)

function wrapped(type: GraphqlType, base: NamedRef): TypeRef {
  const inner = type.kind === 'list' ? listOf(wrapped(type.of, base)) : base
  return type.nullable ? inner : nonNull(inner)
}

/** The type of an argument or of an input object's field. */
export const inputTypeRef = (types: ActionTypes, { type, base }: Pick<ActionField, 'type' | 'base'>): TypeRef =>
  wrapped(type, baseRef(types, base, null))

/** `seer`: null where no objects can be. */
function baseRef(types: ActionTypes, base: ActionBase, seer: ActionSeer | null): NamedRef {
  switch (base.kind) {
    case 'built-in':
    case 'source-scalar':
      return scalarRef(base.name)
    case 'scalar':
      return customScalar(types, base.name)
    case 'enum':
      return lazyRef(base.name, 'ENUM', () => customEnum(types, base.name))
    case 'input':
      return lazyRef(base.name, 'INPUT_OBJECT', () => customInput(types, base.name))
    case 'object':
      return lazyRef(base.name, 'OBJECT', () => {
        const object = types.objects.get(base.name)
        if (!object || !seer) throw new Error(`there is no object ${base.name} here`)
        return actionObjectType(seer, types, object)
      })
  }
}

function customScalar(types: ActionTypes, name: string): NamedRef {
  const description = types.scalars.get(name)?.description ?? null
  if (description === null) return scalarRef(name)
  const type: ScalarType = { kind: 'SCALAR', name, description }
  return refTo(type)
}

function customEnum(types: ActionTypes, name: string): EnumType {
  const found = types.enums.get(name)
  if (!found) throw new Error(`there is no enum ${name}`)
  return enumOf(name, found.description, found.values)
}

const customInput = keptForEach((types: ActionTypes, name: string): InputType<ActionField> => {
  const found = types.inputs.get(name)
  if (!found) throw new Error(`there is no input object ${name}`)
  return inputType<ActionField>(
    name,
    found.description,
    [...found.fields.values()].map((field) =>
      namedInput(field.name, inputTypeRef(types, field), field, field.description),
    ),
  )
})
