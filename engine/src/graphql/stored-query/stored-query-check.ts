import { type Model, rowsOf, type StoredQueryCheck } from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import { parseDocument } from '../document/parse-document.ts'
import type { GraphqlSettings } from '../settings.ts'
import { roleSchema } from '../types/role-schema.ts'
import { checkQuery } from './check-query.ts'

/**
 * Stored queries against the schema of the admin (reference/stored-queries#collections-and-the-allow-list); a verdict
 * holds while what it looked at is the same.
 */
export const storedQueryCheck =
  (settings: GraphqlSettings): StoredQueryCheck =>
  (model, query) => {
    const document = parseDocument(query, settings)
    const { errors, tables, roots } = checkQuery(document, roleSchema(model, adminRole), settings)
    const looked = [...tables].map((id) => [id, rowsOf(model, id)] as const)
    const owners = [...roots].map((key) => [key, ownersOf(model, key)] as const)
    return {
      errors,
      holds: (now) =>
        looked.every(([id, table]) => rowsOf(now, id) === table) &&
        owners.every(([key, before]) => ownersOf(now, key).every((owner, i) => owner === before[i])),
    }
  }

/** What a root field stands for, whatever it is. */
const ownersOf = (model: Model, key: string): readonly unknown[] => {
  const owner = model.roots.query.get(key)
  const writer = model.roots.mutation.get(key)
  return [
    owner && JSON.stringify(owner),
    owner && 'function' in owner ? model.functions.get(owner.function) : undefined,
    owner && 'query' in owner ? model.nativeQueries.get(owner.query) : undefined,
    writer && JSON.stringify(writer),
    writer && 'function' in writer ? model.functions.get(writer.function) : undefined,
    model.roots.subscription.has(key),
    model.namespaces.has(key),
  ]
}
