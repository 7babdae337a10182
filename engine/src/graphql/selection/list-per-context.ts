import { keptFor } from '../../kept-for.ts'
import type { Context } from './context.ts'

/**
 * A list that one part of the walk gathers and another reads: the joins of a plan, the lists of types of introspection. The
 * context has no place for it, since what stands in it belongs to a folder above this one.
 */
export const listPerContext = <T>(): ((context: Context) => T[]) => keptFor((_: Context): T[] => [])
