import type { InputDeclaration } from './attributes-of.ts'

/** What the holder of a credential may do. */
export const accessScopes: InputDeclaration = {
  description: 'What its holder may do: all of these, and nothing else.',
  typeName: 'AccessScope',
  of: {
    allow:
      '`read`: export and lists, for a drift check. `plan`: that and dry runs. `change`: that and operations that change metadata. `sql`: SQL on databases. `events`: logs and redelivery. `explain`: the SQL of a GraphQL request. `break_glass`: to change what others own although that is protected.',
    sources: { description: 'Of `change`, `sql` and `events`: only objects of these sources.', set: true },
    kinds: { description: 'Of `change`: objects of these kinds, by the names of the change log.', set: true },
    roles: { description: 'Of `change`: permissions of these roles. Of `explain`: as these roles.', set: true },
    owners: { description: 'Of `change`: of requests that write for these stacks or directories.', set: true },
  },
}
