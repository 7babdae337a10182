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
  listOf,
  type NamedRef,
  type NamedType,
  nonNull,
  refTo,
  type TypeRef,
} from '../types/type.ts'
import { directiveLocation, typeKind } from './meta-enums.ts'
import { leaf, type MetaType, metaField, metaType, nameList, node, nodes, type PrintContext } from './meta-object.ts'
import { nestedTypes } from './nested-types.ts'
import { possibleTypes } from './possible-types.ts'

type EnumValue = EnumType['values'][number]

const metaRef = (name: string, find: () => NamedType): NamedRef => ({ kind: 'named', name, typeKind: 'OBJECT', find })
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

function fieldsOf(type: NamedType | null): readonly Field<unknown>[] | null {
  return type?.kind === 'OBJECT' || type?.kind === 'INTERFACE' ? sorted(type.fields.values()) : null
}

function inputFieldsOf(type: NamedType | null): readonly InputField<unknown>[] | null {
  return type?.kind === 'INPUT_OBJECT' ? sorted(type.fields.values()) : null
}

export const typeMeta: MetaType<TypeRef> = metaType('__Type', [
  metaField(
    'description',
    stringRef,
    leaf((ref, printContext) => found(ref, printContext)?.description ?? null),
  ),
  metaField(
    'enumValues',
    listed(enumValueRef),
    nodes(
      () => enumValueMeta,
      (ref, printContext) => {
        const type = found(ref, printContext)
        return type?.kind === 'ENUM' ? type.values : null
      },
    ),
    includeDeprecated,
  ),
  metaField(
    'fields',
    listed(fieldRef),
    nestedTypes(
      nodes(
        () => fieldMeta,
        (ref, printContext) => fieldsOf(found(ref, printContext)),
      ),
    ),
    includeDeprecated,
  ),
  metaField(
    'inputFields',
    listed(inputRef),
    nestedTypes(
      nodes(
        () => inputMeta,
        (ref, printContext) => inputFieldsOf(found(ref, printContext)),
      ),
    ),
    includeDeprecated,
  ),
  metaField(
    'interfaces',
    listed(typeRef),
    nestedTypes(
      nodes(
        () => typeMeta,
        (ref, printContext) => {
          const type = found(ref, printContext)
          if (type?.kind === 'INTERFACE') return []
          return type?.kind === 'OBJECT' ? (type.interfaces ?? []).map(refTo) : null
        },
      ),
    ),
  ),
  metaField(
    'isOneOf',
    booleanRef,
    leaf((ref) => (ref.kind === 'named' && ref.typeKind === 'INPUT_OBJECT' ? false : null)),
  ),
  metaField(
    'kind',
    required(refTo(typeKind)),
    leaf((ref) => kindOf(ref)),
  ),
  metaField(
    'name',
    stringRef,
    leaf((ref) => (ref.kind === 'named' ? ref.name : null)),
  ),
  metaField(
    'ofType',
    typeRef,
    node(
      () => typeMeta,
      (ref) => (ref.kind === 'named' ? null : ref.of),
    ),
  ),
  metaField(
    'possibleTypes',
    listed(typeRef),
    nestedTypes(
      nodes(
        () => typeMeta,
        (ref, printContext) => {
          const type = found(ref, printContext)
          return type?.kind === 'INTERFACE' || type?.kind === 'UNION' ? possibleTypes(type, printContext.schema) : null
        },
      ),
    ),
  ),
  metaField(
    'specifiedByURL',
    stringRef,
    leaf(() => null),
  ),
])

const fieldMeta: MetaType<Field<unknown>> = metaType('__Field', [
  metaField(
    'args',
    required(listed(inputRef)),
    nodes(
      () => inputMeta,
      (field) => sorted(field.args.values()),
    ),
    includeDeprecated,
  ),
  metaField('deprecationReason', stringRef, never()),
  metaField(
    'description',
    stringRef,
    leaf((field) => field.description),
  ),
  metaField('isDeprecated', required(booleanRef), no()),
  metaField(
    'name',
    required(stringRef),
    leaf((field) => field.name),
  ),
  metaField(
    'type',
    required(typeRef),
    node(
      () => typeMeta,
      (field) => field.type,
    ),
  ),
])

const inputMeta: MetaType<InputField<unknown>> = metaType('__InputValue', [
  metaField(
    'defaultValue',
    stringRef,
    leaf((input) => input.defaultValue),
  ),
  metaField('deprecationReason', stringRef, never()),
  metaField(
    'description',
    stringRef,
    leaf((input) => input.description),
  ),
  metaField('isDeprecated', required(booleanRef), no()),
  metaField(
    'name',
    required(stringRef),
    leaf((input) => input.name),
  ),
  metaField(
    'type',
    required(typeRef),
    node(
      () => typeMeta,
      (input) => input.type,
    ),
  ),
])

const enumValueMeta: MetaType<EnumValue> = metaType('__EnumValue', [
  metaField('deprecationReason', stringRef, never()),
  metaField(
    'description',
    stringRef,
    leaf((value) => value.description),
  ),
  metaField('isDeprecated', required(booleanRef), no()),
  metaField(
    'name',
    required(stringRef),
    leaf((value) => value.name),
  ),
])

export const directiveMeta: MetaType<Directive> = metaType('__Directive', [
  metaField(
    'args',
    required(listed(inputRef)),
    nodes(
      () => inputMeta,
      (directive) => sorted(directive.args.values()),
    ),
    includeDeprecated,
  ),
  metaField(
    'description',
    stringRef,
    leaf((directive) => directive.description),
  ),
  metaField('isRepeatable', required(booleanRef), no()),
  metaField(
    'locations',
    required(listed(refTo(directiveLocation))),
    nameList((directive) => directive.places),
  ),
  metaField(
    'name',
    required(stringRef),
    leaf((directive) => directive.name),
  ),
])

function never<V>() {
  return leaf<V>(() => null)
}

function no<V>() {
  return leaf<V>(() => false)
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
