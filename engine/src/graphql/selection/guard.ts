import { isRawNumber } from '../../exact-json/index.ts'

/** What a plan took for granted about the variables of the request that it was made for. */
export interface Guard {
  readonly variable: string
  /** Into the variable's value. */
  readonly keys: readonly (string | number)[]
  readonly expect: Expectation
}

export type Expectation =
  | { readonly kind: 'absent' }
  | { readonly kind: 'null' }
  /** Present and not null. */
  | { readonly kind: 'value' }
  | { readonly kind: 'equal'; readonly to: string | boolean }
  /** An object of exactly these keys in this order. */
  | { readonly kind: 'object'; readonly keys: readonly string[] }
  | { readonly kind: 'list'; readonly length: number }

export type VariableValues = Readonly<Record<string, unknown>>

/** Whether a plan made under these guards serves these variables too. */
export function holds(guards: readonly Guard[], variables: VariableValues): boolean {
  for (const guard of guards) if (!meets(guard.expect, valueAt(variables, guard.variable, guard.keys))) return false
  return true
}

function meets(expect: Expectation, value: unknown): boolean {
  switch (expect.kind) {
    case 'absent':
      return value === undefined
    case 'null':
      return value === null
    case 'value':
      return value !== undefined && value !== null
    case 'equal':
      return value === expect.to
    case 'object':
      return isObject(value) && sameKeys(Object.keys(value), expect.keys)
    case 'list':
      return Array.isArray(value) && value.length === expect.length
  }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i])
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** The value of a variable, or a part of it; undefined where there is none. */
export function valueAt(variables: VariableValues, variable: string, keys: readonly (string | number)[]): unknown {
  let value: unknown = Object.hasOwn(variables, variable) ? variables[variable] : undefined
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}
