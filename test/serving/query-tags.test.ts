/** set_query_tags: what the SQL of a source says of the GraphQL operation it is part of. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('SQL ends with a comment that names field, operation and query, as soon as metadata says so', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  await runOnDatabase(databaseUrl, 'CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)')
  const env = { SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup,http-log,webhook-log,query-log' }
  const engine = await startEngine({ databaseUrl, env }, t)
  t.after(() => engine.stop())
  await engine.metadata('pg_track_table', { table: 'a' })
  const query = 'query Everything { all: a { id } }'
  const ask = async () => {
    const { body } = await engine.post('/v1/graphql', { query, operationName: 'Everything' })
    assert.deepEqual(body, { data: { all: [{ id: 1 }] } })
    const { sql } = await engine.observed('query-planned')
    return Object.values(sql ?? {})
      .map(({ query }) => query)
      .join()
  }
  const hash = createHash('sha1').update(query).digest('hex')
  assert.doesNotMatch(await ask(), /\/\*/)
  await engine.metadata('set_query_tags', { source_name: 'default' })
  const standard = ` /* field_name=all, operation_name=Everything, parametrized_query_hash=${hash} */`
  assert.ok((await ask()).endsWith(standard))
  assert.ok((await ask()).endsWith(standard), 'the same text again: it stays prepared')
  await engine.metadata('set_query_tags', { source_name: 'default', format: 'sqlcommenter' })
  assert.ok(
    (await ask()).endsWith(` /*field_name='all',operation_name='Everything',parametrized_query_hash='${hash}'*/`),
  )
  await engine.metadata('set_query_tags', { source_name: 'default', disabled: true })
  assert.doesNotMatch(await ask(), /\/\*/)
})
