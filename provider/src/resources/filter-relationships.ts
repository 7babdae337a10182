import type { Json } from '@svc/schema'
import { isObject } from './in-table.ts'

/**
 * Names of relationships that a row condition goes through, as far as its spelling tells: what stands under a column
 * are operators (`_eq`, `$in`), under a relationship further conditions.
 */
export function relationshipsOfFilter(filter: Json | undefined): readonly string[] {
  const names = new Set<string>()
  collect(filter, names)
  return [...names]
}

const isConnective = (key: string) => /^[_$](and|or|not)$/.test(key)
const isOperator = (key: string) => /^[_$]/.test(key) && !isConnective(key)

function collect(part: Json | undefined, names: Set<string>): void {
  if (Array.isArray(part)) for (const one of part as readonly Json[]) collect(one, names)
  if (!isObject(part)) return
  for (const [key, below] of Object.entries(part)) {
    if (/^[_$]exists$/.test(key)) collect(isObject(below) ? (below._where ?? below.$where) : undefined, names)
    else if (isConnective(key)) collect(below, names)
    else if (!isOperator(key) && isObject(below) && !Object.keys(below).some(isOperator)) {
      names.add(key)
      collect(below, names)
    }
  }
}
