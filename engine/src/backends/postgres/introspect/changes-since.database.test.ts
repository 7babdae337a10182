/** Whatever is written to a catalogue, by others or within run_sql's own transaction: what is read again is what a first look reads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import type { Introspection } from '../../backend.ts'
import { PostgresSource } from '../connect/postgres-source.ts'
import { settingsFor } from '../connect/settings.fixture.ts'

const setUp = `CREATE SCHEMA shop;
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE DOMAIN word AS text;
  CREATE FUNCTION twice(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * 2';
  CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TABLE shop.owner (id int PRIMARY KEY, name text, CONSTRAINT one_name UNIQUE (name));
  CREATE TABLE pet (id int PRIMARY KEY, owner_id int REFERENCES shop.owner (id), owner_name text REFERENCES shop.owner (name),
    m mood, w word, n int DEFAULT 1, tags text[]);
  CREATE TABLE part (id int) PARTITION BY RANGE (id);
  CREATE TABLE part_1 (id int);
  CREATE VIEW pets AS SELECT id, n FROM pet;
  CREATE VIEW pets_of_pets AS SELECT id, n FROM pets;
  CREATE TABLE left_alone (id int PRIMARY KEY)`

/** Each on what those before it have left. */
const statements: readonly string[] = [
  'ALTER TABLE pet ADD COLUMN added int',
  'ALTER TABLE pet ADD COLUMN computed int DEFAULT twice(2)',
  'ALTER TABLE pet RENAME added TO renamed',
  'ALTER TABLE pet ALTER renamed SET NOT NULL',
  'ALTER TABLE pet ALTER renamed DROP NOT NULL, ALTER renamed SET DEFAULT 3',
  'ALTER TABLE pet ALTER renamed TYPE bigint',
  'ALTER TABLE pet DROP renamed, DROP computed',
  "COMMENT ON TABLE pet IS 'a pet'; COMMENT ON COLUMN pet.n IS 'a number'",
  'COMMENT ON TABLE pet IS NULL',
  'ALTER TABLE shop.owner RENAME id TO key',
  'ALTER TABLE shop.owner RENAME TO person',
  'ALTER TABLE shop.person SET SCHEMA public',
  'ALTER TYPE mood RENAME TO feeling',
  'ALTER DOMAIN word RENAME TO words',
  'CREATE UNIQUE INDEX pet_n ON pet (n)',
  'ALTER INDEX pet_n RENAME TO pet_number',
  'DROP INDEX pet_number',
  'ALTER TABLE pet ADD CONSTRAINT positive CHECK (n > twice(1))',
  'ALTER TABLE pet DROP CONSTRAINT positive',
  'ALTER TABLE pet DROP CONSTRAINT pet_owner_name_fkey',
  'ALTER TABLE person DROP CONSTRAINT one_name',
  'ALTER TABLE person DROP CONSTRAINT owner_pkey CASCADE',
  'CREATE TRIGGER t AFTER INSERT ON pet FOR EACH ROW EXECUTE FUNCTION noop()',
  'DROP TRIGGER t ON pet',
  'CREATE TRIGGER u INSTEAD OF UPDATE ON pets FOR EACH ROW EXECUTE FUNCTION noop()',
  'DROP TRIGGER u ON pets',
  'CREATE OR REPLACE VIEW pets AS SELECT id, n FROM pet LIMIT 10',
  'CREATE RULE r AS ON INSERT TO pet DO ALSO NOTIFY pets',
  'DROP RULE r ON pet',
  'ALTER TABLE part ATTACH PARTITION part_1 FOR VALUES FROM (0) TO (10)',
  'ALTER TABLE pet ENABLE ROW LEVEL SECURITY',
  'ALTER SCHEMA shop RENAME TO market',
  'CREATE TABLE market.made (id int PRIMARY KEY); ALTER TABLE market.made ADD x feeling',
  'ALTER TABLE pet RENAME TO swap; ALTER TABLE market.made RENAME TO pet; ALTER TABLE market.pet SET SCHEMA public',
  'CREATE TABLE of_rows (id int, row swap)',
  'ALTER TABLE swap RENAME TO animal',
  "DO $$ BEGIN BEGIN ALTER TABLE animal ADD inner_one int; RAISE 'no'; EXCEPTION WHEN OTHERS THEN NULL; END; ALTER TABLE animal ADD inner_two int; END $$",
  "UPDATE pg_attribute SET attname = 'by_hand' WHERE attrelid = 'animal'::regclass AND attname = 'inner_two'",
  'DROP TYPE feeling CASCADE',
  'DROP TABLE pet; CREATE TABLE pet (id text)',
  'CREATE FUNCTION other() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'DROP VIEW pets CASCADE',
  'ALTER TABLE animal ADD a1 int; COMMIT; BEGIN; ALTER TABLE animal ADD a2 int',
]

type Run = (sql: string, before: Introspection) => Promise<Introspection>

const shownTables = ({ tables }: Introspection) => [...tables].sort(([a], [b]) => (a < b ? -1 : 1))

async function follow(
  t: { after(end: () => Promise<void>): void },
  runOf: (source: PostgresSource, client: pg.Client) => Run,
) {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const source = new PostgresSource(settingsFor(database.url), () => {})
  t.after(async () => {
    await source.close()
    await client.end()
    await database.drop()
  })
  await client.query(setUp)
  const run = runOf(source, client)
  let known = await source.introspect(null)
  const alone = known.tables.get('public.left_alone')
  for (const sql of statements) {
    const before = known
    known = await run(sql, before)
    assert.notEqual(known, before, sql)
    assert.deepEqual(shownTables(known), shownTables(await source.introspect(null)), sql)
    assert.equal(known.tables.get('public.left_alone'), alone, sql)
    // where rows went within the transaction, the next look counts anew
    const again = await source.introspect(known)
    assert.equal(again.tables, known.tables, sql)
    assert.equal(await source.introspect(again), again, sql)
  }
}

test('what others write is found', (t) =>
  follow(t, (source, client) => async (sql, before) => {
    await client.query(sql)
    return source.introspect(before)
  }))

test('what run_sql writes is found within its transaction', (t) =>
  follow(t, (source) => async (sql, before) => {
    const found: { now?: Introspection } = {}
    await source.runSql({ sql, readOnly: false, noTransaction: false }, Path.root, async ({ introspect }) => {
      found.now = await introspect(before)
    })
    assert.ok(found.now)
    return found.now
  }))

test('what is rolled back or writes no catalogue is nothing', async (t) => {
  const database = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const source = new PostgresSource(settingsFor(database.url), () => {})
  t.after(() => source.close())
  await client.query(setUp)
  const known = await source.introspect(null)
  await client.query('BEGIN; ALTER TABLE pet ADD x int; DROP VIEW pets CASCADE; ROLLBACK')
  for (const sql of ['INSERT INTO left_alone SELECT generate_series(1, 100)', 'ANALYZE', 'VACUUM'])
    await client.query(sql)
  assert.equal(await source.introspect(known), known)
  await client.end()
})
