/**
 * The types of introspection itself (GraphQL specification, section 4), as the planner reads them: what is listed
 * here is what a client may query.
 */
import type { Directive } from '../types/directives.ts'
import { booleanRef, stringRef } from '../types/scalar-types.ts'
import {
  argument,
  byName,
  type EnumType,
  type Field,
  type InputField,
  lazyRef,
  listOf,
  type NamedRef,
  type NamedType,
  nonNull,
  refTo,
  type TypeRef,
} from '../types/type.ts'
import { directiveLocation, typeKind } from './meta-enums.ts'
import { leaf, type MetaType, metaType, node, nodes, type PrintContext, sortedByName } from './meta-object.ts'
import { nestedTypes } from './nested-types.ts'
import { possibleTypes } from './possible-types.ts'

type EnumValue = EnumType['values'][number]

const metaRef = (name: string, find: () => NamedType): NamedRef => lazyRef(name, 'OBJECT', find)
const typeRef = metaRef('__Type', () => typeMeta)
const fieldRef = metaRef('__Field', () => fieldMeta)
const inputRef = metaRef('__InputValue', () => inputMeta)
const enumValueRef = metaRef('__EnumValue', () => enumValueMeta)

const listed = (ref: TypeRef) => listOf(nonNull(ref))

/** Nothing is deprecated, so it makes no difference. Tools request it wherever the specification of GraphQL has it. */
const includeDeprecated = byName([argument('includeDeprecated', null, booleanRef, 'false')])

const found = (ref: TypeRef, printContext: PrintContext): NamedType | null =>
  ref.kind === 'named' ? ref.find(printContext.schema) : null

function kindOf(ref: TypeRef): string {
  switch (ref.kind) {
    case 'non-null':
      return 'NON_NULL'
    case 'list':
      return 'LIST'
    case 'named':
      return ref.typeKind
  }
}

function fieldsOf(ref: TypeRef, printContext: PrintContext): readonly Field<unknown>[] | null {
  const type = found(ref, printContext)
  return type?.kind === 'OBJECT' || type?.kind === 'INTERFACE' ? sortedByName(type.fields.values()) : null
}

function inputFieldsOf(ref: TypeRef, printContext: PrintContext): readonly InputField<unknown>[] | null {
  const type = found(ref, printContext)
  return type?.kind === 'INPUT_OBJECT' ? sortedByName(type.fields.values()) : null
}

function enumValuesOf(ref: TypeRef, printContext: PrintContext): readonly EnumValue[] | null {
  const type = found(ref, printContext)
  return type?.kind === 'ENUM' ? type.values : null
}

function interfacesOf(ref: TypeRef, printContext: PrintContext): readonly TypeRef[] | null {
  const type = found(ref, printContext)
  if (type?.kind === 'INTERFACE') return []
  return type?.kind === 'OBJECT' ? (type.interfaces ?? []).map(refTo) : null
}

function possibleTypesOf(ref: TypeRef, printContext: PrintContext): readonly TypeRef[] | null {
  const type = found(ref, printContext)
  return type?.kind === 'INTERFACE' || type?.kind === 'UNION' ? possibleTypes(type, printContext.schema) : null
}

interface Described {
  readonly name: string
  readonly description: string | null
}

const described = <V extends Described>() => ({
  name: leaf<V>(nonNull(stringRef), (one) => one.name),
  description: leaf<V>(stringRef, (one) => one.description),
})

/** Nothing of the schema is deprecated. */
const deprecable = <V extends Described>() => ({
  ...described<V>(),
  deprecationReason: leaf<V>(stringRef, () => null),
  isDeprecated: leaf<V>(nonNull(booleanRef), () => false),
})

const ofType = <V extends { readonly type: TypeRef }>() =>
  node<V, TypeRef>(
    nonNull(typeRef),
    () => typeMeta,
    (one) => one.type,
  )

const withArguments = <V extends Pick<Field<unknown>, 'args'>>() =>
  nodes<V, InputField<unknown>>(
    nonNull(listed(inputRef)),
    () => inputMeta,
    (one) => sortedByName(one.args.values()),
    includeDeprecated,
  )

export const typeMeta: MetaType<TypeRef> = metaType<TypeRef>('__Type', {
  description: leaf(stringRef, (ref, printContext) => found(ref, printContext)?.description ?? null),
  enumValues: nodes(listed(enumValueRef), () => enumValueMeta, enumValuesOf, includeDeprecated),
  fields: nestedTypes(nodes(listed(fieldRef), () => fieldMeta, fieldsOf, includeDeprecated)),
  inputFields: nestedTypes(nodes(listed(inputRef), () => inputMeta, inputFieldsOf, includeDeprecated)),
  interfaces: nestedTypes(nodes(listed(typeRef), () => typeMeta, interfacesOf)),
  isOneOf: leaf(booleanRef, (ref) => (ref.kind === 'named' && ref.typeKind === 'INPUT_OBJECT' ? false : null)),
  kind: leaf(nonNull(refTo(typeKind)), kindOf),
  name: leaf(stringRef, (ref) => (ref.kind === 'named' ? ref.name : null)),
  ofType: node(
    typeRef,
    () => typeMeta,
    (ref) => (ref.kind === 'named' ? null : ref.of),
  ),
  possibleTypes: nestedTypes(nodes(listed(typeRef), () => typeMeta, possibleTypesOf)),
  specifiedByURL: leaf(stringRef, () => null),
})

const fieldMeta: MetaType<Field<unknown>> = metaType<Field<unknown>>('__Field', {
  ...deprecable<Field<unknown>>(),
  args: withArguments(),
  type: ofType(),
})

const inputMeta: MetaType<InputField<unknown>> = metaType<InputField<unknown>>('__InputValue', {
  ...deprecable<InputField<unknown>>(),
  defaultValue: leaf(stringRef, (input) => input.defaultValue),
  type: ofType(),
})

const enumValueMeta: MetaType<EnumValue> = metaType<EnumValue>('__EnumValue', deprecable())

export const directiveMeta: MetaType<Directive> = metaType<Directive>('__Directive', {
  ...described<Directive>(),
  args: withArguments(),
  isRepeatable: leaf(nonNull(booleanRef), () => false),
  locations: leaf(nonNull(listed(refTo(directiveLocation))), (directive) => directive.places),
})

/** All but `__Schema`. */
export const otherMetaTypes: readonly NamedType[] = [
  directiveMeta,
  directiveLocation,
  enumValueMeta,
  fieldMeta,
  inputMeta,
  typeMeta,
  typeKind,
]
