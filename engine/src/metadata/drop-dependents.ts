import { addressText, type MetadataDocument, type ObjectAddress, type ObjectType } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { withoutObject } from './change-object.ts'
import type { Applied } from './operation.ts'
import type { DependentObject, OperationContext } from './operation-context.ts'

/** A refused drop, with what stands in its way; a dry run reports these objects as `needs`. */
export class DependencyError extends ApiError {
  readonly dependents: readonly DependentObject[]

  constructor(path: Path, at: Path, dependents: readonly DependentObject[]) {
    const items = dependents.map((dependent) => dependent.text).sort()
    super('dependency-error', path, `cannot drop due to the following dependent objects: ${items.join(', ')}`, { at })
    this.dependents = dependents
  }
}

interface Drop {
  readonly object: ObjectAddress
  readonly cascade: boolean
  /**
   * Kinds that cascade removes, if not all that it ever does; another dependent is 500 unexpected
   * (reference/metadata-document#dependencies).
   */
  readonly removes?: readonly ObjectType[]
  readonly path: Path
  readonly at: Path
}

/**
 * The document without an object and what depends on it (reference/metadata-document#dependencies). Without cascade a
 * dependent is a dependency-error, unless only an end state will be checked.
 */
export function dropWithDependents(
  document: MetadataDocument,
  { object, cascade, removes, path, at }: Drop,
  context: OperationContext,
): Applied {
  if (!cascade && context.checksEndState) return withoutObject(document, object)
  const dependents = context.dependentsOf(document, [object])
  if (dependents.length === 0) return withoutObject(document, object)
  if (!cascade) throw new DependencyError(path, at, dependents)
  const unforeseen = dependents.find(
    ({ address, isCascaded }) => !isCascaded || removes?.includes(address.type) === false,
  )
  if (unforeseen)
    throw new ApiError('unexpected', path, `cannot drop the dependent object: ${unforeseen.text}`, { status: 500, at })
  const removed = [...dependents.map(({ address }) => address), object]
  // one dependent may stand below another that is gone already
  return {
    document: removed.reduce((rest, address) => withoutObject(rest, address).document, document),
    touched: removed,
  }
}

/** Whether `address` is `above` or below it. */
export function isWithin(address: ObjectAddress, above: ObjectAddress): boolean {
  const text = addressText(above)
  for (let at: ObjectAddress | null = address; at; at = at.parent) if (addressText(at) === text) return true
  return false
}

export const tablePermissions: readonly ObjectType[] = [
  'insert_permission',
  'select_permission',
  'update_permission',
  'delete_permission',
]
