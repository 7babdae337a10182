import { isRecord, type MetadataDocument, readMetadata } from '@svc/schema'

/** Objects that a default may stand in for: the settings of the server that nothing else in metadata refers to. */
const keys = ['api_limits', 'network', 'opentelemetry']

/** `--metadata-defaults`: what counts where metadata has no object of that kind. Throws Error with the reason. */
export function parseMetadataDefaults(text: string): MetadataDocument {
  const json: unknown = JSON.parse(text)
  if (!isRecord(json)) throw new Error('expected a JSON object')
  const other = Object.keys(json).find((key) => !keys.includes(key))
  if (other !== undefined)
    throw new Error(`${other} cannot have a default: it belongs into the metadata; there are ${keys.join(', ')}`)
  const read = readMetadata({ version: 3, sources: [], ...json })
  if (!read.ok) throw new Error(`${read.issue.path.join('.')}: ${read.issue.message}`)
  return read.document
}
