/**
 * The types of introspection itself (GraphQL specification, section 4), as the planner reads them: what is listed
 * here is what a client may query. In the order of names.
 */
import type { Directive } from '../types/directives.ts'
import { booleanRef, stringRef } from '../types/scalar-types.ts'
import {
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
import { leaf, type MetaType, metaType, nameList, node, nodes, type PrintContext } from './meta-object.ts'
import { nestedTypes } from './nested-types.ts'
import { possibleTypes } from './possible-types.ts'

type EnumValue = EnumType['values'][number]

const metaRef = (name: string, find: () => NamedType): NamedRef => lazyRef(name, 'OBJECT', find)
const typeRef = metaRef('__Type', () => typeMeta)
const fieldRef = metaRef('__Field', () => fieldMeta)
const inputRef = metaRef('__InputValue', () => inputMeta)
const enumValueRef = metaRef('__EnumValue', () => enumValueMeta)

const required = (ref: TypeRef) => nonNull(ref)
const listed = (ref: TypeRef) => listOf(nonNull(ref))

/** Nothing is deprecated, so it makes no difference. Tools request it wherever the specification of GraphQL has it. */
const includeDeprecated = byName<InputField<unknown>>([
  { name: 'includeDeprecated', description: null, type: booleanRef, defaultValue: 'false', meaning: null },
])

const sorted = <T extends { readonly name: string }>(entries: Iterable<T>): readonly T[] =>
  [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

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
  return type?.kind === 'OBJECT' || type?.kind === 'INTERFACE' ? sorted(type.fields.values()) : null
}

function inputFieldsOf(ref: TypeRef, printContext: PrintContext): readonly InputField<unknown>[] | null {
  const type = found(ref, printContext)
  return type?.kind === 'INPUT_OBJECT' ? sorted(type.fields.values()) : null
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

/** Nothing of the schema is deprecated. */
const deprecationReason = <V>() => leaf<V>(stringRef, () => null)
const isDeprecated = <V>() => leaf<V>(required(booleanRef), () => false)
const description = <V extends Described>() => leaf<V>(stringRef, (one) => one.description)
const name = <V extends Described>() => leaf<V>(required(stringRef), (one) => one.name)

export const typeMeta: MetaType<TypeRef> = metaType<TypeRef>('__Type', {
  description: leaf(stringRef, (ref, printContext) => found(ref, printContext)?.description ?? null),
  enumValues: nodes(listed(enumValueRef), () => enumValueMeta, enumValuesOf, includeDeprecated),
  fields: nestedTypes(nodes(listed(fieldRef), () => fieldMeta, fieldsOf, includeDeprecated)),
  inputFields: nestedTypes(nodes(listed(inputRef), () => inputMeta, inputFieldsOf, includeDeprecated)),
  interfaces: nestedTypes(nodes(listed(typeRef), () => typeMeta, interfacesOf)),
  isOneOf: leaf(booleanRef, (ref) => (ref.kind === 'named' && ref.typeKind === 'INPUT_OBJECT' ? false : null)),
  kind: leaf(required(refTo(typeKind)), kindOf),
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
  args: nodes(
    required(listed(inputRef)),
    () => inputMeta,
    (one) => argumentsOf(one),
    includeDeprecated,
  ),
  deprecationReason: deprecationReason(),
  description: description(),
  isDeprecated: isDeprecated(),
  name: name(),
  type: node(
    required(typeRef),
    () => typeMeta,
    (field) => field.type,
  ),
})

const inputMeta: MetaType<InputField<unknown>> = metaType<InputField<unknown>>('__InputValue', {
  defaultValue: leaf(stringRef, (input) => input.defaultValue),
  deprecationReason: deprecationReason(),
  description: description(),
  isDeprecated: isDeprecated(),
  name: name(),
  type: node(
    required(typeRef),
    () => typeMeta,
    (input) => input.type,
  ),
})

const enumValueMeta: MetaType<EnumValue> = metaType<EnumValue>('__EnumValue', {
  deprecationReason: deprecationReason(),
  description: description(),
  isDeprecated: isDeprecated(),
  name: name(),
})

export const directiveMeta: MetaType<Directive> = metaType<Directive>('__Directive', {
  args: nodes(
    required(listed(inputRef)),
    () => inputMeta,
    (one) => argumentsOf(one),
    includeDeprecated,
  ),
  description: description(),
  isRepeatable: leaf(required(booleanRef), () => false),
  locations: nameList(required(listed(refTo(directiveLocation))), (directive) => directive.places),
  name: name(),
})

function argumentsOf({ args }: Pick<Field<unknown>, 'args'>): readonly InputField<unknown>[] {
  return sorted(args.values())
}

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
