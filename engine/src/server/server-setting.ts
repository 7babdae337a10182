import { childrenOf, type JsonObject, type MetadataDocument } from '@svc/schema'

/** Returns an object of metadata that exists at most once, or its default (--metadata-defaults). */
export function serverSetting(
  kind: 'api_limits' | 'network' | 'opentelemetry',
  document: MetadataDocument,
  defaults: MetadataDocument,
): JsonObject | null {
  return (childrenOf(document, kind).first() ?? childrenOf(defaults, kind).first())?.value ?? null
}
