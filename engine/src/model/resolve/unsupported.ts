import { kindOfSource, type MetadataObject } from '@svc/schema'
import type { SourceKind, Unsupported } from '../../backends/index.ts'
import type { ReadySource } from '../../sources/index.ts'
import { definitionError } from './resolution-error.ts'

/** The kind that a source is of. */
export const sourceKindOf = (source: MetadataObject, { backend }: ReadySource): SourceKind | undefined =>
  backend.kinds.find(({ kind }) => kind === kindOfSource(source.value))

/** Throws a ResolutionError where sources of the kind cannot have it. */
export function refuseUnsupported(source: MetadataObject, state: ReadySource, what: keyof Unsupported): void {
  const text = sourceKindOf(source, state)?.unsupported?.[what]
  if (text !== undefined) throw definitionError(text)
}
