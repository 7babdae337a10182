import { ApiError, Path } from '../../errors.ts'
import type { Context } from '../plan/context.ts'
import { deeper } from '../plan/context.ts'
import { type SelectedField, selectedFields } from '../plan/selected-fields.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { byName, type Field, type InputField, noArguments, type ObjectType, type TypeRef } from '../types/type.ts'
import type { IntrospectionCache } from './introspection-cache.ts'

/** What the answers of one request are printed against: one role's schema, with a bound on their size together. */
export interface World {
  readonly schema: RoleSchema
  readonly kept: IntrospectionCache
  readonly maxSize: number
  size: number
  /** Fields of root types, which are too many to be printed at one go, and their texts by who printed them. */
  readonly rootFields: Set<unknown>
  readonly rootTexts: Map<unknown, Map<unknown, string>>
}

/** A planned selection of a meta object: prints the JSON of a value. */
export interface Printer<V> {
  /** Equal keys print equal texts for equal values. */
  readonly key: string
  readonly print: (value: V, world: World) => string
}

/** The meaning of a field of a meta type: how its selection is planned. */
export type PlanMeta<V> = (context: Context, selected: SelectedField<PlanMeta<V>>) => Printer<V>

export type MetaType<V> = ObjectType<PlanMeta<V>>

export function metaField<V>(
  name: string,
  type: TypeRef,
  meaning: PlanMeta<V>,
  args: ReadonlyMap<string, InputField<unknown>> = noArguments,
): Field<PlanMeta<V>> {
  return { name, description: null, args, type, meaning }
}

export function metaType<V>(name: string, fields: readonly Field<PlanMeta<V>>[]): MetaType<V> {
  return { kind: 'OBJECT', name, description: null, fields: byName(fields) }
}

/** A field that is text, a flag or null. */
export function leaf<V>(read: (value: V, world: World) => string | boolean | null): PlanMeta<V> {
  return (_context, selected) => ({
    key: selected.field.name,
    print: (value, world) => JSON.stringify(read(value, world)),
  })
}

/** A field that is a list of names. */
export function leaves<V>(read: (value: V) => readonly string[]): PlanMeta<V> {
  return (_context, selected) => ({ key: selected.field.name, print: (value) => JSON.stringify(read(value)) })
}

/** A field that is an object or null. */
export function node<V, N>(type: () => MetaType<N>, read: (value: V, world: World) => N | null): PlanMeta<V> {
  return (context, selected) => {
    const inner = planSelection(context, type(), selected)
    return {
      key: `${selected.field.name}${inner.key}`,
      print: (value, world) => {
        const found = read(value, world)
        return found === null ? 'null' : inner.print(found, world)
      },
    }
  }
}

/** A field that is a list of objects, or null. */
export function nodes<V, N>(
  type: () => MetaType<N>,
  read: (value: V, world: World) => readonly N[] | null,
): PlanMeta<V> {
  return (context, selected) => {
    const inner = planSelection(context, type(), selected)
    return {
      key: `${selected.field.name}${inner.key}`,
      print: (value, world) => {
        const found = read(value, world)
        return found === null ? 'null' : `[${found.map((entry) => inner.print(entry, world)).join(',')}]`
      },
    }
  }
}

/** The selection set of a meta object. */
export function planSelection<V, F>(
  context: Context,
  type: MetaType<V>,
  { selections, path }: SelectedField<F>,
): Printer<V> {
  const fields = deeper(context, path, () =>
    selectedFields(context, type, selections, path).map((selected) => {
      const as = JSON.stringify(selected.as)
      if (selected.kind === 'typename') {
        const text = `${as}:${JSON.stringify(selected.name)}`
        return { key: text, print: () => text }
      }
      const printer = selected.field.meaning(context, selected)
      return {
        key: `${as}:${printer.key}`,
        print: (value: V, world: World) => `${as}:${printer.print(value, world)}`,
      }
    }),
  )
  return {
    key: `{${fields.map(({ key }) => key).join(',')}}`,
    print: (value, world) => {
      const known = world.rootFields.has(value) ? textsOf(world, fields) : null
      const text = known?.get(value) ?? `{${fields.map(({ print }) => print(value, world)).join(',')}}`
      known?.set(value, text)
      countSize(world, text)
      return text
    },
  }
}

function textsOf({ rootTexts }: World, printedBy: unknown): Map<unknown, string> {
  const texts = rootTexts.get(printedBy) ?? new Map<unknown, string>()
  rootTexts.set(printedBy, texts)
  return texts
}

/** Every object counts, so nested ones count once a level: the bound is on work as much as on size. */
export function countSize(world: World, text: string): void {
  world.size += text.length
  if (world.size > world.maxSize)
    throw new ApiError('validation-failed', Path.root.at('query'), 'the introspection answer is too large')
}
