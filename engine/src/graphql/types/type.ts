/**
 * GraphQL types as plain data. The planner validates against them and introspection prints them, so what is shown
 * and what is accepted cannot differ. `M` is what the planner makes of a field: its meaning.
 */

import { keptFor, once } from '../../kept-for.ts'
import type { TableId, VisibleRemote } from '../../model/index.ts'
import type { TableTypes } from './table-types.ts'
import type { WriteTypes } from './write-types.ts'

export type NamedType = ScalarType | EnumType | ObjectType<unknown> | AbstractType | InputType<unknown>
export type AbstractType = InterfaceType | UnionType

interface Described {
  readonly name: string
  readonly description: string | null
}

export interface ScalarType extends Described {
  readonly kind: 'SCALAR'
}

export interface EnumType extends Described {
  readonly kind: 'ENUM'
  readonly values: readonly EnumTypeValue[]
  /** What a client uses with any of its values. */
  readonly permission?: UsedPermission
}

/** A permission of a table. */
export interface UsedPermission {
  readonly kind: 'select' | 'insert' | 'update' | 'delete'
  readonly table: TableId
}

interface EnumTypeValue extends Described {
  /** What the database holds for it, where that is another text. */
  readonly stored?: string
}

export interface ObjectType<M> extends Described {
  readonly kind: 'OBJECT'
  readonly fields: FieldSet<M>
  readonly interfaces?: readonly InterfaceType[]
  /**
   * Fields that other subgraphs find its objects by; it is one of `_Entity` then
   * (reference/http#limits-and-federation).
   */
  readonly entityKey?: readonly string[]
}

/** Introspection finds the types that implement it among those that the role sees. */
export interface InterfaceType extends Described {
  readonly kind: 'INTERFACE'
  readonly fields: FieldSet<unknown>
  /** Absent: introspection finds them among the tables. */
  readonly possible?: readonly TypeRef[]
}

/** Introspection finds its member types among those that the role sees. */
export interface UnionType extends Described {
  readonly kind: 'UNION'
  /** Absent: introspection finds them among the tables. */
  readonly possible?: readonly TypeRef[]
}

/** A map, or something that makes fields when they are requested. */
export type FieldSet<M> = Pick<ReadonlyMap<string, Field<M>>, 'get' | 'values'>

export interface Field<M> extends Described {
  readonly args: ReadonlyMap<string, InputField<unknown>>
  readonly type: TypeRef
  readonly meaning: M
}

export interface InputType<M> extends Described {
  readonly kind: 'INPUT_OBJECT'
  readonly fields: ReadonlyMap<string, InputField<M>>
  /** What a client uses with a value of it. */
  readonly permission?: UsedPermission
}

/** An argument or a field of an input object. */
export interface InputField<M> extends Described {
  /** What the planner knows an argument by, where a naming convention shows it under another name. */
  readonly key?: string
  readonly type: TypeRef
  /** As GraphQL text. */
  readonly defaultValue: string | null
  readonly meaning: M
}

export type TypeRef =
  | { readonly kind: 'non-null'; readonly of: TypeRef }
  | { readonly kind: 'list'; readonly of: TypeRef }
  | NamedRef

/** A type by name; the type itself is found when someone needs it. */
export interface NamedRef {
  readonly kind: 'named'
  readonly name: string
  readonly typeKind: NamedType['kind']
  /** The table that the type belongs to, where types of other tables mention it. */
  readonly table?: TableId
  readonly find: (types: TypeSource) => NamedType
}

/** Where a reference finds the types of another table. */
export interface TypeSource {
  /** The types of a table that the role sees; undefined where it sees none. */
  tableTypes(id: string): TableTypes | undefined
  /** The types of writing to a table; undefined where the role may not write to it. */
  writeTypes(id: string): WriteTypes | undefined
  /** A type of a remote schema by its upstream name; undefined where the role does not see it. */
  remoteType(visible: VisibleRemote, name: string): NamedType | undefined
}

export const nonNull = (of: TypeRef): TypeRef => (of.kind === 'non-null' ? of : { kind: 'non-null', of })
export const listOf = (of: TypeRef): TypeRef => ({ kind: 'list', of })

/** Returns a reference to a type that is made when it is needed. `table`: whose type it is, where others mention it. */
export const lazyRef = (
  name: string,
  typeKind: NamedType['kind'],
  find: NamedRef['find'],
  table?: TableId,
): NamedRef => ({ kind: 'named', name, typeKind, find, ...(table !== undefined && { table }) })

export const refTo = (type: NamedType): NamedRef => lazyRef(type.name, type.kind, () => type)

/** `[pet_order_by!]` */
export function typeText(ref: TypeRef): string {
  switch (ref.kind) {
    case 'non-null':
      return `${typeText(ref.of)}!`
    case 'list':
      return `[${typeText(ref.of)}]`
    case 'named':
      return ref.name
  }
}

export function namedOf(ref: TypeRef): NamedRef {
  return ref.kind === 'named' ? ref : namedOf(ref.of)
}

export const noArguments: ReadonlyMap<string, InputField<unknown>> = new Map()

/** Returns a map by name, in the order of the list; the first of two equal names remains. */
export function byName<T extends { readonly name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>()
  for (const entry of entries) if (!map.has(entry.name)) map.set(entry.name, entry)
  return map
}

type Text = string | null

/** Returns an argument, whose default is GraphQL text. */
export const argument = (
  name: string,
  description: Text,
  type: TypeRef,
  defaultValue: Text = null,
): InputField<null> => ({ name, description, type, defaultValue, meaning: null })

/** Returns a field of an object, without arguments where none are passed. */
export const namedField = <M>(
  name: string,
  description: Text,
  type: TypeRef,
  meaning: M,
  args = noArguments,
): Field<M> => ({ name, description, args, type, meaning })

/** Returns a field of an input object, without default. */
export const namedInput = <M>(name: string, type: TypeRef, meaning: M, description: Text = null): InputField<M> => ({
  name,
  description,
  type,
  defaultValue: null,
  meaning,
})

/** Returns an object type. Of two fields with one name the first remains. */
export const objectType = <M>(name: string, description: Text, fields: readonly Field<M>[]): ObjectType<M> => ({
  kind: 'OBJECT',
  name,
  description,
  fields: byName(fields),
})

export const inputType = <M>(
  name: string,
  description: Text,
  fields: readonly InputField<M>[],
  permission?: UsedPermission,
): InputType<M> => ({
  kind: 'INPUT_OBJECT',
  name,
  description,
  fields: byName(fields),
  ...(permission && { permission }),
})

export const enumOf = (
  name: string,
  description: Text,
  values: EnumType['values'],
  permission?: UsedPermission,
): EnumType => ({ kind: 'ENUM', name, description, values, ...(permission && { permission }) })

/** Returns the text that the database holds for each name of an enum. */
export const valuesOf = keptFor(
  ({ values }: EnumType): ReadonlyMap<unknown, string> =>
    new Map(values.map(({ name, stored = name }) => [name, stored])),
)

/** Returns fields that are made when one is requested, since the types that they lead to may lead back. */
export function lazyFields<M>(make: () => readonly Field<M>[]): FieldSet<M> {
  const fields = once(() => byName(make()))
  return { get: (name) => fields().get(name), values: () => fields().values() }
}
