import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { runWriteForms } from './run-write-forms.ts'

let engine: Engine
before(async () => {
  engine = await startEngine()
})
after(() => engine.stop())

test('a write by one statement does and answers what it does by more, whatever reads the session', async () => {
  const { done, refused, found } = await runWriteForms(engine, 41, 400)
  assert.equal(found, null, found ? `${found.what}\n${found.query}` : '')
  assert.ok(refused > 10 && refused < done / 2, `${done} done, ${refused} refused`)
})

/** Who writes, and who looks; both with a table of items and one that they lead to. */
async function withItems(work: (holder: pg.Client, other: pg.Client) => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: engine.databaseUrl })
  const other = new pg.Client({ connectionString: engine.databaseUrl })
  await Promise.all([holder.connect(), other.connect()])
  try {
    await work(holder, other)
  } finally {
    await Promise.all([holder.end(), other.end()])
  }
}

/** Resolves once a statement waits for a lock. */
async function lockAwaited(client: pg.Client): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  while ((await client.query(waiting)).rowCount === 0);
}

/** So long that what writes it has a connection alone, on which it waits as long as it must. */
const long = 'x'.repeat(10_000)

test('an answer has the row that a key leads to, also one that was committed while the write waited', async () => {
  await withItems(async (holder, other) => {
    await other.query(`CREATE TABLE parent (id int PRIMARY KEY, name text);
      CREATE TABLE item (id int PRIMARY KEY, note text, parent_id int REFERENCES parent);
      CREATE TABLE part (id int PRIMARY KEY, item_id int REFERENCES item)`)
    const { text } = await engine.metadata('bulk', [
      ...['parent', 'item', 'part'].map((table) => ({ type: 'pg_track_table', args: { table } })),
      {
        type: 'pg_create_object_relationship',
        args: { table: 'item', name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } },
      },
      {
        type: 'pg_create_array_relationship',
        args: {
          table: 'item',
          name: 'parts',
          using: { foreign_key_constraint_on: { table: 'part', column: 'item_id' } },
        },
      },
    ])
    assert.match(text, /success/)
    await holder.query('BEGIN; INSERT INTO item VALUES (1)')
    const query = `mutation { insert_item_one(object: {id: 1, parent_id: 9, note: "${long}"}) { id parent { name } } }`
    const answer = engine.post('/v1/graphql', { query })
    await lockAwaited(other)
    await other.query(`INSERT INTO parent VALUES (9, 'late')`)
    await holder.query('ROLLBACK')
    assert.deepEqual((await answer).body, { data: { insert_item_one: { id: 1, parent: { name: 'late' } } } })
  })
})

const changes = {
  update_item: `update_item(where: {id: {_gt: 0}, parts: {id: {_gte: 0}}}, _set: {note: "${long}"}) { returning { parts(order_by: {id: asc}) { id } } }`,
  update_item_by_pk: `update_item_by_pk(pk_columns: {id: 1}, _set: {note: "${long}"}) { parts(order_by: {id: asc}) { id } }`,
  insert_item_one: `insert_item_one(object: {id: 1, note: "${long}"},
    on_conflict: {constraint: item_pkey, update_columns: [note]}) { parts(order_by: {id: asc}) { id } }`,
}
test('an answer of a changed row has what the transaction wrote that it waited for', async () => {
  await withItems(async (holder, other) => {
    await other.query('INSERT INTO part VALUES (0, 1)')
    let parts = [{ id: 0 }]
    for (const [i, [name, change]] of Object.entries(changes).entries()) {
      await holder.query(`BEGIN; UPDATE item SET note = 'theirs' WHERE id = 1; INSERT INTO part VALUES (${i + 1}, 1)`)
      const answer = engine.post('/v1/graphql', { query: `mutation { ${change} }` })
      await lockAwaited(other)
      await holder.query('COMMIT')
      parts = [...parts, { id: i + 1 }]
      const expected = name === 'update_item' ? { returning: [{ parts }] } : { parts }
      assert.deepEqual((await answer).body, { data: { [name]: expected } })
    }
  })
})

test('a row that was inserted while an upsert waited is answered as one that was there', async () => {
  await withItems(async (holder, other) => {
    await holder.query('BEGIN; INSERT INTO item VALUES (2); INSERT INTO part VALUES (20, 2)')
    const answer = engine.post('/v1/graphql', {
      query: `mutation { ${changes.insert_item_one.replace('id: 1', 'id: 2')} }`,
    })
    await lockAwaited(other)
    await holder.query('COMMIT')
    assert.deepEqual((await answer).body, { data: { insert_item_one: { parts: [{ id: 20 }] } } })
  })
})

/** By the table that each is made for. */
const byHand = {
  triggered: 'CREATE TRIGGER own BEFORE INSERT OR UPDATE ON triggered FOR EACH ROW EXECUTE FUNCTION own()',
  // it runs before anything else of the statement
  demanding: 'CREATE TRIGGER demands BEFORE INSERT OR UPDATE ON demanding EXECUTE FUNCTION demands()',
  defaulted: 'ALTER TABLE defaulted ALTER owner SET DEFAULT asker()',
  guarded: `ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY own ON guarded USING (asker() IS NOT NULL) WITH CHECK (asker() IS NOT NULL)`,
}
test('what is made in the database by hand finds the session of the next write', async () => {
  await withItems(async (_, client) => {
    const role = `svc_by_hand_${process.pid}`
    const tables = Object.keys(byHand)
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'w'; GRANT ALL ON SCHEMA public TO ${role}; SET ROLE ${role};
      CREATE FUNCTION asker() RETURNS text LANGUAGE sql STABLE AS
        $$ SELECT NULLIF(current_setting('svc.user', true), '')::json->>'x-svc-role' $$;
      CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.owner := asker(); RETURN NEW; END $$;
      CREATE FUNCTION demands() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF asker() IS NULL THEN RAISE 'nobody asks'; END IF; RETURN NULL; END $$;
      ${tables.map((name) => `CREATE TABLE ${name} (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n int, owner text);`).join('')}`)
    const url = new URL(engine.databaseUrl)
    url.username = role
    url.password = 'w'
    const args = { name: 'by_hand', configuration: { connection_info: { database_url: url.href } } }
    const { text } = await engine.metadata('bulk', [
      { type: 'pg_add_source', args: { ...args, customization: { root_fields: { prefix: 'h_' } } } },
      ...tables.map((table) => ({ type: 'pg_track_table', args: { source: 'by_hand', table } })),
    ])
    assert.match(text, /success/)
    try {
      for (const [table, sql] of Object.entries(byHand)) {
        const write = async (owner: string | null) => {
          const query = `mutation { insert: h_insert_${table}_one(object: {n: 1}) { n owner }
            update: h_update_${table}_by_pk(pk_columns: {id: 1}, _set: {n: 2}) { n } }`
          const { body } = await engine.post('/v1/graphql', { query })
          assert.deepEqual(body, { data: { insert: { n: 1, owner }, update: { n: 2 } } }, table)
        }
        // until its tables are known to need no session: what reads them is planned with the first
        for (let i = 0; i < (table === 'triggered' ? 150 : 40); i++) await write(null)
        await client.query(sql)
        const owner = table === 'triggered' || table === 'defaulted' ? 'admin' : null
        for (let i = 0; i < 3; i++) await write(owner)
      }
    } finally {
      await engine.metadata('pg_drop_source', { name: 'by_hand', cascade: true })
      await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`)
    }
  })
})

test('rows with rows inside them are one insert a table, in their order, and an error names its row', async () => {
  await withItems(async (holder) => {
    await holder.query(`CREATE TABLE box (id serial PRIMARY KEY, name text UNIQUE);
      CREATE TABLE thing (id serial PRIMARY KEY, name text, box_id int REFERENCES box);
      CREATE TABLE piece (id serial PRIMARY KEY, n int CHECK (n < 1000), thing_name text, thing_id int REFERENCES thing)`)
    const array = (table: string, name: string, inner: string, column: string) => ({
      type: 'pg_create_array_relationship',
      args: { table, name, using: { foreign_key_constraint_on: { table: inner, column } } },
    })
    const { text } = await engine.metadata('bulk', [
      ...['box', 'thing', 'piece'].map((table) => ({ type: 'pg_track_table', args: { table } })),
      array('box', 'things', 'thing', 'box_id'),
      array('thing', 'pieces', 'piece', 'thing_id'),
    ])
    assert.match(text, /success/)
    const query = `mutation ($objects: [box_insert_input!]!) { insert_box(objects: $objects) { affected_rows
      returning { name things(order_by: {id: asc}) { name pieces(order_by: {id: asc}) { n } } } } }`
    const boxes = (most: number) =>
      Array.from({ length: 30 }, (_, i) => ({
        name: `b${most}.${i}`,
        // some have more than others, and one has none
        things: Array.from({ length: i % 4 }, (_, j) => ({
          name: `t${i}.${j}`,
          pieces: Array.from({ length: (i + j) % 3 }, (_, k) => ({ n: most - 100 * i - 10 * j - k })),
        })),
      }))
    const insert = async (most: number) => {
      const objects = boxes(most).map(({ name, things }) => ({
        name,
        things: { data: things.map((thing) => ({ name: thing.name, pieces: { data: thing.pieces } })) },
      }))
      return (await engine.post('/v1/graphql', { query, variables: { objects } })).body
    }
    for (const most of [999, 998]) {
      const { data } = await insert(most)
      assert.deepEqual(data.insert_box.returning, boxes(most))
      assert.equal(data.insert_box.affected_rows, 30 + 44 + 43)
    }
    const { rows } =
      await holder.query(`SELECT xmin::text, cmin::text FROM box UNION SELECT xmin::text, cmin::text FROM thing
      UNION SELECT xmin::text, cmin::text FROM piece`)
    assert.equal(rows.length, 2, 'two requests, each of one command')
    const { errors } = await insert(2200)
    assert.deepEqual(
      [errors[0].extensions.code, errors[0].extensions.path],
      ['permission-error', '$.selectionSet.insert_box.args.objects[1].things.data[0].pieces.data'],
    )
    assert.equal((await holder.query('SELECT FROM box')).rowCount, 60)
  })
})

test('rows in a single row are one statement unless one of them refers, or a check leads, to another one', async () => {
  await withItems(async (holder) => {
    await holder.query(`CREATE TABLE depot (id int PRIMARY KEY, open boolean);
      INSERT INTO depot VALUES (1, true), (2, false);
      CREATE TABLE train (id int PRIMARY KEY, depot_id int REFERENCES depot);
      CREATE TABLE wagon (id int PRIMARY KEY, train_id int REFERENCES train, next_id int REFERENCES wagon);
      CREATE TABLE seat (id serial PRIMARY KEY, wagon_id int REFERENCES wagon)`)
    const array = (table: string, name: string, inner: string, column: string) => ({
      type: 'pg_create_array_relationship',
      args: { table, name, using: { foreign_key_constraint_on: { table: inner, column } } },
    })
    const { text } = await engine.metadata('bulk', [
      ...['train', 'wagon', 'seat'].map((table) => ({ type: 'pg_track_table', args: { table } })),
      array('train', 'wagons', 'wagon', 'train_id'),
      array('wagon', 'seats', 'seat', 'wagon_id'),
    ])
    assert.match(text, /success/)
    const insert = async (train: number, first: string, second: string) => {
      const query = `mutation { insert_train_one(object: {id: ${train}, wagons: {data: [
        {${first}, seats: {data: [{}, {}]}}, {${second}, seats: {data: [{}]}}]}}) { wagons(order_by: {id: asc}) { id next_id } } }`
      return (await engine.post('/v1/graphql', { query })).body
    }
    const { errors } = await insert(1, 'id: 1, next_id: 2', 'id: 2')
    assert.equal(errors[0].extensions.code, 'constraint-violation')
    assert.deepEqual(await insert(1, 'id: 2', 'id: 1, next_id: 2'), {
      data: {
        insert_train_one: {
          wagons: [
            { id: 1, next_id: 2 },
            { id: 2, next_id: null },
          ],
        },
      },
    })
    const commands = async (train: number) =>
      (
        await holder.query(
          `SELECT cmin FROM train WHERE id = $1 UNION SELECT cmin FROM wagon WHERE train_id = $1
          UNION SELECT s.cmin FROM seat AS s JOIN wagon AS w ON w.id = s.wagon_id WHERE train_id = $1`,
          [train],
        )
      ).rowCount
    // to one that comes before it, or to none
    assert.equal(await commands(1), 1)
    assert.ok((await insert(2, 'id: 3', 'id: 4, next_id: null')).data)
    assert.equal(await commands(2), 1)
    const inserting = (table: string, check: object) => ({
      type: 'pg_create_insert_permission',
      args: { table, role: 'driver', permission: { columns: '*', check } },
    })
    const { text: permitted } = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'depot' } },
      {
        type: 'pg_create_object_relationship',
        args: { table: 'train', name: 'depot', using: { foreign_key_constraint_on: 'depot_id' } },
      },
      inserting('train', { depot: { open: { _eq: true } } }),
      inserting('wagon', {}),
      inserting('seat', {}),
      {
        type: 'pg_create_select_permission',
        args: { table: 'train', role: 'driver', permission: { columns: '*', filter: {} } },
      },
    ])
    assert.match(permitted, /success/)
    const drive = async (train: number, depot: number) => {
      const query = `mutation { insert_train_one(object: {id: ${train}, depot_id: ${depot},
        wagons: {data: [{id: ${train}0, seats: {data: [{}]}}]}}) { id } }`
      return (await engine.post('/v1/graphql', { query }, { 'X-Svc-Role': 'driver' })).body
    }
    // what a check reads is no table of these
    assert.ok((await drive(3, 1)).data)
    assert.equal(await commands(3), 1)
    const refused = (await drive(4, 2)).errors[0].extensions
    assert.deepEqual(
      [refused.code, refused.path],
      ['permission-error', '$.selectionSet.insert_train_one.args.object[0]'],
    )
  })
})
