/** The kinds of value a setting can have: constructors of rows. */
import { z } from 'zod'
import { type NamedLater, type SettingOptions, setting } from './setting.ts'

const parsed = <T>(read: (text: string) => T): z.ZodType<T, string> =>
  z.string().transform((text, context) => {
    try {
      return read(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })

export const text = (options: SettingOptions): NamedLater<string | null> =>
  setting<string | null>('value', z.string(), null, 'TEXT', options)

export const textOr = (fallback: string, options: SettingOptions): NamedLater<string> =>
  setting('value', z.string(), fallback, 'TEXT', options)

const wholeNumber = (least: number, most: number) =>
  parsed((given) => {
    const number = Number(given)
    if (!/^[0-9]+$/.test(given) || number < least || number > most)
      throw new Error(`expected a whole number from ${least} to ${most}, but got "${given}"`)
    return number
  })

interface Bounds {
  readonly least?: number
  readonly most?: number
}

export const integer = (
  fallback: number,
  { least = 0, most = 2_147_483_647, ...options }: SettingOptions & Bounds,
): NamedLater<number> => setting('value', wholeNumber(least, most), fallback, 'NUMBER', options)

export const optionalInteger = ({
  least = 0,
  most = 2_147_483_647,
  ...options
}: SettingOptions & Bounds): NamedLater<number | null> =>
  setting<number | null>('value', wholeNumber(least, most), null, 'NUMBER', options)

const truths = new Map([
  ...['true', 't', 'yes', 'y'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n'].map((word) => [word, false] as const),
])

export const isTruthWord = (word: string) => truths.has(word.toLowerCase())

const truth = parsed((given) => {
  const value = truths.get(given.toLowerCase())
  if (value === undefined)
    throw new Error(
      `Not a valid boolean text. True values are true, t, yes, y; false values are false, f, no, n. ` +
        `All values are case insensitive; got "${given}"`,
    )
  return value
})

export const toggle = (fallback: boolean, options: SettingOptions): NamedLater<boolean> =>
  setting('switch', truth, fallback, 'true|false', options)

/** One of several words. */
export const choice = <const T extends string>(words: readonly T[], fallback: T, options: SettingOptions) =>
  setting<T>(
    'value',
    parsed((given) => wordOf(words, given)),
    fallback,
    words.join('|'),
    options,
  )

/** A comma-separated list of such words; empty text is the empty list. */
export const choices = <const T extends string>(
  words: readonly T[],
  fallback: readonly T[],
  options: SettingOptions,
): NamedLater<ReadonlySet<T>> =>
  setting<ReadonlySet<T>>(
    'value',
    parsed((given) => new Set(splitList(given).map((word) => wordOf(words, word)))),
    new Set(fallback),
    'LIST',
    { ...options, help: `${options.help} Of: ${words.join(', ')}.` },
  )

function wordOf<T extends string>(words: readonly T[], given: string): T {
  const word = words.find((candidate) => candidate === given)
  if (word === undefined) throw new Error(`expected ${words.join(', ')}, but got "${given}"`)
  return word
}

const splitList = (given: string) =>
  given
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Anything else that is read from text. */
export const readBy = <T>(read: (text: string) => T, fallback: T, options: SettingOptions): NamedLater<T> =>
  setting('value', parsed(read), fallback, 'TEXT', options)

/**
 * A setting that accepts only its default: another value is refused with the reason. A switch where the default is a
 * boolean.
 */
export const refused = (only: string, options: Omit<SettingOptions, 'served'>): NamedLater<string> =>
  setting(
    isTruthWord(only) ? 'switch' : 'value',
    parsed((given) => {
      const isSame = given === only || (truths.has(only) && truths.get(given.toLowerCase()) === truths.get(only))
      if (!isSame) throw new Error(`only "${only}" is taken. ${options.help}`)
      return only
    }),
    only,
    isTruthWord(only) ? 'true|false' : 'TEXT',
    { ...options, served: false },
  )
