import type { Values } from '../resources/index.ts'

/** Pulumi shows no names that begin so. */
const VERSION = '__version'

/** The version of its kind that a resource in a state is of: 0 where none is written down. */
export const storedVersion = (properties: Values): number => Number(properties[VERSION] ?? 0)

export const withStateVersion = (properties: Values, version: number): Values =>
  version === 0 ? properties : { ...properties, [VERSION]: version }
