import { findObject, type MetadataObject, type ObjectAddress } from '@svc/schema'
import type { TableNode } from '../graph.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import { Flaw } from '../resolve/flaw.ts'
import { resolveComputedField } from '../resolve/resolve-computed-field.ts'
import { resolvePermission } from '../resolve/resolve-permission.ts'
import { declaredNames, resolveRelationship } from '../resolve/resolve-relationship.ts'
import { listenedTo, type Surroundings, type Use } from '../resolve/surroundings.ts'
import { tableIdOf } from '../table-id.ts'

/** Everything a relationship, computed field or permission stands on, found by resolving it once more. Inconsistent: as far as it got. */
export function usesOf(model: Model, at: ObjectAddress): readonly Use[] {
  const node = model.graph.nodes.get(tableIdOf(at))
  const object = findObject(model.input.document, at)
  if (!node?.served || !object) return []
  const uses: Use[] = []
  try {
    resolve(
      model,
      node,
      object,
      listenedTo(modelLookup(model), (use) => uses.push(use)),
    )
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
  }
  return uses
}

function resolve(model: Model, node: TableNode, object: MetadataObject, around: Surroundings): void {
  if (object.type === 'computed_field') {
    resolveComputedField(object, node.shape, node.face, around)
    return
  }
  if (object.type !== 'object_relation' && object.type !== 'array_relation') {
    resolvePermission(object, node.shape, around)
    return
  }
  const declared = declaredNames(findObject(model.input.document, node.address))
  resolveRelationship(object, node.shape, node.face, declared, around)
}
