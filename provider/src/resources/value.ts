import { isRawNumber } from '@svc/schema'

/** Stands for a value that is not known before something else is made: one symbol, whatever a tool calls it. */
export const unknown: unique symbol = Symbol('unknown')
type Unknown = typeof unknown

/** A value of an attribute as tools pass it; null where it is not set. */
export type Value = null | boolean | number | string | Unknown | readonly Value[] | Values

/** The attributes of an object or a resource by name; every name of its declaration is there. */
export interface Values {
  readonly [name: string]: Value
}

/** Where a value stands below a resource: names of attributes, keys of maps, places in lists. */
export type Path = readonly (string | number)[]

export const isValues = (value: Value | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Whether something at or below a value is not known yet. */
export function hasUnknown(value: Value | undefined): boolean {
  if (value === unknown) return true
  if (Array.isArray(value)) return value.some(hasUnknown)
  return isValues(value) && Object.values(value).some(hasUnknown)
}
