import { factsOf, permissionOf, type Rule, tableName } from './rule.ts'

const large = 100_000

/** A role may request all rows of a large table at once. */
export const noRowLimit: Rule = (object) => {
  const rows = factsOf(object)?.rows ?? null
  if (object.permits !== 'select' || rows === null || rows < large) return []
  if (typeof permissionOf(object).limit === 'number') return []
  return [
    {
      message: `${tableName(object.place.table)} has some ${rows} rows, and the role may request all of them at once`,
      remedy: 'give the permission a limit',
    },
  ]
}
