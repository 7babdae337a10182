import { isRecord } from '@svc/schema'
import { WrittenJson } from '../json-bytes/index.ts'

/**
 * An answer of the metadata API in the reference's form (--reference-answers, docs/migration.md): get_inconsistent_metadata
 * is an object, and metadata has the reference's words. `body` is the request that was answered.
 */
export function referenceAnswer(body: unknown, given: unknown): unknown {
  const answer = given instanceof WrittenJson ? given.toJSON() : given
  if (!isRecord(body)) return answer
  const { type, args } = body
  if (typeof type === 'string' && /^(concurrent_)?bulk(_keep_going)?$/.test(type))
    return Array.isArray(args) && Array.isArray(answer)
      ? answer.map((one: unknown, i) => referenceAnswer(args[i], one))
      : answer
  if (type === 'get_inconsistent_metadata' && Array.isArray(answer))
    return { is_consistent: answer.length === 0, inconsistent_objects: referenceWords(answer) }
  return speaksOfMetadata.has(String(type)) ? referenceWords(answer) : answer
}

const speaksOfMetadata = new Set([
  'export_metadata',
  'replace_metadata',
  'reload_metadata',
  'get_inconsistent_metadata',
])

/** Metadata, or parts of it: only what has the shape of metadata is renamed, whatever users call their columns. */
function referenceWords(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(referenceWords)
  if (!isRecord(json)) return json
  const isJoin = json.remote_schema !== undefined && json.remote_field !== undefined
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (isJoin && key === 'svc_fields') return ['hasura_fields', value]
      if (key === 'naming_convention' && typeof value === 'string') return [key, referenceConvention(value)]
      return [key, referenceWords(value)]
    }),
  )
}

export const referenceConvention = (name: string): string => (name === 'svc-default' ? 'hasura-default' : name)
