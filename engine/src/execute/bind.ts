import type { TypeSystem } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { isLongJson, LONG, markLong } from '../exact-json/index.ts'
import {
  coerce,
  coerceLong,
  filledSize,
  fillTemplate,
  type OperationPlan,
  type VariableValues,
  valueAt,
} from '../graphql/index.ts'
import type { Value } from '../ir/index.ts'
import { finish, type LongWork } from '../long-work.ts'
import type { Session } from '../session.ts'
import { type Allowance, requireLeft, spend } from './allowance.ts'

/** What fills the slots of a plan's statements. */
export interface Bindings {
  readonly templates: OperationPlan['templates']
  readonly variables: VariableValues
  readonly session: Session
  readonly allowance: Allowance
  /** By the names that a write has for its inputs. */
  readonly inputs?: ReadonlyMap<string, string | null>
}

/**
 * A slot -> the database's text. Throws what coercion says at the variable's place, and not-found at `$` for a session
 * variable that the request lacks (reference/filters#expressions-of-permissions), bad-request once the operation's
 * values are larger than allowed.
 */
export function bindValue(value: Value, types: TypeSystem, bindings: Bindings): string | null {
  return finish(bindLong(value, types, bindings))
}

/** Binds all slots of a statement, in pieces: a list of 100,000 may stand in hundreds of them. */
export function* bindSlots(
  slots: readonly Value[],
  types: TypeSystem,
  bindings: Bindings,
): LongWork<readonly (string | null)[]> {
  const texts: (string | null)[] = []
  for (const slot of slots) {
    const text = yield* bindLong(slot, types, bindings)
    texts.push(text)
    if (text !== null && text.length > SMALL) yield Math.ceil(text.length / 1024)
  }
  return texts
}

/** Characters of a text that takes no time. */
const SMALL = 1024

/** Binds all slots where each value is short; returns null where one may be long. Throws as `bindSlots` does. */
export function bindShort(
  slots: readonly Value[],
  types: TypeSystem,
  bindings: Bindings,
): readonly (string | null)[] | null {
  const texts: (string | null)[] = []
  for (const slot of slots) {
    const text = shortText(slot, types, bindings)
    if (text === undefined || (text !== null && text.length > SMALL)) return null
    texts.push(text)
    if (text !== null) spend(bindings.allowance, text.length)
  }
  return texts
}

export function* bindLong(value: Value, types: TypeSystem, bindings: Bindings): LongWork<string | null> {
  const text = yield* textOf(value, types, bindings)
  if (text !== null) spend(bindings.allowance, text.length)
  return text
}

function* textOf(value: Value, types: TypeSystem, bindings: Bindings): LongWork<string | null> {
  const short = shortText(value, types, bindings)
  if (short !== undefined || value.kind !== 'variable') return short ?? null
  const path = new Path(value.path)
  const template = bindings.templates.get(value.variable)
  if (!template)
    return yield* coerceLong(types, value.type, valueAt(bindings.variables, value.variable, value.keys), path)
  // before it is written out
  const size = filledSize(template, bindings.variables)
  requireLeft(bindings.allowance, size)
  const json = fillTemplate(template, bindings.variables)
  if (size <= LONG) return coerce(types, value.type, json, path)
  if (typeof json === 'object' && json !== null) markLong(json, { levels: 1, size })
  return yield* coerceLong(types, value.type, json, path)
}

/** Undefined: it may be long. */
export function shortText(value: Value, types: TypeSystem, bindings: Bindings): string | null | undefined {
  switch (value.kind) {
    case 'constant':
      return value.text
    case 'session': {
      const text = bindings.session.variables.get(value.variable)
      if (text === undefined)
        throw new ApiError('not-found', Path.root, `missing session variable: "${value.variable}"`)
      return types.coerceSession(value.type, text)
    }
    case 'input':
      return bindings.inputs?.get(value.name) ?? null
    case 'session-variables':
      return JSON.stringify(Object.fromEntries(bindings.session.variables))
    case 'variable': {
      if (bindings.templates.has(value.variable)) return undefined
      const json = valueAt(bindings.variables, value.variable, value.keys)
      return isLongJson(json) ? undefined : coerce(types, value.type, json, new Path(value.path))
    }
  }
}
