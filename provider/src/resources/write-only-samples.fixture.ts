/** Of the write-only form of an attribute: nothing of it in a sample, and the changes that give it. */
import type { Values } from './value.ts'

export const none = (name: string): Values => ({ [`${name}_wo`]: null, [`${name}_wo_version`]: null })

const version = (name: string, number: number): Values => ({
  [`${name}_wo`]: { 'x-secret': `value ${number}` },
  [`${name}_wo_version`]: number,
})

export const given = (name: string): Readonly<Record<string, Values>> => ({
  [`${name}_wo`]: version(name, 1),
  [`${name}_wo_version`]: version(name, 2),
})
