import { OperationTypeNode } from 'graphql'
import type { RoleSchema } from '../types/role-schema.ts'
import { subscriptionRoot } from '../types/subscription-root.ts'
import type { ObjectType } from '../types/type.ts'

/** The root of each kind of operation; null where the role has none. */
export const rootTypes = (schema: RoleSchema): Readonly<Record<OperationTypeNode, ObjectType<unknown> | null>> => ({
  [OperationTypeNode.QUERY]: schema.queryRoot,
  [OperationTypeNode.MUTATION]: schema.hasMutations() ? schema.mutationRoot : null,
  [OperationTypeNode.SUBSCRIPTION]: subscriptionRoot(schema),
})
