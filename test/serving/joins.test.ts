/**
 * How joins to other servers and sources are run (reference/remote-schemas#joins): what is shared, what is bounded,
 * what passes on.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { grade(points: Int!, scale: String): String  person(id: Int!): Person  people: [Person] }
  type Subscription { ticks: Int }
  type Person { id: Int!  name: String!  points: Int!  friend: Person }
`
const person = (id: number) => ({ id, name: `p${id}`, points: id * 10, friend: () => person(id + 1) })
const root = {
  grade: ({ points, scale }: { points: number; scale?: string }) => `${scale ?? ''}${points > 20 ? 'A' : 'B'}`,
  person: ({ id }: { id: number }) => person(id),
  people: () => [person(1), null, person(2)],
}

describe('joins', () => {
  let database: TestDatabase
  let remote: RemoteServer
  let engine: Engine

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const ask = async (query: string, headers: RequestHeaders = {}) =>
    (await engine.post('/v1/graphql', { query }, headers)).body
  const data = async (query: string, headers: RequestHeaders = {}) => {
    const body = await ask(query, headers)
    assert.equal(body.errors, undefined, JSON.stringify(body))
    return body.data
  }
  const toField = (lhs_fields: readonly string[], remote_field: object) => ({
    to_remote_schema: { remote_schema: 'school', lhs_fields, remote_field },
  })

  before(async () => {
    remote = await startRemoteServer(sdl, root)
    database = await createTestDatabase()
    await runOnDatabase(
      database.url,
      `CREATE TABLE student (id int PRIMARY KEY, name text, maths int, physics int);
       CREATE FUNCTION total(s student) RETURNS int LANGUAGE sql STABLE AS 'SELECT s.maths + s.physics';
       CREATE FUNCTION own_total(s student, session json) RETURNS int LANGUAGE sql STABLE
         AS $$ SELECT CASE session->>'x-svc-role' WHEN 'admin' THEN s.maths ELSE (session->>'x-svc-bonus')::int END $$;
       INSERT INTO student VALUES (1, 'ann "q"', 10, 5), (2, 'bob', 20, 5), (3, '\\', 10, 5);`,
    )
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_MAX_JOIN_ROWS: '3',
        SVC_GRAPHQL_MAX_JOIN_DEPTH: '2',
        SVC_GRAPHQL_MAX_RESPONSE_SIZE: '20000',
        SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
      },
    })
    await ok('pg_track_table', { table: 'student' })
    await ok('pg_add_computed_field', { table: 'student', name: 'total', definition: { function: 'total' } })
    await ok('pg_add_computed_field', {
      table: 'student',
      name: 'own_total',
      definition: { function: 'own_total', session_argument: 'session' },
    })
    await ok('add_remote_schema', { name: 'school', definition: { url: remote.url } })
    const relationships = {
      grade: toField(['total'], { grade: { arguments: { points: '$total' } } }),
      own_grade: toField(['own_total'], { grade: { arguments: { points: '$own_total', scale: 'own ' } } }),
      person: toField(['id'], { person: { arguments: { id: '$id' } } }),
      far_friend: toField(['id'], { person: { arguments: { id: '$id' }, field: { friend: { field: { friend: { arguments: {} } } } } } }), // biome-ignore format: one line
    }
    for (const [name, definition] of Object.entries(relationships))
      await ok('pg_create_remote_relationship', { table: 'student', name, definition })
    await ok('create_remote_schema_remote_relationship', {
      remote_schema: 'school',
      type_name: 'Person',
      name: 'student',
      definition: {
        to_source: {
          source: 'default',
          table: 'student',
          relationship_type: 'object',
          field_mapping: { id: 'id' },
        },
      },
    })
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    await database.drop()
  })

  test('by computed fields, those of the session included, which the request does not select', async () => {
    assert.deepEqual(await data('{ student(order_by: {id: asc}) { name grade own_grade } }'), {
      student: [
        { name: 'ann "q"', grade: 'B', own_grade: 'own B' },
        { name: 'bob', grade: 'A', own_grade: 'own B' },
        { name: '\\', grade: 'B', own_grade: 'own B' },
      ],
    })
    await ok('pg_create_select_permission', { table: 'student', role: 'pupil', permission: { columns: ['name'], filter: { id: 'X-Svc-Id' } } }) // biome-ignore format: one line
    await ok('add_remote_schema_permissions', {
      remote_schema: 'school',
      role: 'pupil',
      definition: { schema: 'type Query { grade(points: Int!, scale: String): String }' },
    })
    const pupil = { 'X-Svc-Role': 'pupil', 'X-Svc-Id': '2', 'X-Svc-Bonus': '99' }
    assert.deepEqual(await data('{ student { name grade own_grade } }', pupil), {
      student: [{ name: 'bob', grade: 'A', own_grade: 'own A' }],
    })
    assert.match((await ask('{ student { person { id } } }', pupil)).errors[0].message, /'person' not found/)
  })

  test('through objects on the way, deep inside the remote schema', async () => {
    assert.deepEqual(
      await data('{ student_by_pk(id: 1) { far_friend { id friend { friend { name } } student { name } } } }'),
      { student_by_pk: { far_friend: { id: 3, friend: { friend: { name: 'p5' } }, student: { name: '\\' } } } },
    )
  })

  test('equal joins are one request, wherever they are in an operation; different ones are not', async () => {
    remote.forget()
    const query = `{
      a: student(order_by: {id: asc}) { x: person { name } y: person { name } }
      b: student_by_pk(id: 2) { person { name } }
      c: student_aggregate(where: {id: {_eq: 3}}) { nodes { person { name } other: person { id } } }
    }`
    assert.deepEqual(await data(query), {
      a: [1, 2, 3].map((id) => ({ x: { name: `p${id}` }, y: { name: `p${id}` } })),
      b: { person: { name: 'p2' } },
      c: { nodes: [{ person: { name: 'p3' }, other: { id: 3 } }] },
    })
    assert.equal(remote.asked.length, 2)
  })

  test('equal joins with other joins inside share the request, and each has its own inside', async () => {
    remote.forget()
    assert.deepEqual(
      await data(
        '{ a: student_by_pk(id: 1) { person { id student { name } } } b: student_by_pk(id: 1) { person { id student { maths } } } }',
      ),
      {
        a: { person: { id: 1, student: { name: 'ann "q"' } } },
        b: { person: { id: 1, student: { maths: 10 } } },
      },
    )
    assert.equal(remote.asked.length, 1)
  })

  test('root fields of remote schemas have theirs, nulls in lists remain, cookies reach the client', async () => {
    const { body, headers } = await engine.post('/v1/graphql', { query: '{ people { name student { name person { id } } } student_by_pk(id: 1) { grade } }' }) // biome-ignore format: one line
    assert.deepEqual(body.data, {
      people: [
        { name: 'p1', student: { name: 'ann "q"', person: { id: 1 } } },
        null,
        { name: 'p2', student: { name: 'bob', person: { id: 2 } } },
      ],
      student_by_pk: { grade: 'B' },
    })
    assert.deepEqual(headers['set-cookie'], ['remote=1', 'remote=1', 'remote=1'])
  })

  test('rows, depth and size are bounded', async () => {
    await runOnDatabase(
      database.url,
      "INSERT INTO student SELECT i, repeat('x', 900), i, i FROM generate_series(4, 6) i",
    )
    remote.forget()
    const rows = await ask('{ student { person { id } } }')
    assert.deepEqual(rows.errors, [
      {
        message: 'more than 3 rows lead to the relationship "person" (--max-join-rows)',
        extensions: { path: '$', code: 'bad-request' },
      },
    ])
    const deep = await ask('{ student { person { student { person { id } } } } }')
    assert.equal(deep.errors[0].extensions.code, 'validation-failed')
    assert.match(deep.errors[0].message, /nested too deep: at most 2/)
    assert.equal(remote.asked.length, 0)
    // 300 places for one value of 1,000 bytes
    const aliases = Array.from({ length: 30 }, (_, i) => `a${i}: people { student { name } }`).join(' ')
    await runOnDatabase(database.url, "UPDATE student SET name = repeat('y', 1000)")
    const large = await ask(`{ ${aliases} }`)
    assert.equal(large.errors[0].extensions.code, 'bad-request')
    assert.match(large.errors[0].message, /max-response-size/)
    await runOnDatabase(database.url, 'DELETE FROM student WHERE id > 3')
  })

  test('subscriptions have neither remote root fields nor remote relationships', async () => {
    const socket = await openSocket(engine, { init: { 'x-svc-admin-secret': engine.secret } })
    const refused = async (id: string, query: string) => {
      socket.send({ id, type: 'start', payload: { query } })
      for (;;) {
        const message = await socket.next()
        if (message.id === id && message.payload) return message.payload.errors[0]
      }
    }
    assert.deepEqual(await refused('1', 'subscription { ticks }'), {
      message: 'subscription to remote server is not supported',
      extensions: { path: '$', code: 'not-supported' },
    })
    assert.deepEqual(await refused('2', 'subscription { student { id person { id } } }'), {
      message: 'Remote relationships are not allowed in subscriptions',
      extensions: { path: '$', code: 'not-supported' },
    })
    socket.close()
  })
})
