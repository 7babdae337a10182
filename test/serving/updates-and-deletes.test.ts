/** Updates, deletes and what all mutations have in common (reference/mutations) through the real process and a real database. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, validateSchema } from 'graphql'
import type pg from 'pg'
import type { Engine, RequestHeaders } from '../engine.ts'
import { failedCheck, refused, seller, startWrittenTables, type WrittenTables } from './written-tables.ts'

describe('updates, deletes and what all mutations have in common', () => {
  let tables: WrittenTables
  let engine: Engine
  let client: pg.Client
  const ask: WrittenTables['ask'] = (...args) => tables.ask(...args)
  const rows: WrittenTables['rows'] = (sql) => tables.rows(sql)

  before(async () => {
    tables = await startWrittenTables()
    ;({ engine, client } = tables)
  })
  after(() => tables.stop())
  beforeEach(() => tables.empty())

  test('updates work on the rows of the role, see each other in order, and return what is there afterwards', async () => {
    await client.query(`INSERT INTO artist (name, meta) VALUES ('ada', '{"a": 1, "l": [1, 2]}');
      INSERT INTO album (title, owner, price, artist_id) VALUES ('one', 'ann', 2, 1), ('two', 'bob', 2, 1)`)
    assert.deepEqual(
      await ask(
        'mutation { update_album(where: {}, _set: {title: "all"}, _inc: {price: "1.5"}) { affected_rows returning { id title price artist { name } } } }',
        seller,
      ),
      { update_album: { affected_rows: 1, returning: [{ id: 1, title: 'all', price: 3.5, artist: { name: 'ada' } }] } },
    )
    refused(
      'permission-error',
      '$',
      failedCheck,
    )(await ask('mutation { update_album(where: {}, _set: {owner: "bob"}) { affected_rows } }', seller))
    assert.deepEqual(
      await ask(`mutation { update_album_many(updates: [
        {where: {id: {_eq: 2}}, _set: {title: "first"}}, {where: {}},
        {where: {title: {_eq: "first"}}, _set: {title: "second"}}]) { affected_rows returning { title } } }`),
      {
        update_album_many: [
          { affected_rows: 1, returning: [{ title: 'first' }] },
          { affected_rows: 0, returning: [] },
          { affected_rows: 1, returning: [{ title: 'second' }] },
        ],
      },
    )
    assert.deepEqual(
      await ask(`mutation { update_artist_by_pk(pk_columns: {id: 1}, _append: {meta: {b: 2}}) { meta }
        a: update_artist(where: {}, _delete_at_path: {meta: ["l", "0"]}) { returning { meta } }
        b: update_artist(where: {}, _delete_key: {meta: "a"}) { returning { meta } }
        c: update_artist_by_pk(pk_columns: {id: 5}, _set: {age: 1}) { id }
        d: update_artist(where: {}) { affected_rows returning { id } }
        e: update_artist_by_pk(pk_columns: {id: 1}) { id } }`),
      {
        update_artist_by_pk: { meta: { a: 1, b: 2, l: [1, 2] } },
        a: { returning: [{ meta: { a: 1, b: 2, l: [2] } }] },
        b: { returning: [{ meta: { b: 2, l: [2] } }] },
        c: null,
        d: { affected_rows: 0, returning: [] },
        e: null,
      },
    )
    refused(
      'validation-failed',
      '$.selectionSet.update_artist.args',
      "Column found in multiple operators: ['age'].",
    )(await ask('mutation { update_artist(where: {}, _set: {age: 1}, _inc: {age: 1}) { affected_rows } }'))
    refused(
      'validation-failed',
      '$.selectionSet.update_album.args._set.title',
      /^unexpected null value/,
    )(await ask('mutation { update_album(where: {}, _set: {title: null}) { affected_rows } }'))
  })

  test('updates that come in a variable are no part of the plan, whatever their number and shapes', async () => {
    await client.query(`INSERT INTO artist (name, age) SELECT 'a' || i, i FROM generate_series(1, 300) i`)
    const many = `mutation ($updates: [artist_updates!]!) { update_artist_many(updates: $updates) {
      affected_rows returning { id albums { title } } } }`
    const update = (updates: unknown) => ask(many, {}, { updates })
    const byId = (id: number, more: object) => ({ where: { id: { _eq: id } }, ...more })
    const shapes = [
      (i: number) => byId(i, { _set: { name: `n${i}` } }),
      (i: number) => byId(i, { _inc: { age: 1000 } }),
      (i: number) => byId(i, { _set: { name: `n${i}`, meta: { i } } }),
      (i: number) => byId(i, {}),
      (i: number) => ({ where: { _and: [{ id: { _gt: i - 1 } }, { id: { _lt: i + 1 } }] }, _set: { age: null } }),
    ]
    for (const length of [1, 7, 300]) {
      const rows = Array.from({ length }, (_, i) => shapes[i % 5]?.(i + 1))
      const answer = Array.from({ length }, (_, i) =>
        i % 5 === 3
          ? { affected_rows: 0, returning: [] }
          : { affected_rows: 1, returning: [{ id: i + 1, albums: [] }] },
      )
      assert.deepEqual(await update(rows), { update_artist_many: answer })
    }
    const { body } = await engine.post('/v1/graphql', {
      query: many,
      variables: { updates: [byId(1, { _inc: { age: 1 } })] },
    })
    assert.equal(body.data.update_artist_many[0].affected_rows, 1)
    assert.equal((await engine.observed('operation-executed', ({ planCached }) => planCached === true)).code, null)
    assert.deepEqual(
      await rows(`SELECT count(*) FILTER (WHERE name = 'n' || id)::int AS named, count(*) FILTER (WHERE age >= 1000)::int AS aged,
        count(meta)::int AS meta, count(*) FILTER (WHERE age IS NULL)::int AS ageless FROM artist`),
      [{ named: 120, aged: 60, meta: 60, ageless: 60 }],
    )
    // one object stands for a list; nothing at all to do is an answer without any
    assert.deepEqual(await update(byId(2, { _set: { age: 5 } })), {
      update_artist_many: [{ affected_rows: 1, returning: [{ id: 2, albums: [] }] }],
    })
    for (const nothing of [[], [byId(1, {})]]) assert.deepEqual(await update(nothing), { update_artist_many: [] })
    const path = '$.selectionSet.update_artist_many.args.updates'
    const good = byId(1, { _set: { age: 77 } })
    for (const [wrong, code, at, message] of [
      [byId(1, { _set: { nope: 1 } }), 'validation-failed', '[1]._set.nope', /^field 'nope' not found/],
      [byId(1, { _set: { age: 1e12 } }), 'parse-failed', '[1]._set.age', /lies outside the bounds/],
      [
        byId(1, { _set: { age: 1 }, _inc: { age: 1 } }),
        'validation-failed',
        '[1]',
        /^Column found in multiple operators/,
      ],
      [{ _set: { age: 1 } }, 'validation-failed', '[1].where', /^missing required field 'where'/],
      [null, 'validation-failed', '[1]', /^expected an object .*found null$/],
      [7, 'validation-failed', '[1]', /found a number$/],
      [{ where: { id: { _eq: 'x' } }, _set: { age: 1 } }, 'data-exception', null, /^invalid input syntax/],
    ] as const)
      refused(code, at === null ? '$' : `${path}${at}`, message)(await update([good, wrong]))
    assert.deepEqual(await rows('SELECT id FROM artist WHERE age = 77'), [])
  })

  test('deletes give back what was there, with what it still leads to', async () => {
    await client.query(`INSERT INTO artist (name) VALUES ('ada');
      INSERT INTO album (title, owner, artist_id) VALUES ('one', 'ann', 1), ('two', 'bob', 1)`)
    assert.deepEqual(
      await ask('mutation { delete_album(where: {}) { affected_rows returning { title artist { name } } } }', seller),
      {
        delete_album: { affected_rows: 1, returning: [{ title: 'one', artist: { name: 'ada' } }] },
      },
    )
    assert.deepEqual(
      await ask('mutation { delete_album_by_pk(id: 2) { title } again: delete_album_by_pk(id: 2) { title } }'),
      {
        delete_album_by_pk: { title: 'two' },
        again: null,
      },
    )
    refused(
      'validation-failed',
      '$.selectionSet.delete_album.args.where',
      /found null$/,
    )(await ask('mutation { delete_album(where: null) { affected_rows } }'))
  })

  test('a role that may only write gets no rows, and presets come from its session', async () => {
    assert.deepEqual(
      await ask('mutation { insert_secret_note(objects: [{body: "a"}, {body: "b"}]) { affected_rows } }', seller),
      { insert_secret_note: { affected_rows: 2 } },
    )
    assert.deepEqual(await rows('SELECT pin FROM secret_note'), [{ pin: '7' }, { pin: '7' }])
    for (const [field, path] of [
      ['insert_secret_note_one(object: {body: "a"}) { id }', '$.selectionSet.insert_secret_note_one'],
      ['delete_secret_note_by_pk(id: 1) { id }', '$.selectionSet.delete_secret_note_by_pk'],
      [
        'insert_secret_note(objects: {body: "a"}) { returning { id } }',
        '$.selectionSet.insert_secret_note.selectionSet.returning',
      ],
      [
        'insert_secret_note(objects: {body: "a", pin: "1"}) { affected_rows }',
        '$.selectionSet.insert_secret_note.args.objects[0].pin',
      ],
      [
        'delete_secret_note(where: {pin: {_eq: "1"}}) { affected_rows }',
        '$.selectionSet.delete_secret_note.args.where.pin',
      ],
    ] as const)
      refused('validation-failed', path, /^field '.*' not found in type/)(await ask(`mutation { ${field} }`, seller))
    const other = { ...seller, 'X-Svc-Pin': '8' }
    assert.deepEqual(await ask('mutation { delete_secret_note(where: {_not: {_or: []}}) { affected_rows } }', other), {
      delete_secret_note: { affected_rows: 0 },
    })
    const { 'X-Svc-Pin': _, ...without } = seller
    refused(
      'not-found',
      '$',
      'missing session variable: "x-svc-pin"',
    )(await ask('mutation { insert_secret_note(objects: {body: "c"}) { affected_rows } }', without))
  })

  test('what is for backends only is there for those that ask for it', async () => {
    const insert = 'mutation { insert_track(objects: []) { affected_rows } }'
    refused(
      'validation-failed',
      '$.selectionSet.insert_track',
      "field 'insert_track' not found in type: 'mutation_root'",
    )(await ask(insert, seller))
    const backend = { ...seller, 'X-Svc-Use-Backend-Only-Permissions': 'true' }
    assert.deepEqual(await ask(insert, backend), { insert_track: { affected_rows: 0 } })
  })

  test('root fields are one transaction; with __typename each is its own', async () => {
    const fields = 'a: insert_artist_one(object: {name: "a"}) { name } b: insert_album_one(object: {price: -1}) { id }'
    const violation = /^Check constraint violation\. /
    refused(
      'permission-error',
      '$.selectionSet.insert_album_one.args.object',
      violation,
    )(await ask(`mutation { ${fields} }`))
    assert.deepEqual(await rows('SELECT name FROM artist'), [])
    refused(
      'permission-error',
      '$.selectionSet.insert_album_one.args.object',
      violation,
    )(await ask(`mutation { ${fields} __typename }`))
    assert.deepEqual(await rows('SELECT name FROM artist'), [{ name: 'a' }])
    assert.deepEqual(await ask('mutation { rename(args: {of_id: 2, new_name: "z"}) { name } __typename }'), {
      __typename: 'mutation_root',
      rename: [{ name: 'z' }],
    })
  })

  test('a plan serves the next request with other rows', async () => {
    const insert = 'mutation ($o: artist_insert_input!) { insert_artist_one(object: $o) { name age } }'
    for (const o of [{ name: 'a' }, { name: 'b', age: 3 }, { age: 4, name: 'c' }, { name: 'd' }])
      assert.deepEqual(await ask(insert, {}, { o }), { insert_artist_one: { name: o.name, age: o.age ?? null } })
    refused(
      'validation-failed',
      '$.selectionSet.insert_artist_one.args.object.nope',
      /^field 'nope' not found/,
    )(await ask(insert, {}, { o: { nope: 1 } }))
    refused(
      'parse-failed',
      '$.selectionSet.insert_artist_one.args.object.age',
      /lies outside the bounds/,
    )(await ask(insert, {}, { o: { name: 'x', age: 1e12 } }))
    refused(
      'validation-failed',
      '$.selectionSet.insert_artist_one.args.object.name',
      /^unexpected null value/,
    )(await ask(insert, {}, { o: { name: null } }))
  })

  test('the schema of every role is valid and has the mutations of that role only', async () => {
    for (const [headers, fields] of [
      [{}, 34],
      [seller, 11],
      [{ ...seller, 'X-Svc-Use-Backend-Only-Permissions': 'yes' }, 12],
    ] as const) {
      const { body } = await engine.post('/v1/graphql', { query: getIntrospectionQuery() }, headers)
      const built = buildClientSchema(body.data as IntrospectionQuery)
      assert.deepEqual(validateSchema(built), [])
      assert.equal(Object.keys(built.getMutationType()?.getFields() ?? {}).length, fields)
    }
  })

  test('a webhook is asked about the input before anything is written', async () => {
    const asked: unknown[] = []
    let answer: { readonly status: number; readonly body: string } = { status: 200, body: '' }
    const webhook = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      asked.push(JSON.parse(Buffer.concat(parts).toString()).data)
      response.writeHead(answer.status).end(answer.body)
    }).listen(0, '127.0.0.1')
    await once(webhook, 'listening')
    const { port } = webhook.address() as AddressInfo
    const validate_input = { type: 'http', definition: { url: `http://127.0.0.1:${port}/` } }
    const permit = (kind: string, permission: object) => ({
      type: `pg_create_${kind}_permission`,
      args: { table: 'artist', role: 'checked', permission: { ...permission, validate_input } },
    })
    const set = await engine.metadata('bulk', [
      permit('insert', { check: {}, columns: '*' }),
      permit('update', { columns: ['age'], filter: {} }),
      permit('delete', { filter: {} }),
      { type: 'pg_create_insert_permission', args: { table: 'album', role: 'checked', permission: { check: {} } } },
    ])
    assert.equal(set.status, 200, set.text)
    const headers = { 'X-Svc-Role': 'checked' }
    assert.deepEqual(
      await ask(
        `mutation ($n: String) {
          insert_album(objects: [{title: "t", artist: {data: {name: $n}}}]) { affected_rows }
          update_artist(where: {}, _set: {age: 3}) { affected_rows }
          delete_artist(where: {_not: {}}) { affected_rows } }`,
        headers,
        { n: 'ada' },
      ),
      { insert_album: { affected_rows: 2 }, update_artist: { affected_rows: 1 }, delete_artist: { affected_rows: 0 } },
    )
    assert.deepEqual(asked, [
      { input: [{ name: 'ada' }] },
      { input: [{ where: {}, _set: { age: 3 } }] },
      { input: [{ where: { _not: {} } }] },
    ])
    const row = await engine.post(
      '/v1/query',
      { type: 'delete', args: { table: 'artist', where: { $not: {} } } },
      headers,
    )
    assert.deepEqual(row.body, { affected_rows: 0 })
    assert.deepEqual(asked[3], { input: [{ where: { _not: {} } }] })
    const insert = 'mutation { insert_artist(objects: [{name: "no"}]) { affected_rows } }'
    answer = { status: 400, body: '{"message": "not this one"}' }
    refused('validation-failed', '$', 'not this one')(await ask(insert, headers))
    answer = { status: 500, body: 'x' }
    refused('unexpected', '$', 'internal error when validating input data')(await ask(insert, headers))
    webhook.close()
    await once(webhook, 'close')
    refused('unexpected', '$', 'http exception when validating input data')(await ask(insert, headers))
    assert.deepEqual(await rows('SELECT name FROM artist'), [{ name: 'ada' }])
  })

  test('the row API writes by the same permissions', async () => {
    await client.query(`INSERT INTO artist (name) VALUES ('ada')`)
    const query = async (type: string, args: object, headers: RequestHeaders = {}) =>
      (await engine.post('/v1/query', { type, args }, headers)).body as unknown
    assert.deepEqual(
      await query(
        'insert',
        { table: 'album', objects: [{ owner: 'ann', title: 'r', artist_id: 1 }], returning: ['id'] },
        seller,
      ),
      {
        affected_rows: 1,
        returning: [{ id: 1 }],
      },
    )
    assert.deepEqual(await query('insert', { table: 'album', objects: [{ owner: 'bob' }] }, seller), {
      error: failedCheck,
      path: '$.args',
      code: 'permission-error',
    })
    assert.deepEqual(await query('update', { table: 'album', where: { owner: 'ann' }, $set: { title: 'q' } }, seller), {
      error: 'role "seller" does not have permission to select column "owner"',
      path: '$.args.where',
      code: 'permission-denied',
    })
    assert.deepEqual(
      await query('update', { table: 'album', where: { id: { $gt: 0 } }, $set: { title: 'q' } }, seller),
      {
        affected_rows: 1,
      },
    )
    assert.deepEqual(
      await query(
        'select',
        { table: 'album', columns: ['*', { name: 'artist', columns: ['name'] }], order_by: '-id', limit: 1 },
        seller,
      ),
      [{ id: 1, title: 'q', price: null, artist_id: 1, artist: { name: 'ada' } }],
    )
    assert.deepEqual(await query('count', { table: 'album', where: { title: 'q' }, distinct: ['title'] }, seller), {
      count: 1,
    })
    assert.deepEqual(await query('delete', { table: 'album', where: {}, returning: ['title'] }, seller), {
      affected_rows: 1,
      returning: [{ title: 'q' }],
    })
    assert.deepEqual(await query('delete', { table: 'artist', where: {} }, seller), {
      error: 'delete on "artist" for role "seller" is not allowed. ',
      path: '$.args',
      code: 'permission-denied',
    })
  })
})
