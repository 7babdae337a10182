import type { Attributes, Values } from '../resources/index.ts'
import { changeObjects } from './change-objects.ts'

/** Every attribute by name, null where nothing is given, defaults filled in, also below. What is unknown stays so. */
export function fillDefaults(attributes: Attributes, values: Values): Values {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, default: whenAbsent = null }]) => {
      const given = values[name] ?? null
      return [name, given === null ? whenAbsent : changeObjects(type, given, fillDefaults)]
    }),
  )
}
