import {
  type CommonKind,
  hasUnknown,
  identityOf,
  importId,
  isValues,
  type JsonSpelling,
  type Path,
  unknown,
  type Value,
  type Values,
} from '../resources/index.ts'
import { fillDefaults } from './fill-defaults.ts'
import { equalValues, normalForm } from './normal-form.ts'
import { withoutWriteOnly } from './write-only.ts'

export interface PlannedValues {
  /** `prior` itself where nothing changes. */
  readonly planned: Values
  readonly replace: readonly Path[]
  readonly changed: readonly Path[]
}

/**
 * Returns what a resource will be: inputs with defaults, the former spelling where it means the same, the id as far as
 * the identity is known.
 */
export function planValues(
  kind: CommonKind,
  prior: Values | null,
  config: Values,
  spelling: JsonSpelling,
): PlannedValues {
  const inputs = withoutWriteOnly(kind, fillDefaults(kind.attributes, config))
  if (prior === null)
    return {
      planned: withId(kind, inputs),
      replace: [],
      changed: kind.fields.filter(({ name }) => inputs[name] !== null).map(({ name }) => [name]),
    }
  // most resources of most plans are what they were: half the work of a plan is not done
  if (kind.fields.every(({ name }) => equalValues(inputs[name], prior[name])))
    return { planned: prior, replace: [], changed: [] }
  const changes = changesOf(kind, prior, inputs, spelling)
  const planned = Object.fromEntries<Value>(
    kind.fields.map(({ name }) => {
      const before: Value = prior[name] ?? null
      const now: Value = inputs[name] ?? null
      return [name, changes.has(name) || !isGivenAlike(before, now) ? now : before]
    }),
  )
  if (kind.fields.every(({ name }) => planned[name] === (prior[name] ?? null)))
    return { planned: prior, replace: [], changed: [] }
  return {
    planned: withId(kind, planned),
    replace: kind.fields
      .filter(({ name, attribute }) => attribute.replace && changes.has(name))
      .map(({ name }) => [name]),
    changed: [...changes.values()].flat(),
  }
}

/** Tools let a plan keep a former value only where an attribute is set both before and now, at every depth. */
function isGivenAlike(before: Value, now: Value): boolean {
  if (before === null || now === null) return before === now
  if (!isValues(before) || !isValues(now)) return true
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].every((name) => isGivenAlike(before[name] ?? null, now[name] ?? null))
}

/** Returns the values with the id, which is unknown as long as the identity is. */
export const withId = (kind: CommonKind, values: Values): Values => {
  const identity = identityOf(kind, values)
  return { ...values, id: identity === null ? unknown : importId(identity) }
}

/** The attributes that differ, each with the paths at which it does. */
function changesOf(
  kind: CommonKind,
  prior: Values,
  inputs: Values,
  spelling: JsonSpelling,
): ReadonlyMap<string, readonly Path[]> {
  const open = new Set(kind.fields.map(({ name }) => name).filter((name) => hasUnknown(inputs[name])))
  const comparable = Object.fromEntries<Value>(
    Object.entries(inputs).map(([name, value]) => [name, open.has(name) ? (prior[name] ?? null) : value]),
  )
  const before = normalForm(kind, prior, spelling)
  const after = normalForm(kind, comparable, spelling)
  return new Map(
    kind.fields.flatMap(({ name }) => {
      if (open.has(name)) return [[name, [[name]]] as const]
      const paths = differingPaths(before[name], after[name], [name])
      return paths.length === 0 ? [] : [[name, paths] as const]
    }),
  )
}

function differingPaths(old: Value | undefined, now: Value | undefined, path: Path): readonly Path[] {
  if (equalValues(old, now)) return []
  if (!isValues(old) || !isValues(now)) return [path]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.flatMap((name) => differingPaths(old[name], now[name], [...path, name]))
}
