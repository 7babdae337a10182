import { providerDeclaration } from '../core/index.ts'
import { type Attributes, attributesOf } from '../resources/index.ts'
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

const ofKind = (kind: string): Attributes =>
  pulumiAttributes(providerDeclaration.kinds.find((one) => one.kind === kind)?.attributes ?? {})

const placed: ReadonlySet<string> = new Set(['source', 'table', 'role'])

const permissions = attributesOf(
  Object.fromEntries(
    Object.entries(permissionKinds).map(([operation, kind]) => {
      const attributes = Object.fromEntries(Object.entries(ofKind(kind)).filter(([name]) => !placed.has(name)))
      const type = { kind: 'object', name: `${COMPONENT}${kind}`, attributes } as const
      return [operation, { description: `What it may ${operation}.`, type, optional: true }]
    }),
  ),
)

/** Those of the table, and the permissions by role. */
export const componentInputs: Attributes = {
  ...ofKind('Table'),
  ...attributesOf({
    permissions: {
      description: 'What roles may do with it, by role.',
      type: { kind: 'map', of: { kind: 'object', name: `${COMPONENT}Permissions`, attributes: permissions } },
      optional: true,
    },
  }),
}

const { source, table } = componentInputs

/** What other resources refer to. */
export const componentOutputs: Attributes = { ...(source && { source }), ...(table && { table }) }
