import type { JsonObject } from '@svc/schema'
import { ApiError, type ErrorCode, type Path } from '../../errors.ts'
import type { BooleanExpression, QualifiedName } from '../../ir/index.ts'
import type { Model } from '../model.ts'
import { modelLookup } from '../model-lookup.ts'
import type { TableId } from '../object-ids.ts'
import type { ResolvedRows, ResolvedTable } from '../resolved-rows.ts'
import { siblingTableId } from '../table-id.ts'
import { ResolutionError, type ResolutionErrorDetail } from './resolution-error.ts'
import { PlainResolveContext } from './resolve-context.ts'
import { resolveExpression } from './resolve-expression.ts'

/**
 * Resolves a condition in the spelling of permissions, canonical, as a request has it
 * (reference/filters#expressions-of-permissions, reference/row-api): what it means for a role that may see everything.
 * Throws not-exists for what there is not, unexpected-payload for what is wrong in itself, parse-failed for a value
 * that its column cannot hold, not-supported for a column behind a relationship.
 */
export function resolveWhere(model: Model, table: ResolvedRows, where: JsonObject, path: Path): BooleanExpression {
  const shape = model.graph.nodes.get(table.id)?.shape
  if (!shape) throw new Error(`${table.id} is served without a shape`)
  try {
    return resolveExpression(where, { row: shape, root: shape }, new PlainResolveContext(modelLookup(model)), [])
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error
    throw new ApiError(codeOf(error.detail), path.at(...(error.detail.at ?? [])), error.message)
  }
}

function codeOf({ cause, isValue, isUnsupported }: ResolutionErrorDetail): ErrorCode {
  if (isValue) return 'parse-failed'
  if (isUnsupported) return 'not-supported'
  return cause === 'definition' ? 'unexpected-payload' : 'not-exists'
}

/** A table of the same source, by its name in the database. */
export const siblingTable = (model: Model, near: TableId, name: QualifiedName): ResolvedTable | undefined =>
  model.tables.get(siblingTableId(near, name))
