import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameMetadata } from './rename-metadata.ts'

test('session variables, environment variables and words are renamed, what is sent to other servers is not', () => {
  const { metadata, variables, notRenamed, sessionVariables } = renameMetadata({
    sources: [
      {
        configuration: { connection_info: { database_url: { from_env: 'HASURA_GRAPHQL_DATABASE_URL' } } },
        customization: { naming_convention: 'hasura-default' },
        tables: [
          {
            table: { schema: 'hdb_catalog', name: 'hdb_action_log' },
            remote_relationships: [{ definition: { remote_schema: 'r', remote_field: {}, hasura_fields: ['id'] } }],
            select_permissions: [{ permission: { filter: { owner: { _eq: 'X-HASURA-User-Id' } } } }],
          },
        ],
      },
    ],
    actions: [
      {
        definition: {
          handler: '{{ HASURA_GRAPHQL_HANDLER }}/{{OTHER}}',
          headers: [{ name: 'X-Hasura-Admin-Secret', value_from_env: 'TOKEN' }],
          request_transform: { body: "{{$session_variables['x-hasura-user-id']}}" },
        },
      },
    ],
  })
  assert.deepEqual(metadata, {
    sources: [
      {
        configuration: { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } },
        customization: { naming_convention: 'svc-default' },
        tables: [
          {
            table: { schema: 'svc_catalog', name: 'svc_action_log' },
            remote_relationships: [{ definition: { remote_schema: 'r', remote_field: {}, svc_fields: ['id'] } }],
            select_permissions: [{ permission: { filter: { owner: { _eq: 'X-Svc-User-Id' } } } }],
          },
        ],
      },
    ],
    actions: [
      {
        definition: {
          handler: '{{ SVC_GRAPHQL_HANDLER }}/{{OTHER}}',
          headers: [{ name: 'X-Hasura-Admin-Secret', value_from_env: 'TOKEN' }],
          request_transform: { body: "{{$session_variables['x-svc-user-id']}}" },
        },
      },
    ],
  })
  assert.deepEqual([...variables.keys()], ['HASURA_GRAPHQL_DATABASE_URL', 'HASURA_GRAPHQL_HANDLER'])
  assert.equal(sessionVariables, 2)
  assert.deepEqual(notRenamed, [
    'actions.0.definition.headers.0.name: header X-Hasura-Admin-Secret, which is sent to others',
  ])
})

test('session variables and headers that connection templates name are renamed', () => {
  const imported = (prefix: string, variable: string) => ({
    connection_template: {
      version: 1,
      template: `{{ if $.request.session?["${prefix}-tenant"] == "a" }}{{ $.connection_set.a }}{{ elif $.request.headers?['${prefix}-fresh'] == "1" }}{{ $.primary }}{{ else }}{{ $.default }}{{ end }}`,
    },
    connection_set: [{ name: 'a', connection_info: { database_url: { from_env: variable } } }],
  })
  const { metadata, variables, notRenamed, sessionVariables } = renameMetadata({
    sources: [{ name: 'default', configuration: imported('x-hasura', 'HASURA_GRAPHQL_TENANT_A') }],
  })
  assert.deepEqual(metadata, {
    sources: [{ name: 'default', configuration: imported('x-svc', 'SVC_GRAPHQL_TENANT_A') }],
  })
  assert.deepEqual([...variables], [['HASURA_GRAPHQL_TENANT_A', 'SVC_GRAPHQL_TENANT_A']])
  assert.equal(sessionVariables, 2)
  assert.deepEqual(notRenamed, [])
})
