import { createHash } from 'node:crypto'
import { keptFor } from '../../../kept-for.ts'

/** The name a statement is prepared under: the same for the same text on every connection. */
export const statementName = keptFor(
  (plan: { readonly text: string }) => `svc_${createHash('sha256').update(plan.text).digest('base64url').slice(0, 24)}`,
)
