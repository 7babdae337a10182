import { once } from '../../kept-for.ts'
import { aggregateBooleanType, type PredicateMeaning } from './aggregate-predicate-types.ts'
import {
  type AggregateFieldsMeaning,
  type AggregateMeaning,
  aggregateFieldsType,
  aggregateType,
} from './aggregate-types.ts'
import { type BooleanMeaning, booleanType } from './boolean-type.ts'
import { type AggregateOrderMeaning, aggregateOrderType, type OrderMeaning, orderType } from './order-types.ts'
import type { RemoteLeaf } from './remote-join-types.ts'
import type { RoleTable } from './role-table.ts'
import { type RowMeaning, rowType } from './row-type.ts'
import type { InputType, ObjectType } from './type.ts'

/** Which schema: that of /v1/graphql, or Relay's, where rows are nodes and relationships have connections. */
export type Api = 'graphql' | 'relay'

/**
 * The GraphQL types of one table for one role, each made when first requested (reference/graphql-schema#object-types,
 * reference/graphql-schema#generated-types).
 */
export interface TableTypes {
  readonly api: Api
  readonly table: RoleTable
  /** Targets of the relationships and computed fields that the role can follow, by their name. */
  readonly targets: ReadonlyMap<string, RoleTable>
  /** Where its relationships to remote schemas lead that the role can follow, by their name. */
  readonly remotes: ReadonlyMap<string, RemoteLeaf>
  /** Whether conditions may aggregate (reference/filters#aggregates-of-relationships). */
  readonly predicates: boolean
  readonly row: () => ObjectType<RowMeaning>
  readonly aggregate: () => ObjectType<AggregateMeaning>
  readonly aggregateFields: () => ObjectType<AggregateFieldsMeaning>
  readonly boolean: () => InputType<BooleanMeaning>
  readonly aggregateBoolean: () => InputType<PredicateMeaning>
  readonly order: () => InputType<OrderMeaning>
  readonly aggregateOrder: () => InputType<AggregateOrderMeaning>
}

const noRemotes: ReadonlyMap<string, RemoteLeaf> = new Map()

export function makeTableTypes(
  api: Api,
  table: RoleTable,
  targets: ReadonlyMap<string, RoleTable>,
  predicates: boolean,
  remotes: ReadonlyMap<string, RemoteLeaf> = noRemotes,
): TableTypes {
  const types: TableTypes = {
    api,
    table,
    targets,
    remotes,
    predicates,
    row: once(() => rowType(types)),
    aggregate: once(() => aggregateType(types)),
    aggregateFields: once(() => aggregateFieldsType(types)),
    boolean: once(() => booleanType(types)),
    aggregateBoolean: once(() => aggregateBooleanType(types)),
    order: once(() => orderType(types)),
    aggregateOrder: once(() => aggregateOrderType(types)),
  }
  return types
}
