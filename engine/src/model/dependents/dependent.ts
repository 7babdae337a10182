import { keyedObject, type MetadataDocument, type ObjectAddress, tableText } from '@svc/schema'
import type { DependentObject } from '../../metadata/index.ts'
import { factsOf } from '../parts/parts.ts'

/**
 * An object as a dependent (reference/metadata-document#dependencies): `permission author.user.select in source
 * "default"`.
 */
export function dependent(document: MetadataDocument, at: ObjectAddress): DependentObject {
  const { key, parent } = keyedObject(document, at)
  const own = tableText(Object.values(key)[0] ?? null)
  const above = parent ? tableText(Object.values(parent.key)[0] ?? null) : ''
  const source = (parent?.parent ?? parent)?.key.name
  const place = at.parent === null || !isInSource(at.parent) ? '' : ` in source "${String(source)}"`
  const { dependentText, isCascaded = false } = factsOf(at.type)
  const text = dependentText?.({ key, own, above }) ?? `${at.type.replaceAll('_', ' ')} ${own}`
  return { address: at, text: `${text}${place}`, isCascaded }
}

const isInSource = ({ type, parent }: ObjectAddress): boolean =>
  type === 'source' || (parent !== null && isInSource(parent))
