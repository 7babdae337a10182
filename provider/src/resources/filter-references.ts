import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'

/** What a row condition leads to, as far as its spelling shows. */
export interface FilterReferences {
  /** Names: what stands under a column are operators (`_eq`, `$in`), under a relationship further conditions. */
  readonly relationships: readonly string[]
  /** Those below other relationships or `_exists`, and so of other tables. */
  readonly elsewhere: readonly string[]
  /** Of `_exists`. */
  readonly tables: readonly Json[]
}

export function referencesOfFilter(filter: Json | undefined): FilterReferences {
  const relationships = new Set<string>()
  const elsewhere = new Set<string>()
  const tables: Json[] = []
  const collect = (part: Json | undefined, names: Set<string>): void => {
    if (Array.isArray(part)) for (const one of part as readonly Json[]) collect(one, names)
    if (!isRecord(part)) return
    for (const [key, below] of Object.entries(part)) {
      if (isExists(key)) {
        const { _table = null, _where } = recordOf(below)
        tables.push(_table)
        collect(_where, elsewhere)
      } else if (isConnective(key)) collect(below, names)
      else if (isAggregate(key, below)) {
        names.add(key.slice(0, -AGGREGATE.length))
        for (const { filter } of Object.values(below).filter(isRecord)) collect(filter, elsewhere)
      } else if (!isOperator(key) && isRecord(below) && !Object.keys(below).some(isOperator)) {
        names.add(key)
        collect(below, elsewhere)
      }
    }
  }
  collect(filter, relationships)
  return { relationships: [...relationships], elsewhere: [...elsewhere], tables }
}

const AGGREGATE = '_aggregate'

/** `<relationship>_aggregate: {<function>: {arguments, filter, predicate}}`: no condition of a relationship has that form. */
const isAggregate = (key: string, below: Json): below is JsonObject =>
  key.endsWith(AGGREGATE) &&
  isRecord(below) &&
  Object.values(below).some((one) => isRecord(one) && isRecord(one.predicate))

const isExists = (key: string) => /^[_$]exists$/.test(key)
const isConnective = (key: string) => /^[_$](and|or|not)$/.test(key)
const isOperator = (key: string) => /^[_$]/.test(key) && !isConnective(key)
