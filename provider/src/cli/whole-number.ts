import { InvalidArgumentError } from 'commander'

/** An option's value as a whole number above 0. Throws InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0')
  return Number(text)
}

/** The same of one that has a limit. */
export const wholeNumberUpTo =
  (most: number) =>
  (text: string): number => {
    const number = wholeNumber(text)
    if (number > most) throw new InvalidArgumentError(`expected a whole number from 1 to ${most}`)
    return number
  }
