import { providerDeclaration } from '../core/index.ts'
import type { Attribute, Attributes } from '../resources/index.ts'
import { pulumiAttributes, resourceToken } from './names.ts'

/** A table and what roles may do with it, as one resource of a program that is made of those of single objects. */
export const COMPONENT = 'TableWithPermissions'

export const componentToken = resourceToken(COMPONENT)

export const componentDescription =
  'A table with its permissions: a component, made of a `Table` and of a permission for each role and operation that it lists. Each of them is a resource of the stack, planned and changed by itself.'

/** The kinds of permission by the name that the component has for them. */
export const permissionKinds = {
  select: 'SelectPermission',
  insert: 'InsertPermission',
  update: 'UpdatePermission',
  delete: 'DeletePermission',
} as const

const attributesOf = (kind: string): Attributes =>
  pulumiAttributes(providerDeclaration.kinds.find((one) => one.kind === kind)?.attributes ?? {})

const placed: ReadonlySet<string> = new Set(['source', 'table', 'role'])

const optional = (description: string, type: Attribute['type']): Attribute => ({
  type,
  description,
  presence: 'optional',
  replace: false,
  sensitive: false,
  writeOnly: false,
})

const permission = ([operation, kind]: readonly [string, string]) =>
  [
    operation,
    optional(`What it may ${operation}.`, {
      kind: 'object',
      name: `${COMPONENT}${kind}`,
      attributes: Object.fromEntries(Object.entries(attributesOf(kind)).filter(([name]) => !placed.has(name))),
    }),
  ] as const

/** Those of the table, and the permissions by role. */
export const componentInputs: Attributes = {
  ...attributesOf('Table'),
  permissions: optional('What roles may do with it, by role.', {
    kind: 'map',
    of: {
      kind: 'object',
      name: `${COMPONENT}Permissions`,
      attributes: Object.fromEntries(Object.entries(permissionKinds).map(permission)),
    },
  }),
}

const { source, table } = componentInputs

/** What other resources refer to. */
export const componentOutputs: Attributes = { ...(source && { source }), ...(table && { table }) }
