/** Actions, remote schemas, roles and settings. */
import type { Item } from '../plain-document.ts'
import { inheritedRoles, remoteVariable, roles } from '../world.ts'
import { type Choices, type Generator, spelled } from './choose.ts'

const actionNames = ['buy', 'search', 'album'] as const
const outputs = ['Receipt', 'Receipt!', '[Receipt]', 'String', 'Nothing'] as const

function action(choose: Choices, name: string): Item {
  const isQuery = choose.chance(0.4)
  return {
    name,
    definition: {
      handler: choose.pick(['http://127.0.0.1:1/buy', '{{HOOKS}}/buy']),
      output_type: choose.chance(0.9) ? choose.pick(outputs.slice(0, 4)) : 'Nothing',
      ...choose.maybe(0.6, () => ({
        arguments: [{ name: 'album', type: choose.pick(['Int!', 'Order', 'Shipping', '[String!]', 'Nothing']) }].slice(
          0,
          choose.random.below(2),
        ),
      })),
      ...(isQuery ? { type: 'query' } : choose.maybe(0.5, () => ({ type: 'mutation' }))),
      ...(isQuery ? {} : choose.maybe(0.3, () => ({ kind: choose.pick(['synchronous', 'asynchronous']) }))),
      ...choose.maybe(0.2, () => ({ timeout: choose.pick([30, 5]) })),
      ...choose.maybe(0.2, () => ({ forward_client_headers: choose.chance(0.7) })),
      ...choose.maybe(0.2, () => ({ headers: choose.pick([[], [{ name: 'x', value: 'y' }]]) })),
      ...choose.maybe(0.1, () => ({
        request_transform: { body: choose.pick(['{{$body.input}}', '{{$body', '{ "a": 1 }']) },
      })),
    },
    ...choose.maybe(0.2, () => ({ comment: 'one' })),
  }
}

const receipt = (choose: Choices): Item => ({
  name: 'Receipt',
  fields: [
    { name: 'id', type: choose.pick(['Int!', 'uuid!', 'Int']) },
    ...(choose.chance(0.3) ? [{ name: 'shipping', type: 'Shipping' }] : []),
  ],
  ...choose.maybe(0.3, () => ({
    relationships: [
      {
        name: 'record',
        type: choose.pick(['object', 'array']),
        remote_table: spelled(choose, 'public.album'),
        field_mapping: { id: choose.pick(['id', 'id', 'nowhere']) },
      },
    ],
  })),
})
const order: Item = { name: 'Order', fields: [{ name: 'album', type: 'Int!' }] }
const shipping: Item = { name: 'Shipping', values: [{ value: 'FAST' }, { value: 'SLOW', description: 'and cheap' }] }

const customTypes = (choose: Choices): Item => ({
  ...choose.maybe(0.9, () => ({ objects: choose.some([receipt(choose)], 0.9) })),
  ...choose.maybe(0.6, () => ({ input_objects: choose.some([order]) })),
  ...choose.maybe(0.6, () => ({ enums: choose.some([shipping], 0.8) })),
  ...choose.maybe(0.3, () => ({ scalars: [{ name: choose.pick(['Money', 'Order']) }] })),
})

const oneType = (choose: Choices): Item =>
  choose.pick<Item>([
    { object: receipt(choose) },
    { input_object: order },
    { enum: shipping },
    { scalar: { name: 'Money' } },
  ])

const anyAction = (choose: Choices) => choose.known(choose.named('actions'), actionNames, 0.9)

const remoteNames = ['reviews', 'ratings'] as const
const anyRemote = (choose: Choices) => choose.known(choose.named('remote_schemas'), remoteNames, 0.9)

const remote = (choose: Choices, name: string): Item => ({
  name,
  definition: {
    url_from_env: choose.chance(0.97) ? remoteVariable : 'NOT_SET',
    ...choose.maybe(0.3, () => ({ timeout_seconds: choose.pick([60, 20]) })),
    ...choose.maybe(name === 'ratings' ? 0.9 : 0.2, () => ({
      customization: { root_fields_namespace: name, type_names: { prefix: `${name}_` } },
    })),
    ...choose.maybe(0.2, () => ({ forward_client_headers: choose.chance(0.5) })),
  },
  ...choose.maybe(0.2, () => ({ comment: 'one' })),
})

const typeRelationship = (choose: Choices): Item => ({
  to_source: {
    source: 'default',
    table: spelled(choose, choose.pick(['public.album', 'public.album', 'public.missing'])),
    relationship_type: choose.pick(['object', 'array']),
    field_mapping: { [choose.pick(['album_id', 'album_id', 'nothing'])]: 'id' },
  },
})

function anyTypeRelationship(choose: Choices): Item {
  const there = choose
    .list('remote_schemas')
    .flatMap(({ name, remote_relationships }) =>
      ((remote_relationships ?? []) as Item[]).flatMap(({ type_name, relationships }) =>
        (relationships as Item[]).map((one) => ({ remote_schema: name, type_name, name: one.name })),
      ),
    )
  return choose.known(there, [{ remote_schema: anyRemote(choose), type_name: 'Review', name: 'album' }], 0.8)
}

const limit = (value: unknown): Item => ({ global: value })

export const serverGenerators: readonly Generator[] = [
  [6, (choose) => ({ type: 'create_action', args: action(choose, choose.pick(actionNames)) })],
  [3, (choose) => ({ type: 'update_action', args: action(choose, anyAction(choose)) })],
  [
    1,
    (choose) => ({
      type: 'drop_action',
      args: { name: anyAction(choose), ...choose.maybe(0.3, () => ({ clear_data: choose.chance(0.5) })) },
    }),
  ],
  [
    3,
    (choose) => ({ type: 'create_action_permission', args: { action: anyAction(choose), role: choose.pick(roles) } }),
  ],
  [
    2,
    (choose) => ({
      type: 'drop_action_permission',
      args: { [choose.pick(['action', 'name'])]: anyAction(choose), role: choose.pick(roles) },
    }),
  ],
  [5, (choose) => ({ type: 'set_custom_types', args: customTypes(choose) })],
  [
    2,
    (choose) => ({
      type: 'create_custom_type',
      args: { ...oneType(choose), ...choose.maybe(0.4, () => ({ replace: true })) },
    }),
  ],
  [
    1,
    (choose) => ({ type: 'drop_custom_type', args: { name: choose.pick(['Receipt', 'Order', 'Shipping', 'Money']) } }),
  ],
  [4, (choose) => ({ type: 'add_remote_schema', args: remote(choose, choose.pick(remoteNames)) })],
  [2, (choose) => ({ type: 'update_remote_schema', args: remote(choose, anyRemote(choose)) })],
  [1, (choose) => ({ type: 'remove_remote_schema', args: { name: anyRemote(choose) } })],
  [1, (choose) => ({ type: 'reload_remote_schema', args: { name: anyRemote(choose) } })],
  [
    3,
    (choose) => ({
      type: 'add_remote_schema_permissions',
      args: {
        remote_schema: anyRemote(choose),
        role: choose.role(),
        definition: {
          schema: choose.pick([
            'type Query { reviews(album: Int!, stars: Int): [Review!]! } type Review { id: ID! stars: Int }',
            'type Query { reviews(album: Int!, stars: Int @preset(value: 5)): [Review!]! } type Review { id: ID! }',
            'type Query { reviews(album: Int!): [Review!]! nothing: Int } type Review { id: ID! }',
          ]),
        },
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'drop_remote_schema_permissions',
      args: { remote_schema: anyRemote(choose), role: choose.role() },
    }),
  ],
  [
    3,
    (choose) => ({
      type: 'create_remote_schema_remote_relationship',
      args: {
        remote_schema: anyRemote(choose),
        type_name: 'Review',
        name: choose.pick(['album', 'other']),
        definition: typeRelationship(choose),
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'update_remote_schema_remote_relationship',
      args: { ...anyTypeRelationship(choose), definition: typeRelationship(choose) },
    }),
  ],
  [1, (choose) => ({ type: 'delete_remote_schema_remote_relationship', args: anyTypeRelationship(choose) })],
  [
    5,
    (choose) => ({
      type: 'add_inherited_role',
      args: {
        role_name: choose.pick(inheritedRoles),
        role_set: Array.from({ length: 1 + choose.random.below(3) }, () =>
          choose.pick(['user', 'editor', 'guest', ...inheritedRoles]),
        ),
      },
    }),
  ],
  [
    2,
    (choose) => ({
      type: 'drop_inherited_role',
      args: { [choose.pick(['role', 'role_name'])]: choose.pick(inheritedRoles) },
    }),
  ],
  [
    2,
    (choose) => ({
      type: 'set_api_limits',
      args: {
        ...choose.maybe(0.3, () => ({ disabled: choose.chance(0.5) })),
        ...choose.maybe(0.5, () => ({ depth_limit: { ...limit(12), per_role: choose.pick<Item>([{}, { user: 8 }]) } })),
        ...choose.maybe(0.3, () => ({ node_limit: limit(1000) })),
        ...choose.maybe(0.3, () => ({ time_limit: limit(20) })),
        ...choose.maybe(0.2, () => ({ batch_limit: limit(10) })),
        ...choose.maybe(0.2, () => ({ rate_limit: { global: { max_reqs_per_min: 100_000, unique_params: 'IP' } } })),
      },
    }),
  ],
  [1, () => ({ type: 'remove_api_limits', args: {} })],
  [
    1,
    (choose) => ({
      type: 'set_metrics_config',
      args: {
        ...choose.maybe(0.7, () => ({ analyze_query_variables: choose.chance(0.5) })),
        ...choose.maybe(0.5, () => ({ analyze_response_body: choose.chance(0.5) })),
      },
    }),
  ],
  [1, () => ({ type: 'remove_metrics_config', args: {} })],
  [
    1,
    (choose) => ({
      type: 'set_graphql_schema_introspection_options',
      args: { disabled_for_roles: choose.some(['anonymous', 'nobody']) },
    }),
  ],
  [
    2,
    (choose) => ({
      type: 'add_host_to_tls_allowlist',
      args: {
        host: choose.pick(['a.example', 'b.example', '']),
        ...choose.maybe(0.4, () => ({ suffix: '8443' })),
        ...choose.maybe(0.4, () => ({ permissions: choose.pick([[], ['self-signed']]) })),
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'drop_host_from_tls_allowlist',
      args: { host: choose.pick(['a.example', 'b.example']), ...choose.maybe(0.4, () => ({ suffix: '8443' })) },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'set_opentelemetry_config',
      args: {
        status: 'disabled',
        data_types: choose.some(['traces', 'metrics']),
        ...choose.maybe(0.5, () => ({
          exporter_otlp: {
            otlp_traces_endpoint: 'http://127.0.0.1:1/v1/traces',
            ...choose.maybe(0.3, () => ({ headers: [{ name: 'a', value: 'b' }] })),
          },
        })),
        ...choose.maybe(0.3, () => ({ batch_span_processor: { max_export_batch_size: 100 } })),
      },
    }),
  ],
  [1, () => ({ type: 'set_opentelemetry_status', args: 'disabled' })],
]
