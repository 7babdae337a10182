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

test('a write by one statement does and answers what it does by more, whatever looks at the session', async () => {
  const { done, refused, found } = await runWriteForms(engine, 41, 400)
  assert.equal(found, null, found ? `${found.what}\n${found.query}` : '')
  assert.ok(refused > 10 && refused < done / 2, `${done} done, ${refused} refused`)
})

test('an answer has the row that a key leads to, also one that was committed while the write waited', async () => {
  const holder = new pg.Client({ connectionString: engine.databaseUrl })
  const other = new pg.Client({ connectionString: engine.databaseUrl })
  await Promise.all([holder.connect(), other.connect()])
  try {
    await other.query(`CREATE TABLE parent (id int PRIMARY KEY, name text);
      CREATE TABLE item (id int PRIMARY KEY, note text, parent_id int REFERENCES parent)`)
    const { text } = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'parent' } },
      { type: 'pg_track_table', args: { table: 'item' } },
      {
        type: 'pg_create_object_relationship',
        args: { table: 'item', name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } },
      },
    ])
    assert.match(text, /success/)
    await holder.query('BEGIN; INSERT INTO item VALUES (1)')
    // so long that it has a connection alone, on which it waits as long as it must
    const query = `mutation { insert_item_one(object: {id: 1, parent_id: 9, note: "${'x'.repeat(10_000)}"}) { id parent { name } } }`
    const answer = engine.post('/v1/graphql', { query })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while ((await other.query(waiting)).rowCount === 0);
    await other.query(`INSERT INTO parent VALUES (9, 'late')`)
    await holder.query('ROLLBACK')
    assert.deepEqual((await answer).body, { data: { insert_item_one: { id: 1, parent: { name: 'late' } } } })
  } finally {
    await Promise.all([holder.end(), other.end()])
  }
})
