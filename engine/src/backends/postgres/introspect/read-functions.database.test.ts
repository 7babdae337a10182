import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { DatabaseFunction } from '../../backend.ts'
import { PostgresSource } from '../connect/postgres-source.ts'
import { settingsFor } from '../connect/settings.fixture.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

async function startPlace(t: WithAfter) {
  const database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const source = new PostgresSource(settingsFor(database.url), () => {})
  t.after(async () => {
    await source.close()
    await owner.end()
    await database.drop()
  })
  const read = async (name: string, schema = 'public'): Promise<readonly DatabaseFunction[]> => {
    const [found] = await source.readFunctions([{ schema, name }])
    assert.ok(found)
    return found
  }
  return { owner, source, read }
}

const body = 'STABLE LANGUAGE sql AS'
const shapes = ({ arguments: given }: DatabaseFunction) =>
  given.map(({ name, type, hasDefault }) => [name, `${type.kind} ${type.name}${type.array ? '[]' : ''}`, hasDefault])

test('arguments come with names, types and defaults; those that are only returned are left out', async (t) => {
  const { owner, read } = await startPlace(t)
  await owner.query(`CREATE TABLE pet (id int);
    CREATE DOMAIN word AS text;
    CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE FUNCTION f(pet, a word, tags text[], m mood DEFAULT 'sad', n int DEFAULT 1) RETURNS int ${body} 'SELECT 1';
    CREATE FUNCTION g(IN a int, OUT b int, INOUT c text) ${body} $$ SELECT 1, 'x' $$;
    CREATE FUNCTION h(VARIADIC ids int[]) RETURNS int ${body} 'SELECT 1';
    COMMENT ON FUNCTION h IS 'many'`)
  const [f] = await read('f')
  assert.ok(f)
  assert.deepEqual(shapes(f), [
    [null, 'composite pet', false],
    ['a', 'base text', false],
    ['tags', 'base text[]', false],
    ['m', 'enum mood', true],
    ['n', 'base int4', true],
  ])
  assert.deepEqual(await read('g').then(([g]) => g && shapes(g)), [
    ['a', 'base int4', false],
    ['c', 'base text', false],
  ])
  const [h] = await read('h')
  assert.deepEqual([h?.variadic, h?.description], [true, 'many'])
})

test('results distinguish rows from single values, and domains from their types', async (t) => {
  const { owner, read } = await startPlace(t)
  await owner.query(`CREATE TABLE pet (id int);
    CREATE DOMAIN word AS text;
    CREATE FUNCTION pets() RETURNS SETOF pet ${body} 'SELECT * FROM pet';
    CREATE FUNCTION pet_one() RETURNS pet ${body} 'SELECT * FROM pet';
    CREATE FUNCTION spoken() RETURNS word ${body} $$ SELECT 'a'::word $$;
    CREATE FUNCTION listed() RETURNS int[] ${body} 'SELECT ARRAY[1]';
    CREATE FUNCTION tabled() RETURNS TABLE (a int, b int) VOLATILE LANGUAGE sql AS 'SELECT 1, 2'`)
  const result = async (name: string) => {
    const [found] = await read(name)
    return found && [found.returns.type.kind, found.returns.type.name, found.returns.type.array, found.returns.set]
  }
  assert.deepEqual(await result('pets'), ['composite', 'pet', false, true])
  assert.deepEqual(await result('pet_one'), ['composite', 'pet', false, false])
  assert.deepEqual(await result('spoken'), ['other', 'word', false, false])
  assert.deepEqual(await result('listed'), ['base', 'int4', true, false])
  assert.deepEqual(await result('tabled'), ['other', 'record', false, true])
  const [tabled] = await read('tabled')
  assert.equal(tabled?.volatility, 'volatile')
})

test('all of a name come, in the order asked; aggregates and procedures are no functions', async (t) => {
  const { owner, source } = await startPlace(t)
  await owner.query(`CREATE SCHEMA "o'dd";
    CREATE FUNCTION "o'dd"."a ""b"() RETURNS int ${body} 'SELECT 1';
    CREATE FUNCTION twice() RETURNS int ${body} 'SELECT 1';
    CREATE FUNCTION twice(int) RETURNS int ${body} 'SELECT 1';
    CREATE PROCEDURE done() LANGUAGE sql AS 'SELECT 1';
    CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int)`)
  const found = await source.readFunctions([
    { schema: 'public', name: 'twice' },
    { schema: 'public', name: 'no' },
    { schema: "o'dd", name: 'a "b' },
    { schema: 'public', name: 'done' },
    { schema: 'public', name: 'total' },
  ])
  assert.deepEqual(
    found.map((of) => of.length),
    [2, 0, 1, 0, 0],
  )
  assert.deepEqual(await source.readFunctions([]), [])
})

test('a function keeps its identity with a new body and a new name, and loses it when made again', async (t) => {
  const { owner, read } = await startPlace(t)
  const oid = async (name: string) => (await read(name))[0]?.oid
  await owner.query(`CREATE FUNCTION f() RETURNS int ${body} 'SELECT 1'`)
  const first = await oid('f')
  await owner.query(`CREATE OR REPLACE FUNCTION f() RETURNS int ${body} 'SELECT 2'`)
  assert.equal(await oid('f'), first)
  await owner.query('ALTER FUNCTION f RENAME TO g')
  assert.equal(await oid('g'), first)
  assert.deepEqual(await read('f'), [])
  await owner.query(`DROP FUNCTION g; CREATE FUNCTION g() RETURNS int ${body} 'SELECT 1'`)
  assert.notEqual(await oid('g'), first)
})
