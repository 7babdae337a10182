import { type Item, items, nameText } from '../plain-document.ts'
import { joinedBy } from '../references.ts'
import { returnedBy } from '../world.ts'
import { type Choices, type Chosen, type Generator, placed, spelled } from './choose.ts'

const kinds = ['insert', 'select', 'select', 'select', 'update', 'delete'] as const

function condition(choose: Choices, of: Chosen, depth: number): Item {
  const kind = choose.random.below(depth > 2 ? 3 : 9)
  if (kind < 2) return {}
  if (kind < 4) {
    const operator = choose.pick(['_eq', '$gt', '_is_null', '_in'])
    const value = operator === '_is_null' ? choose.chance(0.9) : operator === '_in' ? ['1', '2'] : 'X-Svc-User-Id'
    return { [choose.column(of)]: { [operator]: value } }
  }
  const below = () => condition(choose, of, depth + 1)
  if (kind === 4) return { [choose.pick(['_and', '$or'])]: [below(), below()] }
  if (kind === 5) {
    const other = choose.table(0.9)
    const at = { source: of.source, table: other.table }
    return { _exists: { _table: spelled(choose, at.table), _where: condition(choose, at, depth + 1) } }
  }
  if (kind === 6) return { [choose.pick(['_not', '$not'])]: below() }
  const table = choose.item(of)
  const relationships = [...items(table, 'object_relationships'), ...items(table, 'array_relationships')]
  const found = relationships.length > 0 ? choose.pick(relationships) : undefined
  if (!found) return { [choose.pick(['artist', 'albums', 'nothing'])]: {} }
  const [schema = '', name = ''] = split(of.table)
  const target = nameText(joinedBy(choose.document, of.source, { schema, name }, found).table)
  return { [String(found.name)]: condition(choose, { source: of.source, table: target }, depth + 1) }
}

const split = (table: string) => table.split('.')

function body(choose: Choices, kind: string, of: Chosen): Item {
  const columns = choose.chance(0.4) ? '*' : choose.columns(of)
  const filter = condition(choose, of, 0)
  const write = {
    ...choose.maybe(0.2, () => ({ set: { [choose.column(of)]: 'x-svc-user-id' } })),
    ...choose.maybe(0.15, () => ({ backend_only: true })),
  }
  switch (kind) {
    case 'insert':
      return { check: filter, ...choose.maybe(0.8, () => ({ columns })), ...write }
    case 'update':
      return {
        columns,
        filter,
        ...choose.maybe(0.4, () => ({ check: choose.chance(0.3) ? null : condition(choose, of, 1) })),
        ...write,
      }
    case 'delete':
      return { filter, ...choose.maybe(0.15, () => ({ backend_only: true })) }
    default:
      return {
        columns,
        filter,
        ...choose.maybe(0.1, () => ({ limit: choose.pick([10, 20, -1]) })),
        ...choose.maybe(0.2, () => ({ computed_fields: computed(choose, of) })),
        ...choose.maybe(0.3, () => ({ allow_aggregations: true })),
        ...choose.maybe(0.1, () => ({
          query_root_fields: choose.pick([[], ['select'], ['select_aggregate'], ['select_by_pk']]),
        })),
        ...choose.maybe(0.1, () => ({ subscription_root_fields: choose.pick([[], ['select_stream'], ['select']]) })),
      }
  }
}

function computed(choose: Choices, of: Chosen): unknown {
  const names = choose.names(of, 'computed_fields')
  return choose.chance(0.2) ? '*' : [choose.known(names, ['label'])]
}

function existingPermission(choose: Choices): { readonly of: Chosen; readonly kind: string; readonly role: string } {
  const having = choose
    .tracked()
    .flatMap(({ chosen: of }) =>
      ['insert', 'select', 'update', 'delete'].flatMap((kind) =>
        choose.names(of, `${kind}_permissions`).map((role) => ({ of, kind, role })),
      ),
    )
  return choose.known(having, [{ of: choose.table(), kind: choose.pick(kinds), role: choose.role() }], 0.85)
}

const functions = Object.keys(returnedBy)

function tracked(choose: Choices): {
  readonly source: string
  readonly called: string
  readonly roles: readonly string[]
} {
  const there = choose.ofSources('functions', 'function').map(({ source, name, item }) => ({
    source,
    called: nameText(name),
    roles: ((item.permissions ?? []) as Item[]).map(({ role }) => String(role)),
  }))
  return choose.known(
    there,
    [{ source: 'default', called: choose.pick([...functions, 'public.nothing']), roles: [] }],
    0.85,
  )
}

const functionArgs = (choose: Choices, source: string, called: string): Item => ({
  function: spelled(choose, called),
  ...(source === 'default' ? {} : { source }),
})

const customFunction = (choose: Choices, probability: number): Item =>
  choose.maybe(probability, () => ({
    configuration: {
      ...choose.maybe(0.6, () => ({ custom_name: choose.pick(['newest', 'artist', 'not a name']) })),
      ...choose.maybe(0.4, () => ({ exposed_as: choose.pick(['query', 'mutation']) })),
    },
  }))

export const permissionGenerators: readonly Generator[] = [
  [
    22,
    (choose) => {
      const of = choose.table(0.95)
      const kind = choose.pick(kinds)
      const comment = choose.maybe(0.2, () => ({ comment: 'one' }))
      return {
        type: `create_${kind}_permission`,
        args: { ...placed(choose, of), role: choose.role(), permission: body(choose, kind, of), ...comment },
      }
    },
  ],
  [
    8,
    (choose) => {
      const { of, kind, role } = existingPermission(choose)
      return { type: `drop_${kind}_permission`, args: { ...placed(choose, of), role } }
    },
  ],
  [
    3,
    (choose) => {
      const { of, kind, role } = existingPermission(choose)
      return {
        type: 'set_permission_comment',
        args: { ...placed(choose, of), role, type: kind, comment: choose.comment() },
      }
    },
  ],
  [
    4,
    (choose) => ({
      type: 'track_function',
      args: {
        ...functionArgs(
          choose,
          'default',
          choose.pick(['public.recent', 'public.change', 'public.records', 'public.nothing']),
        ),
        ...customFunction(choose, 0.3),
        ...choose.maybe(0.2, () => ({ comment: 'one' })),
      },
    }),
  ],
  [
    2,
    (choose) => {
      const { source, called } = tracked(choose)
      return { type: 'untrack_function', args: functionArgs(choose, source, called) }
    },
  ],
  [
    2,
    (choose) => {
      const { source, called } = tracked(choose)
      const comment = choose.maybe(0.3, () => ({ comment: choose.comment() }))
      return {
        type: 'set_function_customization',
        args: {
          ...functionArgs(choose, source, called),
          configuration: {},
          ...customFunction(choose, 0.7),
          ...comment,
        },
      }
    },
  ],
  [
    3,
    (choose) => {
      const { source, called } = tracked(choose)
      return {
        type: 'create_function_permission',
        args: { ...functionArgs(choose, source, called), role: choose.role() },
      }
    },
  ],
  [
    2,
    (choose) => {
      const { source, called, roles } = tracked(choose)
      return {
        type: 'drop_function_permission',
        args: { ...functionArgs(choose, source, called), role: choose.known(roles, [choose.role()]) },
      }
    },
  ],
]
