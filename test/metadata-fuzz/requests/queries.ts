import type { Item } from '../plain-document.ts'
import { isItem } from '../plain-document.ts'
import { type Choices, type Generator, spelled } from './choose.ts'

const queryNames = ['top_albums', 'few_artists', 'album'] as const
const modelNames = ['top_album', 'few_artist'] as const
const source = (choose: Choices): Item =>
  choose.maybe(0.2, () => ({ source: choose.pick(['default', 'default', 'shop']) }))

function fields(choose: Choices): Item[] {
  const all: Item[] = [
    { name: 'id', type: { scalar: 'integer', nullable: false } },
    { name: 'title', type: choose.pick<unknown>(['text', { scalar: 'text', nullable: true }]) },
    {
      name: choose.pick(['inner', 'year']),
      type: choose.pick<unknown>([{ logical_model: choose.pick(modelNames) }, { scalar: 'integer', nullable: true }]),
    },
  ]
  return all.slice(0, 1 + choose.random.below(choose.chance(0.2) ? 3 : 2))
}

function nativeQuery(choose: Choices, name: string): Item {
  const returns = choose.chance(0.3)
    ? {
        fields: fields(choose),
        ...choose.maybe(0.3, () => ({
          select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: {} } }],
        })),
      }
    : choose.known(
        choose.ofSources('logical_models', 'name').map((one) => String(one.name)),
        modelNames,
        0.9,
      )
  const manual = {
    remote_table: spelled(choose, choose.pick(['public.album', 'public.artist'])),
    column_mapping: { id: 'id' },
  }
  return {
    ...source(choose),
    root_field_name: name,
    code: choose.pick([
      'SELECT id, title FROM album LIMIT {{n}}',
      "SELECT id, title, year FROM album WHERE title <> 'x' LIMIT {{n}}",
      'SELECT nothing FROM album',
    ]),
    ...choose.maybe(0.9, () => ({
      arguments: { n: { type: 'integer', ...choose.maybe(0.3, () => ({ nullable: true })) } },
    })),
    returns,
    ...choose.maybe(0.2, () => ({ description: 'few of them' })),
    ...choose.maybe(0.2, () => ({
      object_relationships: [{ name: 'record', using: { manual_configuration: manual } }],
    })),
  }
}

const permission = (choose: Choices): Item => ({
  columns: choose.pick<unknown>(['*', ['id'], ['nothing']]),
  filter: choose.pick<Item>([{}, { id: { _gt: 'X-Svc-User-Id' } }]),
})

const anyModel = (choose: Choices): Item => {
  const there = choose.ofSources('logical_models', 'name').map(({ source: at, name }) => ({ source: at, name }))
  return choose.known(there, [{ source: 'default', name: choose.pick(modelNames) }], 0.9)
}
const anyQuery = (choose: Choices): Item => {
  const there = choose.ofSources('native_queries', 'root_field_name')
  const found = there.map(({ source: at, name }) => ({ source: at, root_field_name: name }))
  return choose.known(found, [{ source: 'default', root_field_name: choose.pick(queryNames) }], 0.9)
}

function permitted(choose: Choices): Item {
  const inline = choose.ofSources('native_queries', 'root_field_name').filter(({ item }) => isItem(item.returns))
  if (inline.length > 0 && choose.chance(0.4)) {
    const one = choose.pick(inline)
    return { type: 'native_query', source: one.source, name: one.name }
  }
  return { ...anyModel(choose), ...choose.maybe(0.3, () => ({ type: 'logical_model' })) }
}

const collections = ['shop', 'staff', 'empty'] as const
const texts = [
  'query Albums { album { id title } }',
  'query Artists { artist { id } }',
  '{ singer { id } }',
  'mutation Add { insert_artist_one(object: {name: "x"}) { id } }',
  'query { nothing }',
  'query Some($id: Int!) { album(where: {id: {_eq: $id}}) { id } }',
] as const

const anyCollection = (choose: Choices) => choose.known(choose.named('query_collections'), collections, 0.85)
const anyQueryName = (choose: Choices, collection: string): string => {
  const found = choose.list('query_collections').find(({ name }) => name === collection)
  const queries = (isItem(found?.definition) ? found.definition.queries : []) as Item[]
  return choose.known(
    queries.map(({ name }) => String(name)),
    ['Albums', 'Other'],
    0.8,
  )
}
const scope = (choose: Choices): Item =>
  choose.pick<Item>([{ global: true }, { global: false, roles: ['user'] }, { global: false, roles: ['user', 'guest'] }])

export const queryGenerators: readonly Generator[] = [
  [
    4,
    (choose) => ({
      type: 'track_logical_model',
      args: {
        ...source(choose),
        name: choose.pick(modelNames),
        fields: fields(choose),
        ...choose.maybe(0.2, () => ({ description: 'rows' })),
      },
    }),
  ],
  [2, (choose) => ({ type: 'update_logical_model', args: { ...anyModel(choose), fields: fields(choose) } })],
  [1, (choose) => ({ type: 'untrack_logical_model', args: anyModel(choose) })],
  [
    2,
    (choose) => ({
      type: 'create_logical_model_select_permission',
      args: { ...permitted(choose), role: choose.role(), permission: permission(choose) },
    }),
  ],
  [
    1,
    (choose) => ({ type: 'drop_logical_model_select_permission', args: { ...permitted(choose), role: choose.role() } }),
  ],
  [4, (choose) => ({ type: 'track_native_query', args: nativeQuery(choose, choose.pick(queryNames)) })],
  [2, (choose) => ({ type: 'update_native_query', args: { ...nativeQuery(choose, 'x'), ...anyQuery(choose) } })],
  [1, (choose) => ({ type: 'untrack_native_query', args: anyQuery(choose) })],
  [
    3,
    (choose) => ({
      type: 'create_query_collection',
      args: {
        name: choose.pick(collections),
        definition: {
          queries: choose
            .some(['Albums', 'Artists', 'Other', 'Albums'], 0.4)
            .map((name) => ({ name, query: choose.pick(texts) })),
        },
        ...choose.maybe(0.2, () => ({ comment: 'one' })),
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'rename_query_collection',
      args: { name: anyCollection(choose), new_name: choose.pick(collections) },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'drop_query_collection',
      args: { collection: anyCollection(choose), ...choose.maybe(0.6, () => ({ cascade: choose.chance(0.7) })) },
    }),
  ],
  [
    3,
    (choose) => ({
      type: 'add_query_to_collection',
      args: {
        collection_name: anyCollection(choose),
        query_name: choose.pick(['Albums', 'More', 'Other']),
        query: choose.pick(texts),
      },
    }),
  ],
  [
    1,
    (choose) => {
      const collection_name = anyCollection(choose)
      return {
        type: 'drop_query_from_collection',
        args: { collection_name, query_name: anyQueryName(choose, collection_name) },
      }
    },
  ],
  [
    2,
    (choose) => ({
      type: 'add_collection_to_allowlist',
      args: { collection: anyCollection(choose), ...choose.maybe(0.5, () => ({ scope: scope(choose) })) },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'update_scope_of_collection_in_allowlist',
      args: { collection: anyCollection(choose), scope: scope(choose) },
    }),
  ],
  [1, (choose) => ({ type: 'drop_collection_from_allowlist', args: { collection: anyCollection(choose) } })],
  [
    3,
    (choose) => {
      const collection_name = anyCollection(choose)
      return {
        type: 'create_rest_endpoint',
        args: {
          name: choose.pick(['albums', 'artists', 'one']),
          url: choose.pick(['albums', 'albums/:id', 'artists', ':x/:id', 'a//b', 'album/:id/:id']),
          methods: choose.pick([['GET'], ['POST', 'GET'], ['PUT']]),
          definition: { query: { collection_name, query_name: anyQueryName(choose, collection_name) } },
          ...choose.maybe(0.2, () => ({ comment: 'one' })),
        },
      }
    },
  ],
  [
    1,
    (choose) => ({
      type: 'drop_rest_endpoint',
      args: { name: choose.known(choose.named('rest_endpoints'), ['albums'], 0.9) },
    }),
  ],
]
