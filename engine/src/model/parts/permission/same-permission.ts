import { equalJson } from '@svc/schema'
import type { ResolvedSelectPermission } from '../../resolved-permission.ts'

export const samePermission = (a: ResolvedSelectPermission, b: ResolvedSelectPermission): boolean =>
  a.limit === b.limit &&
  a.allowAggregations === b.allowAggregations &&
  sameNames(a.columns, b.columns) &&
  sameFields(a.computedFields, b.computedFields) &&
  sameNames(a.queryRootFields, b.queryRootFields) &&
  sameNames(a.subscriptionRootFields, b.subscriptionRootFields) &&
  equalJson(a.filter, b.filter)

const sameFields = (a: ReadonlySet<string> | '*', b: ReadonlySet<string> | '*'): boolean =>
  a === '*' || b === '*' ? a === b : sameNames(a, b)

const sameNames = (a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): boolean =>
  a === b || (a !== null && b !== null && a.size === b.size && [...a].every((name) => b.has(name)))
