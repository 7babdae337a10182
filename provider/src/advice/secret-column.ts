import { columnsOf, type Rule } from './rule.ts'

/** As words of a name: `password_hash`, `apiKey`, `totp-secret`. */
const secret =
  /(?:^|[_-])(?:password|passwd|passphrase|pwd|secrets?|token|api_?key|private_?key|access_?key|salt|otp|totp|pin|cvv|cvc|ssn|credentials?)(?:$|[_-])/i

const words = (column: string): string => column.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')

/** A role reads a column whose name speaks of a secret. */
export const secretColumn: Rule = (object) => {
  if (object.permits !== 'select') return []
  return columnsOf(object)
    .filter((column) => secret.test(words(column)))
    .map((column) => ({
      message: `the role reads ${column}, which looks like a secret`,
      remedy: `take ${column} out of the columns of the permission`,
    }))
}
