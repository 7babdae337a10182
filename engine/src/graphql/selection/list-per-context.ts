import type { Context } from './context.ts'

/**
 * A list that one part of the walk gathers and another reads: the joins of a plan, the lists of types of introspection. The
 * context has no place for it, since what stands in it belongs to a folder above this one.
 */
export function listPerContext<T>(): (context: Context) => T[] {
  const lists = new WeakMap<Context, T[]>()
  return (context) => {
    const known = lists.get(context)
    if (known) return known
    const list: T[] = []
    lists.set(context, list)
    return list
  }
}
