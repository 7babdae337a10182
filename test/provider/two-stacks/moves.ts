import { isDeepStrictEqual } from 'node:util'
import { objectOf, type Program } from './declared.ts'

/** Which key a resource that both programs have has now, where it is another one. */
export function movesOf(before: Program, now: Program): ReadonlyMap<string, string> {
  return new Map(
    [...before].flatMap(([name, declared]) => {
      const after = now.get(name)
      if (!after || after.kind !== declared.kind) return []
      const [old, key] = [objectOf(before, declared)[0], objectOf(now, after)[0]]
      return old === key ? [] : [[old, key] as const]
    }),
  )
}

/** The value of another one's object, but for what leads to a table that was moved. */
export function isSameBut(moves: ReadonlyMap<string, string>, before: unknown, now: unknown): boolean {
  if (isDeepStrictEqual(before, now)) return true
  if (!leads(before) || !leads(now)) return false
  return now.to === (moves.get(before.to) ?? before.to) && now.comment === before.comment
}

const leads = (value: unknown): value is { readonly to: string; readonly comment: string } =>
  typeof value === 'object' && value !== null && 'to' in value && 'comment' in value
