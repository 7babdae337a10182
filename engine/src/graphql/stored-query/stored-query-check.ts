import { equalJson } from '@svc/schema'
import { haveSameRoots, type Model, type RootFieldOwner, rowsOf, type StoredQueryCheck } from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import { parseDocument } from '../document/parse-document.ts'
import type { GraphqlSettings } from '../settings.ts'
import { roleSchema } from '../types/role-schema.ts'
import { checkQuery } from './check-query.ts'

/**
 * Stored queries against the schema of a role (reference/stored-queries#collections-and-the-allow-list); a verdict
 * is valid while what it read is the same.
 */
export const storedQueryCheck =
  (settings: GraphqlSettings): StoredQueryCheck =>
  (model, query, role = adminRole) => {
    const document = parseDocument(query, settings)
    const { errors, warnings, tables, roots } = checkQuery(document, roleSchema(model, role), settings)
    const read = [...tables].map((id) => [id, rowsOf(model, id)] as const)
    const owners = [...roots].map((key) => [key, ownersOf(model, key)] as const)
    return {
      errors,
      warnings,
      holds: (now, last) =>
        read.every(([id, table]) => rowsOf(now, id) === table) &&
        (haveSameRoots(now, last) || owners.every(([key, before]) => isSame(ownersOf(now, key), before))),
    }
  }

/** What a root field stands for, whatever it is. */
interface RootOwners {
  /** Small, and mostly the same reference as before. */
  readonly fields: readonly (RootFieldOwner | undefined)[]
  /** The same reference while they mean the same. */
  readonly others: readonly unknown[]
}

function ownersOf(model: Model, key: string): RootOwners {
  const owner = model.roots.query.get(key)
  const writer = model.roots.mutation.get(key)
  return {
    fields: [owner, writer],
    others: [
      owner && 'function' in owner ? model.functions.get(owner.function) : undefined,
      owner && 'query' in owner ? model.nativeQueries.get(owner.query) : undefined,
      writer && 'function' in writer ? model.functions.get(writer.function) : undefined,
      model.roots.subscription.has(key),
      model.namespaces.has(key),
    ],
  }
}

const isSame = (a: RootOwners, b: RootOwners): boolean =>
  a.others.every((other, i) => other === b.others[i]) && a.fields.every((field, i) => equalJson(field, b.fields[i]))
