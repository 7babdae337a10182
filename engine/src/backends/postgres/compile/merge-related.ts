import { allOf, anyOf, type BooleanExpression } from '../../../ir/index.ts'

type Related = BooleanExpression & { readonly kind: 'exists-related' }

/**
 * The members of a conjunction or a disjunction, with conditions on the same relationship made one where that says the same:
 * in a disjunction always, in a conjunction where one row is reached at most (two rows of a list may satisfy one each).
 * Each is a join to PostgreSQL's planner, whose time grows with their cube: 300 equal ones took minutes.
 */
export function mergeRelated(kind: 'and' | 'or', parts: readonly BooleanExpression[]): readonly BooleanExpression[] {
  const groups = new Map<Related['join'], Related[]>()
  for (const part of parts)
    if (part.kind === 'exists-related' && !part.join.query && (kind === 'or' || part.join.unique)) put(groups, part)
  if ([...groups.values()].every((group) => group.length === 1)) return parts
  return parts.flatMap((part) => {
    const group = part.kind === 'exists-related' ? groups.get(part.join) : undefined
    if (part.kind !== 'exists-related' || !group || group.length === 1) return [part]
    if (group[0] !== part) return []
    const wheres = group.map(({ where }) => where)
    return [{ ...part, where: kind === 'and' ? conjunction(wheres) : disjunction(wheres) }]
  })
}

function put(groups: Map<Related['join'], Related[]>, part: Related): void {
  const group = groups.get(part.join)
  if (group) group.push(part)
  else groups.set(part.join, [part])
}

const partsOf = (e: BooleanExpression): readonly BooleanExpression[] => (e.kind === 'and' ? e.of : [e])

/** The target's own filter, the same value in each, stands there once. */
const conjunction = (wheres: readonly BooleanExpression[]): BooleanExpression =>
  allOf([...new Set(wheres.flatMap(partsOf))])

function disjunction(wheres: readonly BooleanExpression[]): BooleanExpression {
  const [first = [], ...others] = wheres.map((where) => new Set(partsOf(where)))
  const shared = new Set([...first].filter((part) => others.every((parts) => parts.has(part))))
  const rest = wheres.map((where) => allOf(partsOf(where).filter((part) => !shared.has(part))))
  return allOf([...shared, anyOf(rest)])
}
