/**
 * `svc metadata suggest` and `svc init --from-database` on a database that is not declared yet: an engine accepts what
 * they write.
 */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { runCli } from '../../provider/src/cli/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createMusicTables } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

type Named = readonly { readonly name: string }[]
const names = (list: Named = []) => list.map(({ name }) => name)

describe('metadata of a database', () => {
  let engine: Engine
  before(async () => {
    engine = await startEngine({})
    await createMusicTables(engine.databaseUrl)
    await runOnDatabase(
      engine.databaseUrl,
      `CREATE VIEW titles AS SELECT title FROM album;
       ALTER TABLE album ADD producer_id int REFERENCES artist, ADD producer text;
       CREATE TABLE passport (number text PRIMARY KEY, artist_id int UNIQUE REFERENCES artist);
       CREATE SCHEMA sales;
       CREATE TABLE sales.album (id int PRIMARY KEY, track_id int REFERENCES track REFERENCES album);
       CREATE TABLE "Order Items" (id int PRIMARY KEY, album_id int REFERENCES sales.album);
       CREATE TABLE sales_album (day date) PARTITION BY RANGE (day);
       CREATE TABLE sales_album_old PARTITION OF sales_album FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
       CREATE FUNCTION search_albums(text text) RETURNS SETOF album LANGUAGE sql STABLE AS 'SELECT * FROM album WHERE title = text';
       CREATE FUNCTION artist(wanted int) RETURNS artist LANGUAGE sql AS 'SELECT * FROM artist WHERE id = wanted';
       CREATE FUNCTION "Order_Items"(wanted int) RETURNS artist LANGUAGE sql AS 'SELECT * FROM artist WHERE id = wanted';
       CREATE FUNCTION name(artist) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)';
       CREATE FUNCTION twice(a int) RETURNS SETOF track LANGUAGE sql AS 'SELECT * FROM track';
       CREATE FUNCTION twice(a text) RETURNS SETOF track LANGUAGE sql AS 'SELECT * FROM track';
       CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
       CREATE FUNCTION "odd argument"("a b" int) RETURNS SETOF track LANGUAGE sql AS 'SELECT * FROM track';
       CREATE FUNCTION many(VARIADIC a int[]) RETURNS SETOF track LANGUAGE sql AS 'SELECT * FROM track'`,
    )
  })
  after(() => engine.stop())

  async function folderOf(t: TestContext) {
    const folder = await createSvcFolder(engine, t)
    const svc = async (...args: readonly string[]) => {
      const texts = { out: '', err: '' }
      const code = await runCli(args, {
        cwd: folder.path,
        environment: { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret },
        out: { write: (text) => (texts.out += text) },
        problems: { write: (text) => (texts.err += text) },
        signal: new AbortController().signal,
      })
      return { code, ...texts }
    }
    return { ...folder, svc }
  }
  /** Tables of a suggestion by name. */
  const tablesOf = (text: string) =>
    new Map<string, Record<string, Named>>(
      // biome-ignore lint/suspicious/noExplicitAny: YAML of any shape
      parse(text).tables.map((entry: any) => [`${entry.table.schema}.${entry.table.name}`, entry]),
    )

  test('what can be tracked is listed', async (t) => {
    const { svc } = await folderOf(t)
    const { out, err } = await svc('metadata', 'suggest')
    assert.equal(
      out,
      `public.Order Items
public.album
public.artist
public.passport
public.sales_album
public.titles  view
public.track
sales.album
public.Order_Items  function with rows of public.artist
public.name  computed field of public.artist
public.search_albums  function with rows of public.album
`,
      err,
    )
  })

  test('those that are chosen get their relationships, and an engine serves them', async (t) => {
    const { svc } = await folderOf(t)
    const some = tablesOf((await svc('metadata', 'suggest', '--include', 'public.album,public.tr*')).out)
    assert.deepEqual(names(some.get('public.album')?.array_relationships), ['track'])
    assert.deepEqual(names(some.get('public.track')?.object_relationships), ['album'])
    assert.match(
      (await svc('metadata', 'suggest', '--include', 'nowhere')).err,
      /no table or function nowhere: `svc metadata suggest` lists them/,
    )
    const without = await svc('metadata', 'suggest', '--schema', 'public', '--exclude', 'album')
    assert.deepEqual([...tablesOf(without.out).keys()].length, 6)
    assert.equal(without.err, 'function public.search_albums is left out: it needs the table public.album, which is not chosen\n') // biome-ignore format: one line

    const { out } = await svc('metadata', 'suggest', '--all')
    const all = tablesOf(out)
    const customName = (name: string) =>
      (all.get(name)?.configuration as { custom_name?: string } | undefined)?.custom_name
    const album = all.get('public.album')
    assert.deepEqual(names(album?.object_relationships), ['artist', 'artist_by_producer_id'])
    assert.deepEqual(names(all.get('public.artist')?.array_relationships), ['album', 'album_by_producer_id'])
    assert.deepEqual(names(all.get('public.artist')?.object_relationships), ['passport'])
    assert.deepEqual(names(all.get('public.artist')?.computed_fields), ['name_2'])
    assert.deepEqual(customName('public.Order Items'), 'Order_Items_2')
    assert.deepEqual(customName('sales.album'), 'sales_album_2')
    const { body: metadata } = await engine.metadata('export_metadata', {})
    const source = { ...metadata.sources[0], ...parse(out) }
    const stored = await engine.metadata('replace_metadata', { ...metadata, sources: [source] })
    assert.equal(stored.status, 200, stored.text)
    assert.deepEqual(parse(out).functions.length, 2)
    const query = '{ sales_album_2 { track { id } album { id } } artist { name_2 passport { number } } search_albums(args: {text: "a"}) { id } }' // biome-ignore format: one line
    const answer = await engine.post('/v1/graphql', { query })
    assert.deepEqual(answer.body.data, { sales_album_2: [], artist: [], search_albums: [] }, answer.text)
    await engine.metadata('replace_metadata', metadata)
  })

  test('a project begins with a choice, is applied, and grows by another', async (t) => {
    const { svc, shell, write } = await folderOf(t)
    await write(
      'wanted.txt',
      '# the first page\npublic.artist\npublic.Order_Items  function with rows of public.artist\n',
    )
    const made = await svc('init', 'shop', '--from-database', '--choices', 'wanted.txt')
    assert.deepEqual(
      [made.code, made.out, made.err],
      [
        0,
        'shop/config.yaml is made\nnext: read metadata/, then `svc metadata apply`\n',
        '2 to create, 0 to update, 0 to delete\n',
      ],
    )
    assert.equal(parse(await shell('cat shop/config.yaml')).endpoint, engine.url)
    const inShop = (...args: readonly string[]) => svc('--project', 'shop', ...args)
    const applied = await inShop('metadata', 'apply')
    assert.equal(applied.code, 0, applied.err)
    const files = 'cd shop/metadata/databases/default && ls -1 *'
    assert.equal(await shell(files), 'functions:\npublic_Order_Items.yaml\n\ntables:\npublic_artist.yaml\n')

    // what is there stays as it was chosen, and gets what leads to what is new
    await shell(`sed -i.old 's/^table:/configuration: {custom_name: singer}\\ntable:/' shop/metadata/databases/default/tables/public_artist.yaml; rm shop/metadata/databases/default/tables/*.old`) // biome-ignore format: one line
    const grown = await inShop('metadata', 'suggest', '--include', 'public.artist,passport', '--write')
    assert.deepEqual([grown.code, grown.out.split('\n').length], [0, 4], grown.out)
    assert.match(grown.out, /\+ table passport[\s\S]*\+ object_relation passport in table artist/)
    assert.equal((await inShop('metadata', 'suggest', '--include', 'public.artist,passport', '--write')).out, 'zero differences found\n') // biome-ignore format: one line
    assert.match(await shell('cat shop/metadata/databases/default/tables/public_artist.yaml'), /custom_name: singer/)
    assert.equal((await inShop('metadata', 'apply')).code, 0)
    const answer = await engine.post('/v1/graphql', { query: '{ singer { passport { artist { id } } } }' })
    assert.deepEqual(answer.body, { data: { singer: [] } })
  })

  test('where nothing can be read, nothing is made', async (t) => {
    const { svc, shell } = await folderOf(t)
    const nowhere = await svc('--endpoint', 'http://127.0.0.1:1', 'init', 'shop', '--from-database')
    assert.equal(nowhere.code, 1)
    assert.match(
      (await svc('init', 'shop', '--from-database', '--source', 'other')).err,
      /the engine has no source other/,
    )
    assert.match((await svc('init', 'shop', '--from-database', '--schema', 'other')).err, /in a schema other/)
    assert.equal(await shell('ls'), '')
  })
})
