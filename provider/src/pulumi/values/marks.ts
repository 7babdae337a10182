import { hideTexts, holdsPassword } from '../../core/index.ts'
import {
  type Attributes,
  type AttributeType,
  isValues,
  partsOf,
  type Value,
  type Values,
} from '../../resources/index.ts'
import { pulumiName } from '../names.ts'

/** What of a value is secret: all of it, or something below it by key or place. */
export type Marks = 'secret' | ReadonlyMap<string | number, Marks>

/** What is secret in either of two; null: nothing. */
export function bothMarks(a: Marks | null, b: Marks | null): Marks | null {
  if (a === null || b === null) return a ?? b
  if (a === 'secret' || b === 'secret') return 'secret'
  const keys = new Set([...a.keys(), ...b.keys()])
  return new Map([...keys].flatMap((key) => entry(key, bothMarks(a.get(key) ?? null, b.get(key) ?? null))))
}

const entry = <K>(key: K, marks: Marks | null): readonly (readonly [K, Marks])[] =>
  marks === null ? [] : [[key, marks]]

/** What the declaration calls sensitive, and each address with a password in it, of properties as Pulumi names them. */
export const sensitiveMarks = (attributes: Attributes, properties: Values): Marks | null =>
  sensitiveIn({ kind: 'object', attributes }, properties)

function sensitiveIn(type: AttributeType, value: Value): Marks | null {
  if (typeof value === 'string') return type.kind === 'string' && holdsPassword(value) ? 'secret' : null
  const marks = partsOf(type, value, pulumiName).flatMap(({ step, type: own, value: part, attribute }) =>
    part === null ? [] : entry(step, attribute?.sensitive ? 'secret' : sensitiveIn(own, part)),
  )
  return marks.length === 0 ? null : new Map(marks)
}

/** Hides what is marked in a text, wherever an engine or a database may have repeated it. */
export const hideMarked = (properties: Values, marks: Marks | null): ((text: string) => string) =>
  hideTexts(marks === null ? [] : textsBelow(properties, marks))

function textsBelow(value: Value | undefined, marks: Marks): readonly string[] {
  if (marks === 'secret') return textsOf(value)
  return [...marks].flatMap(([key, below]) =>
    textsBelow(Array.isArray(value) ? value[Number(key)] : isValues(value) ? value[key] : undefined, below),
  )
}

function textsOf(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isValues(value) ? Object.values(value).flatMap(textsOf) : []
}

/** The marks of what stands at a key or a place. What is secret as a whole is so in each of its parts. */
export const marksAt = (marks: Marks | null, key: string | number): Marks | null =>
  marks === null || marks === 'secret' ? marks : (marks.get(key) ?? null)
