/** Values of the kinds that speak of remote schemas, as samples.fixture.ts has those of the others. */
import type { KindSample } from './kind-sample.fixture.ts'
import type { Values } from './value.ts'
import { given, none } from './write-only-samples.fixture.ts'

/** What the server of the samples serves. */
export const sampleRemote = `
  type Query { user(id: Int!, lang: String): User  users(by: Search): [User!]!  employer(id: Int!): Employer }
  type Mutation { rename(id: Int!, name: String!): User }
  type User { id: Int!  name: String  employer: Employer }
  type Employer { id: Int!  title: String }
  input Search { name: String  owner: Int }`

const noNames: Values = { prefix: null, suffix: null, mapping: null }

/** The names of the remote schema are its own, so that several of one server can be there. */
export const namespaced = (name: string): Values => ({
  root_fields_namespace: name,
  type_names: { ...noNames, prefix: `${name}_` },
  field_names: null,
})

const remoteSchema = (url: string): KindSample => ({
  kind: 'RemoteSchema',
  base: {
    name: 'crm',
    url,
    url_from_env: null,
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    ...none('headers'),
    forward_client_headers: true,
    timeout_seconds: 10,
    customization: {
      root_fields_namespace: 'crm',
      type_names: { prefix: 'Crm', suffix: null, mapping: { User: 'Person' } },
      field_names: [{ parent_type: 'User', prefix: 'user_', suffix: null, mapping: { name: 'title' } }],
    },
    comment: 'Who buys',
    reload_when: null,
  },
  changes: {
    name: { name: 'clients' },
    url: { url: `${url}?other` },
    url_from_env: { url: null, url_from_env: 'SVC_TEST_REMOTE_URL' },
    headers: { headers: [{ name: 'x-key', value_from_env: 'SVC_TEST_REMOTE_URL' }] },
    ...given('headers'),
    forward_client_headers: { forward_client_headers: null },
    timeout_seconds: { timeout_seconds: null },
    customization: { customization: { root_fields_namespace: 'clients' } },
    comment: { comment: null },
  },
  respelled: [
    {
      customization: {
        field_names: [{ parent_type: 'User', mapping: { name: 'title' }, prefix: 'user_' }],
        type_names: { mapping: { User: 'Person' }, prefix: 'Crm' },
        root_fields_namespace: 'crm',
      },
    },
  ],
})

/** Of the remote schemas crm and support. */
const remoteSchemaPermission: KindSample = {
  kind: 'RemoteSchemaPermission',
  base: {
    remote_schema: 'crm',
    role: 'user',
    schema: `# what a user sees
type Query { user(id: Int! @preset(value: "x-svc-user-id"), lang: String): User  users(by: Search): [User!]! }
type User { id: Int!  name: String }
input Search { name: String  owner: Int @preset(value: 7) }
`,
    comment: 'Themselves',
  },
  changes: {
    remote_schema: { remote_schema: 'support' },
    role: { role: 'guest' },
    schema: { schema: 'type Query { user(id: Int! @preset(value: 7)): User } type User { id: Int! }' },
    comment: { comment: null },
  },
  respelled: [
    {
      schema: `"""Somebody""" type User { name: String, id: Int! }
        input Search { owner: Int @preset(value: 7)  "Of them" name: String }
        type Query {
          users(by: Search): [User!]!
          user(lang: String, id: Int! @preset(value: """x-svc-user-id""")): User
        }`,
    },
  ],
}

const named = (name: string): Values => ({ schema: 'public', name })
const userById = (remote: string, more: object = {}): Values => ({
  remote_schema: remote,
  lhs_fields: ['id'],
  remote_field: JSON.stringify({ user: { arguments: { id: '$id', ...more } } }),
})

/** With the remote schema crm, and the source twin. */
const remoteRelationship: KindSample = {
  kind: 'RemoteRelationship',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'client',
    to_source: null,
    to_remote_schema: userById('crm'),
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album') },
    name: { name: 'buyer' },
    to_source: {
      to_remote_schema: null,
      to_source: {
        relationship_type: 'array',
        source: 'twin',
        table: named('album'),
        field_mapping: { id: 'artist_id' },
      },
    },
    to_remote_schema: { to_remote_schema: userById('crm', { lang: 'de' }) },
  },
  respelled: [
    { source: null, table: { name: 'artist' } },
    {
      to_remote_schema: {
        remote_field: '{ "user": { "arguments": { "id": "$id" } } }',
        lhs_fields: ['id', 'id'],
        remote_schema: 'crm',
      },
    },
  ],
}

/** Of the remote schemas crm and support. */
const remoteTypeRelationship: KindSample = {
  kind: 'RemoteTypeRelationship',
  base: {
    remote_schema: 'crm',
    type_name: 'User',
    name: 'artist',
    to_source: {
      relationship_type: 'object',
      source: 'default',
      table: named('artist'),
      field_mapping: { id: 'id' },
    },
    to_remote_schema: null,
  },
  changes: {
    remote_schema: { remote_schema: 'support' },
    type_name: { type_name: 'Employer' },
    name: { name: 'singer' },
    to_source: {
      to_source: {
        relationship_type: 'array',
        source: 'twin',
        table: { name: 'album' },
        field_mapping: { id: 'artist_id' },
      },
    },
    to_remote_schema: { to_source: null, to_remote_schema: userById('support') },
  },
  respelled: [
    {
      to_source: {
        source: 'default',
        table: { name: 'artist' },
        relationship_type: 'object',
        field_mapping: { id: 'id' },
      },
    },
  ],
}

export const remoteSamples = (url: string): readonly KindSample[] => [
  remoteSchema(url),
  remoteSchemaPermission,
  remoteRelationship,
  remoteTypeRelationship,
]
