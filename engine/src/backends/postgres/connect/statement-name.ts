import { createHash } from 'node:crypto'

const names = new WeakMap<object, string>()

/** The name a statement is prepared under: the same for the same text on every connection. */
export function statementName(plan: { readonly text: string }): string {
  const known = names.get(plan)
  if (known !== undefined) return known
  const name = `svc_${createHash('sha256').update(plan.text).digest('base64url').slice(0, 24)}`
  names.set(plan, name)
  return name
}
