/** Inserts (reference/mutations) through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type pg from 'pg'
import type { Engine } from '../engine.ts'
import { failedCheck, refused, seller, startWrittenTables, type WrittenTables } from './written-tables.ts'

describe('inserts', () => {
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

  test('rows of different columns are one insert; what is left out takes its default', async () => {
    const insert = `mutation ($objects: [artist_insert_input!]!) { insert_artist(objects: $objects) {
      affected_rows returning { id name age born code meta } } }`
    const objects = [
      { name: 'a', age: 20 },
      { name: 'b', meta: { x: [1, null] } },
      { id: 50, name: 'c', code: 9, age: null },
    ]
    assert.deepEqual(await ask(insert, {}, { objects }), {
      insert_artist: {
        affected_rows: 3,
        returning: [
          { id: 1, name: 'a', age: 20, born: 1980, code: 1, meta: null },
          { id: 2, name: 'b', age: null, born: null, code: 2, meta: { x: [1, null] } },
          { id: 50, name: 'c', age: null, born: null, code: 9, meta: null },
        ],
      },
    })
    assert.deepEqual(await ask('mutation { insert_album(objects: [{}, {}]) { returning { title } } }'), {
      insert_album: { returning: [{ title: 'untitled' }, { title: 'untitled' }] },
    })
    assert.deepEqual(await ask('mutation { insert_album_one(object: {}) { title } }'), {
      insert_album_one: { title: 'untitled' },
    })
    assert.deepEqual(await ask('mutation { insert_album(objects: []) { affected_rows returning { id } } }'), {
      insert_album: { affected_rows: 0, returning: [] },
    })
  })

  test('10,000 objects are inserted in their order, by one statement, and are no part of the plan', async () => {
    const insert = 'mutation ($objects: [album_insert_input!]!) { insert_album(objects: $objects) { affected_rows } }'
    const many = (length: number, start: number) =>
      Array.from({ length }, (_, i) => ({ title: `t ${start + i}, "quoted" \\`, price: i + 0.5, tags: ['a,b', '"'] }))
    for (const [length, start] of [
      [10_000, 0],
      [500, 10_000],
    ] as const)
      assert.deepEqual(await ask(insert, {}, { objects: many(length, start) }), {
        insert_album: { affected_rows: length },
      })
    assert.deepEqual(
      await rows(`SELECT count(*)::int AS n, bool_and(title = 't ' || (id - 1) || ', "quoted" \\') AS ordered,
        bool_and(tags = ARRAY['a,b', '"']) AS tags FROM album`),
      [{ n: 10_500, ordered: true, tags: true }],
    )
    const uneven = Array.from({ length: 9_000 }, (_, i) =>
      i % 2 === 0
        ? { title: `u'${i}`, price: 1, owner: 'o', tags: [], artist_id: null, id: 20_000 + i }
        : { id: 20_000 + i },
    )
    assert.deepEqual(await ask(insert, {}, { objects: uneven }), { insert_album: { affected_rows: 9_000 } })
  })

  test('an object of many keys in the text of a query is what it would be in a variable', async () => {
    const entries = Array.from({ length: 2000 }, (_, i) => `k${i}: ${i % 3 === 0 ? `"${i}"` : i}`)
    const data = `{ ${entries.join(' ')} __proto__: { a: 1 } exact: 1234567890123456789012 v: $v }`
    const query = `mutation ($v: jsonb) { insert_artist_one(object: {name: "keys", meta: ${data}}) { meta } }`
    const headers = { 'x-svc-role': 'admin' }
    const { text } = await engine.post('/v1/graphql', { query, variables: { v: { b: [2] } } }, headers)
    assert.match(text, /"exact": ?1234567890123456789012/)
    const found = JSON.parse(text).data.insert_artist_one.meta
    assert.deepEqual(Object.getOwnPropertyDescriptor(found, '__proto__')?.value, { a: 1 })
    assert.deepEqual([found.k0, found.k1, found.k1999, found.v], ['0', 1, 1999, { b: [2] }])
    assert.equal(Object.keys(found).length, 2003)
  })

  test('nested rows are written in the order of their keys, and all of them count', async () => {
    const insert = `mutation { insert_album(objects: [
      { title: "one", artist: { data: { name: "ada" } }, tracks: { data: [{ name: "x" }, { name: "y" }] } }
      { title: "two", artist: { data: { name: "ada" }, on_conflict: { constraint: artist_name_key, update_columns: [name] } } }
      { title: "three", tracks: { data: [] }, artist: null }
    ]) { affected_rows returning { id title artist { id name albums_aggregate { aggregate { count } } } tracks(order_by: {id: asc}) { id name } } } }`
    assert.deepEqual(await ask(insert, { 'X-Svc-User-Id': 'me' }), {
      insert_album: {
        affected_rows: 7,
        returning: [
          {
            id: 1,
            title: 'one',
            artist: { id: 1, name: 'ada', albums_aggregate: { aggregate: { count: 2 } } },
            tracks: [
              { id: 1, name: 'x' },
              { id: 2, name: 'y' },
            ],
          },
          {
            id: 2,
            title: 'two',
            artist: { id: 1, name: 'ada', albums_aggregate: { aggregate: { count: 2 } } },
            tracks: [],
          },
          { id: 3, title: 'three', artist: null, tracks: [] },
        ],
      },
    })
    assert.deepEqual(await rows('SELECT * FROM seen'), [{ by_whom: 'me' }, { by_whom: 'me' }])
    const deep = `mutation ($object: artist_insert_input!) { insert_artist_one(object: $object) { name albums { tracks { name } } } }`
    const object = { name: 'deep', albums: { data: [{ title: 'p', tracks: { data: { name: 'q' } } }] } }
    assert.deepEqual(await ask(deep, {}, { object }), {
      insert_artist_one: { name: 'deep', albums: [{ tracks: [{ name: 'q' }] }] },
    })
  })

  test('a check is asked of nested rows, and one that fails leaves nothing of the request', async () => {
    const nested = (artist: string, owner: string) => `mutation {
      first: insert_artist(objects: {name: "before"}) { affected_rows }
      insert_album_one(object: {title: "t", owner: "${owner}", artist: {data: {name: "${artist}"}}}) { title artist { name } } }`
    refused(
      'permission-error',
      '$.selectionSet.insert_album_one.args.object[0]',
      failedCheck,
    )(await ask(nested('ada', 'bob'), seller))
    refused(
      'permission-error',
      '$.selectionSet.insert_album_one.args.object[0]',
      failedCheck,
    )(await ask(nested('banned', 'ann'), seller))
    refused(
      'permission-error',
      '$.selectionSet.insert_album_one.args.object[0].artist.data',
      failedCheck,
    )(await ask(nested('evil', 'ann'), seller))
    assert.deepEqual(
      await rows('SELECT * FROM artist UNION ALL SELECT NULL, title, NULL, NULL, NULL, NULL FROM album'),
      [],
    )
    assert.deepEqual(await ask(nested('ada', 'ann'), seller), {
      first: { affected_rows: 1 },
      insert_album_one: { title: 't', artist: { name: 'ada' } },
    })
    // a check whose truth is unknown is not satisfied
    refused(
      'permission-error',
      '$.selectionSet.insert_album.args.objects',
      failedCheck,
    )(await ask('mutation { insert_album(objects: {title: "no owner"}) { affected_rows } }', seller))
  })

  test('an upsert updates what the role may update, checks it, and skips the rest', async () => {
    await client.query(
      `INSERT INTO album (id, title, owner, price) VALUES (1, 'mine', 'ann', 2), (2, 'theirs', 'bob', 2)`,
    )
    const upsert = (objects: string, more = '') => `mutation { insert_album(objects: ${objects},
      on_conflict: {constraint: album_pkey, update_columns: [title, owner]${more}}) { affected_rows returning { title } } }`
    const admin = (owner: string, id: number) => `[{id: ${id}, title: "new", owner: "${owner}"}]`
    assert.deepEqual(await ask(upsert(admin('ann', 1))), {
      insert_album: { affected_rows: 1, returning: [{ title: 'new' }] },
    })
    assert.deepEqual(await ask(upsert(admin('x', 1), ', where: {price: {_gt: 5}}')), {
      insert_album: { affected_rows: 0, returning: [] },
    })
    refused(
      'validation-failed',
      '$.selectionSet.insert_album.args.objects[0].id',
      /field 'id' not found/,
    )(await ask(upsert(admin('ann', 1)), seller))
    assert.deepEqual(
      await ask(
        'mutation { insert_artist_one(object: {id: 9, name: "n"}, on_conflict: {constraint: artist_pkey}) { id } }',
      ),
      { insert_artist_one: { id: 9 } },
    )
    assert.deepEqual(
      await ask(
        'mutation { insert_artist_one(object: {id: 9, name: "m"}, on_conflict: {constraint: artist_pkey}) { id } }',
      ),
      { insert_artist_one: null },
    )
    refused(
      'not-supported',
      '$.selectionSet.insert_artist_one.args.object[0]',
      'cannot proceed to insert array relations since insert to table "artist" affects zero rows',
    )(
      await ask(`mutation { insert_artist_one(object: {id: 9, name: "m", albums: {data: {title: "x"}}},
        on_conflict: {constraint: artist_pkey}) { id } }`),
    )
    refused(
      'constraint-violation',
      '$.selectionSet.insert_artist.args.objects',
      /^Uniqueness violation\. .*artist_name_key/,
    )(await ask('mutation { insert_artist(objects: [{name: "n"}]) { affected_rows } }'))
  })

  test('an upsert into a partitioned table and through a view knows new rows from those that were there', async (t) => {
    await client.query(`CREATE TABLE part (id int, k int, a text, PRIMARY KEY (id, k)) PARTITION BY LIST (k);
      CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
      CREATE TABLE part_2 (a text, k int NOT NULL, id int NOT NULL);
      ALTER TABLE part ATTACH PARTITION part_2 FOR VALUES IN (2);
      CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.a = 'left out' THEN RETURN NULL; END IF; RETURN NEW; END $$;
      CREATE TRIGGER leave_out BEFORE UPDATE ON part_1 FOR EACH ROW EXECUTE FUNCTION leave_out();
      CREATE VIEW parts AS SELECT id, k, a FROM part_1`)
    const permit = (kind: string, table: string, permission: object) => ({
      type: `pg_create_${kind}_permission`,
      args: { table, role: 'parter', permission },
    })
    const drop = ['part', 'parts'].map((table) => ({ type: 'pg_untrack_table', args: { table, cascade: true } }))
    t.after(async () => {
      await engine.metadata('bulk', drop)
      await client.query('DROP TABLE part CASCADE')
    })
    const set = await engine.metadata('bulk', [
      ...['part', 'parts'].flatMap((table) => [
        { type: 'pg_track_table', args: { table } },
        permit('select', table, { columns: '*', filter: {} }),
        permit('insert', table, { check: { a: { _like: 'new%' } } }),
        permit('update', table, { columns: ['a'], filter: { a: { _ne: 'kept' } }, check: { a: { _like: '%2' } } }),
      ]),
    ])
    assert.equal(set.status, 200, set.text)
    const parter = { 'X-Svc-Role': 'parter' }
    const upsert = (objects: object[]) =>
      ask(
        `mutation ($objects: [part_insert_input!]!) { insert_part(objects: $objects,
          on_conflict: {constraint: part_pkey, update_columns: [a]}) { affected_rows } }`,
        parter,
        { objects },
      )
    const forbidden = refused('permission-error', '$.selectionSet.insert_part.args.objects', failedCheck)
    for (const k of [1, 2]) {
      const row = (id: number, a: string) => ({ id, k, a })
      assert.deepEqual(await upsert([row(1, 'new 1'), row(2, 'new')]), { insert_part: { affected_rows: 2 } })
      // as a row that was there it is right, as a new one it is not
      assert.deepEqual(await upsert([row(1, 'old 2'), row(3, 'new')]), { insert_part: { affected_rows: 2 } })
      forbidden(await upsert([row(1, 'old 2'), row(4, 'old 2')]))
      forbidden(await upsert([row(1, 'new'), row(5, 'new')]))
      await client.query(`UPDATE part SET a = 'kept' WHERE id = 1`)
      assert.deepEqual(await upsert([row(1, 'new 2'), row(6, 'new')]), { insert_part: { affected_rows: 1 } })
    }
    // a trigger leaves out the row that was there; what comes behind it is a new row
    forbidden(
      await upsert([
        { id: 2, k: 1, a: 'left out' },
        { id: 7, k: 1, a: 'old 2' },
      ]),
    )
    const through = async (a: string, id: number) => {
      const args = {
        table: 'parts',
        objects: [{ id, k: 1, a }],
        on_conflict: { action: 'update', constraint_on: ['id', 'k'] },
      }
      return (await engine.post('/v1/query', { type: 'insert', args }, parter)).body
    }
    assert.deepEqual(await through('old 2', 2), { affected_rows: 1 })
    assert.equal((await through('old', 2)).code, 'permission-error')
    assert.equal((await through('old 2', 8)).code, 'permission-error')
    assert.deepEqual(await through('new', 8), { affected_rows: 1 })
  })
})
