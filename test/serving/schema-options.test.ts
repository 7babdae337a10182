/** Experimental features and settings that change the schema, through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE note (id int PRIMARY KEY, tags text[] NOT NULL, counts int[], body text);
  INSERT INTO note VALUES (1, '{a,b}', '{1,2}', 'x'), (2, '{c}', NULL, 'y');
  CREATE FUNCTION tagged(wanted text[]) RETURNS SETOF note STABLE LANGUAGE sql
    AS $$ SELECT * FROM note WHERE tags && wanted $$;
`

describe('experimental features', () => {
  let database: TestDatabase
  let engine: Engine
  let client: GraphQLSchema

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_EXPERIMENTAL_FEATURES: 'disable_postgres_arrays,hide_stream_fields' },
    })
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'note' } },
      { type: 'pg_track_function', args: { function: 'tagged' } },
    ])
    assert.equal(set.status, 200, set.text)
    client = buildClientSchema((await engine.post('/v1/graphql', { query: getIntrospectionQuery() })).body.data)
    assert.deepEqual(validateSchema(client), [])
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, variables: object = {}) => {
    const { body } = await engine.post('/v1/graphql', { query, variables })
    return body.data ?? body.errors[0]
  }
  const printed = (name: string): string => {
    const type = client.getType(name)
    assert.ok(type, name)
    return printType(type)
  }

  test('disable_postgres_arrays makes arrays scalars named as PostgreSQL names them', () => {
    assert.match(printed('note'), /counts: _int4\n.*tags: _text!/s)
    assert.match(printed('tagged_args'), /wanted: _text\n/)
    assert.match(printed('note_bool_exp'), /tags: _text_comparison_exp/)
    assert.match(printed('_text_comparison_exp'), /_eq: _text\n.*_in: \[_text!\]/s)
  })

  const answers: readonly (readonly [string, object, readonly number[]])[] = [
    ['note(where: { tags: { _eq: ["a", "b"] } }) { id }', {}, [1]],
    ['note(where: { tags: { _eq: "{a,b}" } }) { id }', {}, [1]],
    ['note(where: { tags: { _eq: $tags } }) { id }', { tags: ['c'] }, [2]],
    ['note(where: { tags: { _eq: $tags } }) { id }', { tags: '{c}' }, [2]],
    ['note(where: { tags: { _contains: ["b"] } }) { id }', {}, [1]],
    ['note(where: { tags: { _in: [["c"], "{x}"] } }) { id }', {}, [2]],
    ['note(where: { counts: { _lt: [2] } }) { id }', {}, [1]],
    ['note: tagged(args: { wanted: $tags }) { id }', { tags: ['b', 'x'] }, [1]],
  ]
  for (const [asked, variables, ids] of answers)
    test(`with it, { ${asked} } is answered with ${JSON.stringify(variables)}`, async () => {
      const declared = 'tags' in variables ? '($tags: _text!)' : ''
      const { note } = await ask(`query ${declared} { ${asked} }`, variables)
      assert.deepEqual(
        note?.map(({ id }: { id: number }) => id),
        ids,
      )
    })

  test('with it, arrays are still lists in answers, and lists no type of variables', async () => {
    assert.deepEqual(await ask('{ note_by_pk(id: 1) { tags counts } }'), {
      note_by_pk: { tags: ['a', 'b'], counts: [1, 2] },
    })
    const refused = await ask('query ($tags: [String!]) { note(where: { tags: { _eq: $tags } }) { id } }', { tags: [] })
    assert.equal(refused.message, "variable 'tags' is declared as '[String!]', but used where '_text' is expected")
  })

  test('hide_stream_fields leaves no stream in the subscription root', () => {
    const fields = Object.keys(client.getSubscriptionType()?.getFields() ?? {})
    assert.deepEqual(fields, ['note', 'note_aggregate', 'note_by_pk', 'tagged', 'tagged_aggregate'])
    assert.equal(client.getType('note_stream_cursor_input'), undefined)
  })
})
