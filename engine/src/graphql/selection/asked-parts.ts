import type { TableId } from '../../model/index.ts'
import type { UsedPermission } from '../types/type.ts'
import { type VariableValues, valueAt } from './guard.ts'

/** What of a role's schema an operation requests (docs/usage.md). */
export type AskedPart =
  /**
   * A member of a type: a field, `field(argument)`, a field of an input object. `*` stands for all of them, where values
   * are too long to be read, and an empty one for the type itself, which a variable names.
   */
  | { readonly kind: 'member'; readonly of: string; readonly name: string }
  | { readonly kind: AskedPermission; readonly table: TableId }

export type AskedPermission = UsedPermission['kind']

/** Fields of objects and entries of lists that are read of one request: more would cost it over 1 µs (bench/usage). */
export const mostValues = 64

/**
 * Members of a type; of input fields with those of their types, where these have any. Undefined: the plan depends on the
 * values of that member, so which members of its type are used has not been read (`askInput`).
 */
export class AskedMembers extends Map<string, AskedMembers | null | undefined> {}

/** A place of a variable that no plan depends on. */
interface AskedValue {
  readonly variable: string
  readonly keys: readonly (string | number)[]
  readonly type: AskedMembers
}

/** The parts of a schema that a walk over an operation has found to be used. It holds no values of requests. */
export class AskedParts {
  readonly #types = new Map<string, AskedMembers>()
  readonly #permissions = new Map<AskedPermission, Set<TableId>>()
  readonly #values = new Map<string, AskedValue>()

  /** What only introspection shows is no one's use of anything. */
  member(of: string, name: string): void {
    if (of.startsWith('__') || name.startsWith('__')) return
    const type = this.type(of)
    if (!type.has(name)) type.set(name, undefined)
  }

  permission({ kind, table }: UsedPermission): void {
    const known = this.#permissions.get(kind)
    if (known) known.add(table)
    else this.#permissions.set(kind, new Set([table]))
  }

  type(name: string): AskedMembers {
    const known = this.#types.get(name)
    if (known) return known
    const made = new AskedMembers()
    this.#types.set(name, made)
    return made
  }

  /** The value at that place is read with each request from here on. Returns whether it was not before. */
  value(of: string, variable: string, keys: readonly (string | number)[]): boolean {
    const place = JSON.stringify([of, variable, keys])
    if (this.#values.has(place)) return false
    const type = this.type(of)
    if (this.#values.size < mostValues) this.#values.set(place, { variable, keys, type })
    else type.set('*', null)
    return this.#values.has(place)
  }

  /** Adds all members of a type, as what values that are too long to be read may use. */
  useAll(of: string): void {
    useAll(this.type(of))
  }

  /** Whether requests may use members that others of the same plan do not. */
  get dependsOnValues(): boolean {
    return this.#values.size > 0
  }

  /**
   * Whether a request uses nothing that is not known yet. What is new is in the plan of that request (`askInput`),
   * except where later values are too long to be read: from then on they count as using all members.
   */
  covers(variables: VariableValues): boolean {
    const left = { values: mostValues }
    let isKnown = true
    for (const { variable, keys, type } of this.#values.values()) {
      isKnown &&= covered(valueAt(variables, variable, keys), type, left)
      if (left.values >= 0 || type.has('*')) continue
      useAll(type)
      isKnown = false
    }
    return isKnown
  }

  get size(): number {
    let size = 0
    for (const members of this.#types.values()) size += members.size
    return size
  }

  *parts(): Generator<AskedPart, void, void> {
    for (const [kind, tables] of this.#permissions) for (const table of tables) yield { kind, table }
    for (const [of, members] of this.#types) for (const name of members.keys()) yield { kind: 'member', of, name }
  }
}

/** What is left to be read. */
export interface ValuesLeft {
  values: number
}

/** Adds all that values of a type may use. */
function useAll(type: AskedMembers): void {
  if (type.has('*')) return
  type.set('*', null)
  for (const inner of type.values()) if (inner) useAll(inner)
}

function covered(json: unknown, type: AskedMembers, left: ValuesLeft): boolean {
  if (typeof json === 'string') return type.has(json)
  if (Array.isArray(json)) {
    for (const entry of json) {
      if (--left.values < 0) return true
      if (!covered(entry, type, left)) return false
    }
    return true
  }
  if (typeof json !== 'object' || json === null) return true
  // parsed JSON: nothing is inherited, and Object.keys makes a list each time
  for (const key in json) {
    if (--left.values < 0) return true
    const inner = type.get(key)
    if (inner === undefined) return false
    if (inner && !covered((json as Readonly<Record<string, unknown>>)[key], inner, left)) return false
  }
  return true
}
