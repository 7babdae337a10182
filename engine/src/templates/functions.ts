/** The functions of the language (reference/transforms#the-template-language). Each takes exactly one argument. */
import type { Fuel } from './fuel.ts'
import { FunctionFailure } from './template-error.ts'
import {
  isList,
  isNumeric,
  isObject,
  kindOf,
  type TemplateObject,
  type TemplateValue,
  type ValueKind,
} from './value.ts'

/** Throws FunctionFailure with its own text. */
export type TemplateFunction = (argument: TemplateValue, fuel: Fuel) => TemplateValue

const wrongKind = (expected: ValueKind, value: TemplateValue) =>
  new FunctionFailure(`parsing ${expected} failed, expected ${expected}, but encountered ${kindOf(value)}`)

function text(value: TemplateValue, fuel: Fuel): string {
  if (typeof value !== 'string') throw wrongKind('String', value)
  fuel.characters(value.length)
  return value
}

function list(value: TemplateValue, fuel: Fuel): readonly TemplateValue[] {
  if (!isList(value)) throw wrongKind('Array', value)
  fuel.step(value.length)
  return value
}

function object(value: TemplateValue, fuel: Fuel): TemplateObject {
  if (!isObject(value)) throw wrongKind('Object', value)
  fuel.step(Object.keys(value).length)
  return value
}

const onText =
  (act: (value: string) => string): TemplateFunction =>
  (value, fuel) => {
    const made = act(text(value, fuel))
    fuel.characters(made.length)
    return made
  }

/** Percent-encodes all but letters, digits and `-_.~`. */
export const escapeUri = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

function empty(value: TemplateValue): boolean {
  if (typeof value === 'boolean') throw new FunctionFailure('Cannot define emptiness for a boolean')
  if (value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (isNumeric(value)) return Number(typeof value === 'number' ? value : value.rawJSON) === 0
  return isList(value) ? value.length === 0 : Object.keys(value).length === 0
}

function size(value: TemplateValue): TemplateValue {
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') return [...value].length
  if (isNumeric(value)) return value
  return isList(value) ? value.length : Object.keys(value).length
}

function inverse(value: TemplateValue, fuel: Fuel): TemplateValue {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return [...text(value, fuel)].reverse().join('')
  if (isList(value)) return [...list(value, fuel)].reverse()
  if (!isNumeric(value)) return value
  const inverted = 1 / Number(typeof value === 'number' ? value : value.rawJSON)
  if (!Number.isFinite(inverted)) throw new FunctionFailure('Cannot invert zero')
  return inverted
}

/** A text's first character or the rest; an array's likewise. */
const part =
  (
    ofText: (characters: readonly string[]) => string,
    ofList: (items: readonly TemplateValue[]) => TemplateValue,
  ): TemplateFunction =>
  (value, fuel) => {
    if (typeof value === 'string') {
      if (value === '') throw new FunctionFailure('Empty string')
      return ofText([...text(value, fuel)])
    }
    if (!isList(value)) throw new FunctionFailure('Expected an array or string')
    if (value.length === 0) throw new FunctionFailure('Empty array')
    return ofList(list(value, fuel))
  }

function concat(value: TemplateValue, fuel: Fuel): TemplateValue {
  const parts = list(value, fuel)
  const [first] = parts
  if (first === undefined) return []
  if (typeof first === 'string') return parts.map((item) => text(item, fuel)).join('')
  if (isList(first)) return parts.flatMap((item) => list(item, fuel))
  if (isObject(first)) return Object.fromEntries(parts.flatMap((item) => Object.entries(object(item, fuel))))
  throw new FunctionFailure('Expected an array of arrays, strings or objects')
}

function fromPairs(value: TemplateValue, fuel: Fuel): TemplateValue {
  return Object.fromEntries(
    list(value, fuel).map((pair) => {
      const [key, item, ...more] = list(pair, fuel)
      if (key === undefined || item === undefined || more.length > 0)
        throw new FunctionFailure('Expected an array of pairs')
      return [text(key, fuel), item]
    }),
  )
}

function toTitle(value: string): string {
  return value.toLowerCase().replace(/\p{L}[\p{L}\p{M}\p{N}'’]*/gu, (word) => {
    const [first = ''] = word
    return first.toUpperCase() + word.slice(first.length)
  })
}

export const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['empty', empty],
  ['size', size],
  ['inverse', inverse],
  [
    'head',
    part(
      ([first = '']) => first,
      ([first = null]) => first,
    ),
  ],
  [
    'tail',
    part(
      ([, ...rest]) => rest.join(''),
      ([, ...rest]) => rest,
    ),
  ],
  ['toLower', onText((value) => value.toLowerCase())],
  ['toUpper', onText((value) => value.toUpperCase())],
  ['toTitle', onText(toTitle)],
  ['toCaseFold', onText((value) => value.toUpperCase().toLowerCase())],
  ['escapeUri', onText(escapeUri)],
  ['toPairs', (value, fuel) => Object.entries(object(value, fuel))],
  ['fromPairs', fromPairs],
  ['removeNulls', (value, fuel) => list(value, fuel).filter((item) => item !== null)],
  ['concat', concat],
])
