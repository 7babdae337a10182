import type { JsonObject } from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import type { BooleanExpression, QualifiedName } from '../../ir/index.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedRows, ResolvedTable } from '../resolved-rows.ts'
import { siblingTableId } from '../table-id.ts'
import { ResolutionError } from './resolution-error.ts'
import { resolveExpression } from './resolve-expression.ts'
import { listenedTo } from './surroundings.ts'

/**
 * A condition in the spelling of permissions, canonical, as a request gives it
 * (reference/filters#expressions-of-permissions, reference/row-api): what it means for whoever may see everything.
 * Throws not-exists for what there is not, unexpected-payload for what is wrong in itself, parse-failed for a value
 * that its column cannot hold.
 */
export function resolveWhere(model: Model, table: ResolvedRows, where: JsonObject, path: Path): BooleanExpression {
  const shape = model.graph.nodes.get(table.id)?.shape
  if (!shape) throw new Error(`${table.id} is served without a shape`)
  try {
    return resolveExpression(
      where,
      { row: shape, root: shape },
      listenedTo(modelLookup(model), () => {}),
      [],
    )
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error
    const { cause, isValue, at = [] } = error.detail
    const code = isValue ? 'parse-failed' : cause === 'definition' ? 'unexpected-payload' : 'not-exists'
    throw new ApiError(code, path.at(...at), error.message)
  }
}

/** A table of the same source, by its name in the database. */
export const siblingTable = (model: Model, near: TableId, name: QualifiedName): ResolvedTable | undefined =>
  model.tables.get(siblingTableId(near, name))
