/** Remote schemas, and what lies in no source, in a directory: applied object by object, compared by what they say. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

test('a directory with remote schemas and actions is applied, compared by meaning, and changed', async (t) => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  const remote = await startRemoteServer('type Query { user(id: Int!): User } type User { id: Int! name: String }', {})
  t.after(remote.close)
  const env = { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true', CRM_URL: remote.url }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  const folder = await createSvcFolder(engine, t)
  const path = join(folder.path, 'metadata')
  const client = {
    name: 'client',
    definition: {
      remote_schema: 'crm',
      svc_fields: ['id'],
      remote_field: { user: { arguments: { id: '$id' } } },
    },
  }
  const metadata = (schema: string, roles: readonly string[]): JsonObject =>
    musicMetadata([{ table: artist.table, remote_relationships: [client] } as JsonObject], {
      remote_schemas: [
        {
          name: 'crm',
          definition: { url_from_env: 'CRM_URL', timeout_seconds: 60 },
          permissions: [{ role: 'user', definition: { schema } }],
        },
      ],
      actions: [
        {
          name: 'ping',
          definition: { handler: 'http://127.0.0.1:1/', output_type: 'String' },
          permissions: roles.map((role) => ({ role })),
        },
      ],
    })
  const applied = async () => {
    const { code, stdout, stderr } = await folder.svc('md', 'apply')
    assert.deepEqual([code, stdout], [0, 'Metadata applied\n'], stderr)
  }
  const difference = async () => (await folder.svc('md', 'diff')).stdout
  await writeMetadataTo(path, metadata('type Query { user(id: Int!): User } type User { id: Int! name: String }', []))
  await applied()
  assert.equal(await difference(), 'zero differences found\n')
  await writeMetadataTo(
    path,
    metadata(
      '# fields in another order\ntype User { name: String, id: Int! }\ntype Query { user(id: Int!): User }',
      [],
    ),
  )
  assert.equal(await difference(), 'zero differences found\n')
  const narrower = 'type Query { user(id: Int! @preset(value: 7)): User } type User { id: Int! }'
  await writeMetadataTo(path, metadata(narrower, ['user']))
  assert.match(await difference(), /preset/)
  await applied()
  assert.equal(await difference(), 'zero differences found\n')
  const { body } = await engine.metadata('export_metadata', {})
  assert.equal(body.remote_schemas[0].permissions[0].definition.schema, narrower)
  assert.deepEqual(body.actions[0].permissions, [{ role: 'user' }])
})
