/** Small transactions share connections (docs/postgresql.md): none of them keeps the others waiting. The real process. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE gate (id int PRIMARY KEY, open bool NOT NULL, calls int NOT NULL DEFAULT 0);
  INSERT INTO gate VALUES (1, true);
  CREATE SEQUENCE began;
  CREATE FUNCTION once_open() RETURNS void LANGUAGE plpgsql VOLATILE AS $$ BEGIN
    PERFORM nextval('began');
    LOOP EXIT WHEN (SELECT open FROM gate); PERFORM pg_sleep(0.005); END LOOP; END $$;
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM once_open(); RETURN NEW; END $$;

  CREATE TABLE note (id int PRIMARY KEY, text text);
  CREATE TABLE slow (id int PRIMARY KEY, text text);
  CREATE TRIGGER wait BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION wait();

  CREATE FUNCTION checked(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN IF n = 1 THEN PERFORM once_open(); END IF; RETURN n; END $$;
  CREATE TABLE indexed (id int PRIMARY KEY, n int);
  CREATE INDEX ON indexed (checked(n));

  CREATE DOMAIN small AS int CHECK (checked(value) < 100);
  CREATE TABLE listed (id int PRIMARY KEY, n small[]);

  CREATE TABLE parent (id int PRIMARY KEY, text text);
  CREATE TABLE child () INHERITS (parent);
  INSERT INTO child VALUES (1, 'a');
  INSERT INTO parent VALUES (2, 'b');
  CREATE TRIGGER wait BEFORE UPDATE ON child FOR EACH ROW EXECUTE FUNCTION wait();

  CREATE TABLE guarded (id int PRIMARY KEY, n int NOT NULL, text text);
  INSERT INTO guarded VALUES (1, 1, 'a'), (2, 2, 'b');
  CREATE FUNCTION allowed(g guarded) RETURNS int LANGUAGE sql STABLE AS $$ SELECT checked(g.n) $$;
  CREATE TABLE behind (id int PRIMARY KEY, n int NOT NULL, text text);
  INSERT INTO behind VALUES (1, 1, 'a'), (2, 2, 'b');
  CREATE VIEW opened AS SELECT id, checked(n) AS n FROM behind;

  CREATE TABLE later (id int PRIMARY KEY);
  CREATE TABLE team (id int PRIMARY KEY);
  CREATE TABLE member (id int PRIMARY KEY, team int REFERENCES team DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO team VALUES (1);
`
const tables = ['note', 'slow', 'indexed', 'listed', 'parent', 'guarded', 'behind', 'opened', 'team', 'member', 'later']

describe('small transactions that share a connection', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client

  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    engine = await startEngine({ databaseUrl: database.url })
    const update = (table: string, filter: object) => ({
      type: 'pg_create_update_permission',
      args: { table, role: 'user', permission: { columns: ['text'], filter, check: {} } },
    })
    const select = (table: string) => ({
      type: 'pg_create_select_permission',
      args: { table, role: 'user', permission: { columns: ['id'], filter: {} } },
    })
    const set = await engine.metadata('bulk', [
      ...tables.map((table) => ({ type: 'pg_track_table', args: { table } })),
      {
        type: 'pg_add_computed_field',
        args: { table: 'guarded', name: 'allowed', definition: { function: 'allowed' } },
      },
      select('guarded'),
      select('behind'),
      update('guarded', { allowed: { _lt: 100 } }),
      update('behind', { _exists: { _table: 'opened', _where: { id: { _ceq: ['$', 'id'] }, n: { _lt: 100 } } } }),
    ])
    assert.equal(set.status, 200, set.text)
  })
  beforeEach(() => client.query(`TRUNCATE note, slow, indexed, listed, member; ALTER SEQUENCE began RESTART`))
  after(async () => {
    await client.query('UPDATE gate SET open = true')
    await engine.stop()
    await client.end()
    await database.drop()
  })

  const ask = async (query: string, variables: object = {}, role = 'admin') => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, { 'x-svc-role': role })
    return body
  }
  const answered = async (query: string, variables: object = {}, role = 'admin') => {
    const { data, errors } = await ask(query, variables, role)
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }

  /** Waits in the database for the gate, once it is closed. */
  interface Slow {
    readonly query: string
    readonly variables?: object
    readonly role?: string
  }

  /** While `slow` waits for the gate, `quick` are answered. */
  async function keepsNobodyWaiting(t: TestContext, slow: Slow, quick: (i: number) => Slow): Promise<void> {
    t.signal.addEventListener('abort', () => void client.query('UPDATE gate SET open = true'))
    await client.query('UPDATE gate SET open = false')
    let isOver = false
    const waiting = answered(slow.query, slow.variables, slow.role).finally(() => {
      isOver = true
    })
    // awaited below
    waiting.catch(() => {})
    try {
      for (let hasBegun = false; !hasBegun; )
        hasBegun = (await client.query('SELECT is_called FROM began')).rows[0]?.is_called === true
      const others = Array.from({ length: 20 }, (_, i) => quick(i))
      await Promise.all(others.map(({ query, variables, role }) => answered(query, variables, role)))
      assert.equal(isOver, false)
    } finally {
      await client.query('UPDATE gate SET open = true')
    }
    await waiting
  }

  const LIMIT = { timeout: 10_000 }
  const insertNote = 'mutation ($id: Int!) { insert_note_one(object: {id: $id}) { id } }'
  const notes = (i: number): Slow => ({ query: insertNote, variables: { id: i } })

  test(
    'one whose first statement was small and alone before, and now comes with a trigger of the user',
    LIMIT,
    async (t) => {
      const query = `mutation ($id: Int!, $slow: [slow_insert_input!]!) {
      insert_note_one(object: {id: $id}) { id }
      insert_slow(objects: $slow) { affected_rows }
    }`
      for (let id = 100; id < 110; id++) await answered(query, { id, slow: [] })
      await keepsNobodyWaiting(t, { query, variables: { id: 200, slow: [{ id: 1 }] } }, (i) => ({
        query,
        variables: { id: i, slow: [] },
      }))
    },
  )

  test('an index over an expression with a function of the user', LIMIT, async (t) => {
    const query = 'mutation ($id: Int!, $n: Int!) { insert_indexed_one(object: {id: $id, n: $n}) { id } }'
    await keepsNobodyWaiting(t, { query, variables: { id: 100, n: 1 } }, (i) => ({ query, variables: { id: i, n: 2 } }))
  })

  test('a list of a domain that is checked by a function of the user', LIMIT, async (t) => {
    const query = 'mutation ($id: Int!, $n: [Int!]!) { insert_listed_one(object: {id: $id, n: $n}) { id } }'
    await keepsNobodyWaiting(t, { query, variables: { id: 100, n: [1] } }, (i) => ({
      query,
      variables: { id: i, n: [2] },
    }))
  })

  test('a row of a table that inherits, which has a trigger', LIMIT, async (t) => {
    const query = 'mutation ($id: Int!) { update_parent_by_pk(pk_columns: {id: $id}, _set: {text: "c"}) { id } }'
    await keepsNobodyWaiting(t, { query, variables: { id: 1 } }, notes)
  })

  const guarded = (table: string) => `mutation ($id: Int!) {
    update_${table}_by_pk(pk_columns: {id: $id}, _set: {text: "c"}) { id } }`

  test('a permission that calls a function', LIMIT, (t) =>
    keepsNobodyWaiting(t, { query: guarded('guarded'), variables: { id: 1 }, role: 'user' }, notes),
  )

  test('a permission that reads a view', LIMIT, (t) =>
    keepsNobodyWaiting(t, { query: guarded('behind'), variables: { id: 1 }, role: 'user' }, notes),
  )

  test('a trigger that came by run_sql', LIMIT, async (t) => {
    const run = (sql: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql } })
    const query = 'mutation ($id: Int!) { insert_later_one(object: {id: $id}) { id } }'
    await answered(query, { id: 1000 })
    const made = await run('CREATE TRIGGER wait BEFORE INSERT ON later FOR EACH ROW EXECUTE FUNCTION wait()')
    assert.equal(made.status, 200, made.text)
    await keepsNobodyWaiting(t, { query, variables: { id: 2000 } }, notes)
    // it was not begun next to others, rolled back and begun again
    assert.deepEqual((await client.query('SELECT last_value::int AS n FROM began')).rows, [{ n: 1 }])
  })

  test('a constraint that fails at the commit fails that one only', async () => {
    const query = 'mutation ($id: Int!, $team: Int!) { insert_member_one(object: {id: $id, team: $team}) { id } }'
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(query, { id: i, team: i % 4 === 0 ? 7 : 1 })),
    )
    for (const [i, { data, errors }] of answers.entries()) {
      if (i % 4 > 0) assert.deepEqual(data, { insert_member_one: { id: i } })
      else assert.equal(errors?.[0]?.extensions.code, 'constraint-violation')
    }
    const { rows } = await client.query('SELECT count(*)::int AS n FROM member')
    assert.deepEqual(rows, [{ n: 30 }])
  })
})
