import { childrenOf, isRecord, kindOfSource, type MetadataDocument, type MetadataObject, tablesWith } from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import { ApiError, type Path } from '../errors.ts'

/**
 * Throws not-supported for the first thing in a document that sources of its kind cannot have. A caller that takes a document with
 * inconsistent objects stores it, and it is one of these.
 */
export function refuseUnsupported(document: MetadataDocument, kinds: readonly SourceKind[], path: Path): void {
  for (const source of childrenOf(document, 'source').values()) {
    const unsupported = kinds.find(({ kind }) => kind === kindOfSource(source.value))?.unsupported
    const text = unsupported && unsupportedIn(source, unsupported)
    if (text) throw new ApiError('not-supported', path, text)
  }
}

function unsupportedIn(source: MetadataObject, texts: NonNullable<SourceKind['unsupported']>): string | undefined {
  const { customization } = source.value
  if (isRecord(customization) && customization.naming_convention === 'graphql-default' && texts.namingConvention)
    return texts.namingConvention
  if (texts.functions && childrenOf(source, 'function').size > 0) return texts.functions
  if (texts.computedFields && tablesWith(source, 'computed_field').size > 0) return texts.computedFields
  if (texts.eventTriggers && tablesWith(source, 'event_trigger').size > 0) return texts.eventTriggers
  const isEnum = ({ value }: MetadataObject) => value.is_enum === true
  return texts.enums && childrenOf(source, 'table').some(isEnum) ? texts.enums : undefined
}
