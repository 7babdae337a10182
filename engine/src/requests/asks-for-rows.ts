import { isRecord } from '@svc/schema'

/** The operations on rows, which are for every role (reference/metadata-requests#endpoints). */
const rowTypes: ReadonlySet<string> = new Set(['insert', 'select', 'update', 'delete', 'count'])

/**
 * Whether all that a body names are operations on rows, the members of bulks included: everything else is the admin's,
 * whether there is such an operation or not. A body that names nothing is for decoding to refuse.
 */
export function asksForRows(body: unknown): boolean {
  if (!isRecord(body) || typeof body.type !== 'string') return true
  if (body.type !== 'bulk') return rowTypes.has(body.type)
  const members: unknown = body.args
  return !Array.isArray(members) || members.every(asksForRows)
}
