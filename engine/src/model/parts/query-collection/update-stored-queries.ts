import { childrenOf } from '@svc/schema'
import type { LongWork } from '../../../long-work.ts'
import type { Model } from '../../model.ts'
import { checkStoredQueries, haveSameRoots, invalidQueries, noneChecked } from './check-stored-queries.ts'

/**
 * The model with its stored queries checked: they are the last, since they read everything that is served. Only those
 * that rest on something that changed are checked again.
 */
export function* updateStoredQueries(model: Model, previous: Model | null): LongWork<Model> {
  const { document, settings } = model.input
  const before = previous?.storedQueries ?? noneChecked
  if (!settings.checkStoredQuery || (before.size === 0 && childrenOf(document, 'query_collection').isEmpty()))
    return model
  if (
    previous &&
    readTheSame(previous, model) &&
    [...before.values()].every(({ verdict }) => verdict.errors.length === 0)
  )
    return { ...model, storedQueries: before }
  const storedQueries = yield* checkStoredQueries(model, previous, settings.checkStoredQuery)
  const invalid = invalidQueries(document, storedQueries)
  const inconsistencies = model.inconsistencies.asMutable()
  const faults = model.faults.asMutable()
  for (const key of before.keys()) {
    if (invalid.has(key)) continue
    inconsistencies.delete(key)
    faults.delete(key)
  }
  for (const [key, { object, fault }] of invalid) {
    inconsistencies.set(key, object)
    faults.set(key, fault)
  }
  return {
    ...model,
    storedQueries,
    inconsistencies: inconsistencies.wasAltered() ? inconsistencies.asImmutable() : model.inconsistencies,
    faults: faults.wasAltered() ? faults.asImmutable() : model.faults,
  }
}

/** Whether all that a stored query can read, and the queries, are the very same: a verdict is still valid then. */
const readTheSame = (previous: Model, model: Model): boolean =>
  childrenOf(previous.input.document, 'query_collection') === childrenOf(model.input.document, 'query_collection') &&
  previous.input.settings.checkStoredQuery === model.input.settings.checkStoredQuery &&
  previous.tables === model.tables &&
  previous.logicalRows === model.logicalRows &&
  haveSameRoots(model, previous)
