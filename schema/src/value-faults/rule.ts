import type { Json, JsonObject } from '../json.ts'
import { isRecord } from '../shape.ts'

/** A value that an engine could store and never serve. The path is below the object's value. */
export interface ValueFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What is wrong with an object's value in some respect. */
export type Rule = (value: JsonObject) => readonly ValueFault[]

/** What is wrong with one value; null: nothing. */
export type Check = (value: Json) => string | null

/**
 * What a check says of the values at a pattern, keys with dots between them: `*` is each item of a list and each value of
 * a map, `@` each key of a map. Absent values are not checked.
 */
export function at(pattern: string, check: Check): Rule {
  const steps = pattern.split('.')
  return (value) => faultsAt(value, steps, [], check)
}

/** The same at several patterns. */
export const atEach = (patterns: readonly string[], check: Check): Rule => all(patterns.map((one) => at(one, check)))

export const all =
  (rules: readonly Rule[]): Rule =>
  (value) =>
    rules.flatMap((rule) => rule(value))

function faultsAt(
  value: Json | undefined,
  [step, ...rest]: readonly string[],
  path: readonly (string | number)[],
  check: Check,
): readonly ValueFault[] {
  if (value === undefined || value === null) return []
  if (step === undefined) return faultOf(path, check(value))
  if (step === '@')
    return isRecord(value) ? Object.keys(value).flatMap((key) => faultOf([...path, key], check(key))) : []
  if (step !== '*') return isRecord(value) ? faultsAt(value[step], rest, [...path, step], check) : []
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, i) => faultsAt(item, rest, [...path, i], check))
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, item]) => faultsAt(item, rest, [...path, key], check))
    : []
}

const faultOf = (path: ValueFault['path'], message: string | null): readonly ValueFault[] =>
  message === null ? [] : [{ path, message }]
