import {
  childrenOf,
  equalJson,
  type MetadataDocument,
  type MetadataObject,
  objectKinds,
  putObject,
  sourceAddress,
} from '@svc/schema'
import { planChanges } from '../core/index.ts'

/**
 * What an engine has, with the sources that the project has in addition, without their tables, and with the connections of the
 * project: what migrations need before they can run. Nothing is deleted.
 */
function withSourcesOf(live: MetadataDocument, wanted: MetadataDocument): MetadataDocument {
  let document = live
  for (const [own, source] of childrenOf(wanted, 'source')) {
    const there = childrenOf(live, 'source').get(own)
    if (there && equalJson(there.value.configuration ?? null, source.value.configuration ?? null)) continue
    const now: MetadataObject = there
      ? { ...there, value: { ...there.value, configuration: source.value.configuration ?? null } }
      : { ...source, children: {} }
    document = putObject(document, sourceAddress(nameOf(source)), now)
  }
  return document
}

/** The plan that makes the engine's sources those of `withSourcesOf`. */
export const planSources = (live: MetadataDocument, wanted: MetadataDocument) =>
  planChanges(live, withSourcesOf(live, wanted))

export const sourceNames = (document: MetadataDocument): readonly string[] =>
  [...childrenOf(document, 'source').values()].map(nameOf)

const nameOf = (source: MetadataObject): string => String(objectKinds.source.key(source.value).name)
