import type { Made } from '../core/index.ts'
import { isValues, type Values } from '../resources/index.ts'

/** Pulumi shows no names that begin so. */
const VERSION = '__version'
const MADE = '__made'

/** The version of its kind that a resource in a state is of: 0 where none is written down. */
export const storedVersion = (properties: Values): number => Number(properties[VERSION] ?? 0)

export const withStateVersion = (properties: Values, version: number): Values =>
  version === 0 ? properties : { ...properties, [VERSION]: version }

/**
 * Returns the catalogue and the version that made the object, as stored next to the properties; undefined where an
 * older plugin stored it, which did not write them.
 */
export function storedMade({ [MADE]: made = null }: Values): Made | undefined {
  if (!isValues(made)) return undefined
  const { catalog, version } = made
  return typeof catalog === 'string' && typeof version === 'number' ? { catalog, version } : undefined
}

export const withMade = (properties: Values, made: Made | undefined): Values =>
  made === undefined ? properties : { ...properties, [MADE]: { ...made } }
