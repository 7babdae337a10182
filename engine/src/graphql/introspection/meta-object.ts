import { invalid, Path } from '../../errors.ts'
import { type Context, deeper } from '../selection/context.ts'
import { listPerContext } from '../selection/list-per-context.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type Field, type InputField, noArguments, type ObjectType, objectType, type TypeRef } from '../types/type.ts'
import type { IntrospectionCache } from './introspection-cache.ts'
import { type LaterList, listMarker } from './join-texts.ts'
import type { Pause } from './pause.ts'

/** What the answers of one request are printed against: one role's schema, with a bound on their size together. */
export interface PrintContext {
  /** The request's own, so what is made for it goes with the request. */
  readonly schema: RoleSchema
  readonly kept: IntrospectionCache
  readonly maxSize: number
  /** Characters so far, and how often the types of another table were read. */
  readonly count: { size: number; lookups: number }
  /** Yields to other requests. */
  readonly pause: Pause
  /** Long lists, which are left out of the text to be printed a few entries at a time; null: none is. */
  readonly later: LaterList[] | null
}

/** A planned selection of a meta object: prints the JSON of a value. */
export interface Printer<V> {
  /** Equal keys print equal texts for equal values. */
  readonly key: string
  readonly print: (value: V, printContext: PrintContext) => string
}

/** Returns the printers of every `__schema { types }` that a walk has found so far. */
export const typeListsOf = listPerContext<Printer<TypeRef>>()

/** The meaning of a field of a meta type: how its selection is planned. */
export type PlanMeta<V> = (context: Context, selected: SelectedField<PlanMeta<V>>) => Printer<V>

export type MetaType<V> = ObjectType<PlanMeta<V>>

/** A field of a meta type, which the type names. */
export type MetaField<V> = Omit<Field<PlanMeta<V>>, 'name'>

type Arguments = ReadonlyMap<string, InputField<unknown>>

export const metaField = <V>(type: TypeRef, meaning: PlanMeta<V>, args: Arguments = noArguments): MetaField<V> => ({
  description: null,
  args,
  type,
  meaning,
})

/** Returns a type of introspection, its fields in the order of their names. */
export const metaType = <V>(name: string, fields: Readonly<Record<string, MetaField<V>>>): MetaType<V> => {
  const named = Object.entries(fields).map(([field, of]) => ({ name: field, ...of }))
  return objectType(name, null, sortedByName(named))
}

/** Returns entries in the order of their names. */
export const sortedByName = <T extends { readonly name: string }>(entries: Iterable<T>): readonly T[] =>
  [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** Returns a field that is text, a flag, a list of names or null. */
export const leaf = <V>(
  type: TypeRef,
  read: (value: V, printContext: PrintContext) => string | boolean | readonly string[] | null,
): MetaField<V> =>
  metaField(type, (_context, selected) => ({
    key: selected.field.name,
    print: (value, printContext) => JSON.stringify(read(value, printContext)),
  }))

/** A field that is an object or null. */
export const node = <V, N>(
  type: TypeRef,
  of: () => MetaType<N>,
  read: (value: V, printContext: PrintContext) => N | null,
): MetaField<V> =>
  metaField(type, (context, selected) => {
    const inner = planSelection(context, of(), selected)
    return {
      key: `${selected.field.name}${inner.key}`,
      print: (value, printContext) => {
        const found = read(value, printContext)
        return found === null ? 'null' : inner.print(found, printContext)
      },
    }
  })

/** A field that is a list of objects, or null. */
export const nodes = <V, N>(
  type: TypeRef,
  of: () => MetaType<N>,
  read: (value: V, printContext: PrintContext) => readonly N[] | null,
  args?: Arguments,
): MetaField<V> =>
  metaField(
    type,
    (context, selected) => {
      const inner = planSelection(context, of(), selected)
      return {
        key: `${selected.field.name}${inner.key}`,
        print: (value, printContext) => {
          const found = read(value, printContext)
          if (found === null) return 'null'
          const { later } = printContext
          if (!later || found.length <= atOnce)
            return `[${found.map((entry) => inner.print(entry, printContext)).join(',')}]`
          return listMarker(String(later.push({ texts: () => textsOf(found, inner, printContext) }) - 1))
        },
      }
    },
    args,
  )

/** Columns and arguments are fewer as a rule, root fields are more. */
const atOnce = 100

function* textsOf<N>(entries: readonly N[], { print }: Printer<N>, printContext: PrintContext): Generator<string> {
  for (const entry of entries) yield print(entry, printContext)
}

/** The selection set of a meta object. */
export const planSelection = <V, F>(
  context: Context,
  type: MetaType<V>,
  { selections, path }: SelectedField<F>,
): Printer<V> =>
  objectPrinter(
    deeper(context, path, () =>
      selectedFields(context, type, selections, path).map((selected) => {
        const as = JSON.stringify(selected.as)
        return selected.kind === 'typename'
          ? constantPrinter(`${as}:${JSON.stringify(selected.name)}`)
          : memberPrinter(as, selected.field.meaning(context, selected))
      }),
    ),
  )

// printers are cached with the plan, so they are made where nothing of the walk is in scope: it refers to the model and
// the document

function constantPrinter(text: string): Printer<unknown> {
  return { key: text, print: () => text }
}

function memberPrinter<V>(as: string, { key, print }: Printer<V>): Printer<V> {
  return { key: `${as}:${key}`, print: (value, printContext) => `${as}:${print(value, printContext)}` }
}

function objectPrinter<V>(fields: readonly Printer<V>[]): Printer<V> {
  return {
    key: `{${fields.map(({ key }) => key).join(',')}}`,
    print: (value, printContext) => {
      const text = `{${fields.map(({ print }) => print(value, printContext)).join(',')}}`
      countSize(printContext, text)
      return text
    },
  }
}

/** Every object counts, so nested ones count once a level: the bound is on work as much as on size. */
export function countSize({ count, maxSize }: PrintContext, text: { readonly length: number }): void {
  count.size += text.length
  if (count.size > maxSize) throw invalid(Path.root.at('query'), 'the introspection answer is too large')
}
