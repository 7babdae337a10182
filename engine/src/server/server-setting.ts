import { childrenOf, type JsonObject, type MetadataDocument } from '@svc/schema'

/** An object of metadata that is there at most once, or the one that stands in for it (--metadata-defaults). */
export function serverSetting(
  kind: 'api_limits' | 'network' | 'opentelemetry',
  document: MetadataDocument,
  defaults: MetadataDocument,
): JsonObject | null {
  return (childrenOf(document, kind).first() ?? childrenOf(defaults, kind).first())?.value ?? null
}
