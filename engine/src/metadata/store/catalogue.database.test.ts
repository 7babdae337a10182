import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  addressText,
  diffDocuments,
  emptyDocument,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  removeObject,
  setValue,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import pg from 'pg'
import { startDyingServer } from '../../../../test/dying-server.ts'
import { createTestDatabase } from '../../../../test/postgres.ts'
import { ApiError } from '../../errors.ts'
import { createObserver } from '../../observe/index.ts'
import { type CatalogueOptions, CatalogueRefused, openCatalogue, type Versioned } from './index.ts'
import type { Author, MetadataStore } from './metadata-store.ts'
import { runMigrations } from './migrate.ts'

type WithAfter = Parameters<typeof createTestDatabase>[0] & object

async function open(t: WithAfter, url: string, options: Partial<CatalogueOptions> = {}): Promise<MetadataStore> {
  const store = await openCatalogue({
    url,
    usePreparedStatements: true,
    initial: emptyDocument,
    retries: 0,
    changeLogSize: 1000,
    pollInterval: 0,
    observer: createObserver(),
    ...options,
  })
  t.after(() => store.close())
  return store
}

const author: Author = {
  role: 'admin',
  actor: 'ci 77',
  owner: null,
  userAgent: null,
  requestId: 'r1',
  sessionVariables: {},
}

async function commit(store: MetadataStore, from: Versioned, after: MetadataDocument, operation = 'test') {
  const changes = diffDocuments(from.document, after).map((change) => ({ ...change, operation }))
  return store.commit({ base: from.resourceVersion, changes, before: from.document, after, author })
}

async function committed(store: MetadataStore, from: Versioned, after: MetadataDocument): Promise<Versioned> {
  const outcome = await commit(store, from, after)
  assert.ok(outcome.committed)
  return { document: after, resourceVersion: outcome.resourceVersion }
}

const artist = tableAddress('default', { schema: 'public', name: 'artist' })
const permission = (role: string): ObjectAddress => address('select_permission', role, artist)

/** A source, a table, and a permission on it. */
function document(role = 'user', value: JsonObject = { role, permission: { columns: '*', filter: {} } }) {
  const source = setValue(emptyDocument, sourceAddress('default'), { name: 'default', kind: 'postgres' })
  const table = setValue(source, artist, { table: { name: 'artist', schema: 'public' } })
  return setValue(table, permission(role), value)
}

test('a new catalogue is at version 1 with the initial document', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url, { initial: document() })
  const loaded = await store.load()
  assert.equal(loaded.resourceVersion, 1)
  assert.deepEqual(diffDocuments(document(), loaded.document), [])
  const second = await open(t, url, { initial: emptyDocument })
  assert.equal(second.catalogId, store.catalogId)
  assert.deepEqual(diffDocuments(document(), (await second.load()).document), [])
})

test('eight engines that start at once on an empty database share one catalogue', async (t) => {
  const { url } = await createTestDatabase(t)
  const stores = await Promise.all(Array.from({ length: 8 }, () => open(t, url, { initial: document() })))
  assert.equal(new Set(stores.map(({ catalogId }) => catalogId)).size, 1)
  assert.equal(await stores[0]?.readVersion(), 1)
})

test('what was committed is loaded again, value for value', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const odd = {
    role: 'o.d/d%',
    permission: {
      z: 1,
      a: [1e300, 0.1, 1.2345678901234567e19, null, { 'ключ "\\': '\u0000 \ud800 \u{1F600}' }],
      filter: { '': {} },
    },
  }
  const after = document('o%2ed%2fd%25', odd)
  await committed(store, await store.load(), after)
  const loaded = await (await open(t, url)).load()
  assert.equal(loaded.resourceVersion, 2)
  assert.deepEqual(diffDocuments(after, loaded.document), [])
  assert.equal(JSON.stringify([...values(loaded.document)]), JSON.stringify([...values(after)]))
})

function* values(node: { readonly children: MetadataDocument['children'] }): Generator<JsonObject> {
  for (const children of Object.values(node.children))
    for (const child of children.values()) {
      yield child.value
      yield* values(child)
    }
}

test('of two commits from one version exactly one is stored', async (t) => {
  const { url } = await createTestDatabase(t)
  const [one, other] = await Promise.all([open(t, url), open(t, url)])
  const base = await one.load()
  const outcomes = await Promise.all([commit(one, base, document('a')), commit(other, base, document('b'))])
  assert.deepEqual(outcomes.map((outcome) => outcome.committed).sort(), [false, true])
  const roles = [...values((await one.load()).document)].flatMap(({ role }) => (role === undefined ? [] : [role]))
  assert.deepEqual(roles, [outcomes[0]?.committed ? 'a' : 'b'])
})

test('what a version stands or falls with is known until that is settled, two requests of one id included', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  let from: Versioned = { document: emptyDocument, resourceVersion: 1 }
  const pending = [['one'], ['two', 'three']].map((sources, i) => ({
    requestId: '7 r1',
    resourceVersion: 2 + i,
    transactions: sources.map((source) => ({ source, transaction: '77' })),
  }))
  for (const [i, one] of pending.entries()) {
    const after = document(`user ${i}`)
    const changes = diffDocuments(from.document, after).map((change) => ({ ...change, operation: 'test' }))
    const by = { ...author, requestId: one.requestId }
    const outcome = await store.commit({
      base: from.resourceVersion,
      changes,
      before: from.document,
      after,
      author: by,
      pending: one,
    })
    assert.ok(outcome.committed)
    from = { document: after, resourceVersion: outcome.resourceVersion }
  }
  assert.deepEqual(await store.sourceChanges.pending(), pending)
  const [first, second] = pending
  assert.ok(first && second)
  const before = await store.withoutChange(from.document, second)
  assert.ok(before && diffDocuments(before, document('user 0')).length === 0)
  await store.sourceChanges.forget(second)
  assert.deepEqual(await store.sourceChanges.pending(), [first])
  await store.sourceChanges.forget(first)
  assert.deepEqual(await store.sourceChanges.pending(), [])
})

test('a commit of very many changes is one version, whole or not at all', async (t) => {
  const { url } = await createTestDatabase(t)
  const [store, other] = [await open(t, url, { changeLogSize: 10_000 }), await open(t, url, { changeLogSize: 10_000 })]
  const named = (i: number) => ({ name: `t${i}`, schema: 'public' })
  const tables = Array.from({ length: 1300 }, (_, i) => i)
  const many = tables.reduce(
    (rest, i) => setValue(rest, tableAddress('default', named(i)), { table: named(i) }),
    document(),
  )
  const [from, seen] = [await store.load(), await other.load()]
  const outcomes = await Promise.all([commit(store, from, many), commit(other, seen, many)])
  assert.deepEqual(outcomes.map(({ committed }) => committed).sort(), [false, true])
  const loaded = await other.load()
  assert.equal(loaded.resourceVersion, 2)
  assert.deepEqual(diffDocuments(many, loaded.document), [])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT position, address FROM svc_catalog.change_log ORDER BY position')
  assert.deepEqual(
    rows.map(({ position, address: text }) => [position, text]),
    diffDocuments(emptyDocument, many).map(({ address: at }, i) => [i + 1, addressText(at)]),
  )
  await client.end()
  const left = await committed(other, loaded, document())
  assert.deepEqual(diffDocuments((await store.catchUp(loaded)).document, left.document), [])
})

test('catching up gives the same reference when nothing changed, and otherwise what a load gives', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url), open(t, url)])
  const first = await committed(writer, await writer.load(), document())
  const seen = await reader.load()
  assert.equal((await reader.catchUp(seen)).document, seen.document)

  const replaced = setValue(removeObject(first.document, permission('user')), permission('other'), { role: 'other' })
  const second = await committed(writer, first, replaced)
  await committed(writer, second, removeObject(setValue(replaced, artist, { x: 1 }), permission('other')))
  const now = await reader.catchUp(seen)
  assert.equal(now.resourceVersion, 4)
  assert.deepEqual(diffDocuments((await reader.load()).document, now.document), [])
})

test('an object that was dropped with its parent and made again is caught up', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url), open(t, url)])
  const first = await committed(writer, await writer.load(), document())
  const seen = await reader.load()
  const gone = await committed(writer, first, removeObject(first.document, artist))
  await committed(writer, gone, setValue(gone.document, artist, { table: { name: 'artist', schema: 'public' } }))
  const now = await reader.catchUp(seen)
  assert.deepEqual(diffDocuments((await reader.load()).document, now.document), [])
})

test('a log that does not reach back far enough makes catching up a full load', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url, { changeLogSize: 1 }), open(t, url)])
  const seen = await reader.load()
  const first = await committed(writer, seen, document('a'))
  const second = await committed(writer, first, removeObject(first.document, permission('a')))
  await writer.close()
  const answer = await reader.history.changesSince({ sinceResourceVersion: 1, catalogId: null, limit: 10 })
  assert.deepEqual([answer.complete, answer.reason], [false, 'history-expired'])
  assert.deepEqual(diffDocuments(second.document, (await reader.catchUp(seen)).document), [])
})

test('changes report object, old and new value, operation and author, oldest first', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const first = await committed(store, await store.load(), document())
  await committed(store, first, removeObject(first.document, permission('user')))
  const answer = await store.history.changesSince({ sinceResourceVersion: 2, catalogId: store.catalogId, limit: 10 })
  const [change] = answer.changes as readonly Record<string, unknown>[]
  assert.match(String(change?.at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(answer, {
    catalog_id: store.catalogId,
    resource_version: 3,
    complete: true,
    more: false,
    changes: [
      {
        resource_version: 3,
        at: change?.at,
        operation: 'test',
        change: 'delete',
        object: {
          type: 'select_permission',
          name: 'select_permission user in table artist in source default',
          key: { source: 'default', table: { name: 'artist', schema: 'public' }, role: 'user' },
        },
        old: { role: 'user', permission: { columns: '*', filter: {} } },
        new: null,
        by: { role: 'admin', actor: 'ci 77', user_agent: null, request_id: 'r1', session_variables: {} },
      },
    ],
  })
})

test('a limit cuts between versions, and never gives less than one', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const first = await committed(store, await store.load(), document()) // three objects
  const second = await committed(store, first, removeObject(first.document, permission('user')))
  await committed(store, second, removeObject(second.document, artist))
  const versions = async (since: number, limit: number) => {
    const answer = await store.history.changesSince({ sinceResourceVersion: since, catalogId: null, limit })
    return [answer.more, ...(answer.changes as readonly { resource_version: number }[]).map((c) => c.resource_version)]
  }
  assert.deepEqual(await versions(1, 1), [true, 2, 2, 2])
  assert.deepEqual(await versions(1, 4), [true, 2, 2, 2, 3])
  assert.deepEqual(await versions(1, 5), [false, 2, 2, 2, 3, 4])
  assert.deepEqual(await versions(2, 1), [true, 3])
  assert.deepEqual(await versions(3, 1), [false, 4])
  assert.deepEqual(await versions(4, 1), [false])
})

test('changes of another catalogue or from a version to come are not known', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const reason = async (sinceResourceVersion: number, catalogId: string | null) =>
    (await store.history.changesSince({ sinceResourceVersion, catalogId, limit: 10 })).reason
  assert.equal(await reason(2, null), 'unknown-version')
  assert.equal(await reason(1, '00000000-0000-4000-8000-000000000000'), 'other-catalog')
  assert.equal(await reason(0, null), 'history-expired')
})

test('what was changed after a version is known as far back as the log reaches', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const first = await committed(store, await store.load(), document())
  await committed(store, first, removeObject(first.document, permission('user')))
  const names = async (version: number) => {
    const changed = await store.history.changedAfter(version)
    return changed && [...changed.values()]
  }
  const table = 'table artist in source default'
  const gone = 'select_permission user in table artist in source default'
  assert.deepEqual((await names(1))?.toSorted(), [gone, 'source default', table].sort())
  assert.deepEqual(await names(2), [gone])
  assert.deepEqual(await names(3), [])
  assert.deepEqual([await names(0), await names(4)], [null, null])
})

test('another instance is notified of a commit and of a reload, the one that did it does not', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url), open(t, `${url}?application_name=reader`)])
  const base = await writer.load()
  await reader.load()
  writer.subscribe(() => assert.fail('notified of itself'))
  const news: unknown[] = []
  let received: () => void = () => {}
  const next = () => new Promise<void>((resolve) => (received = resolve))
  reader.subscribe((item) => {
    news.push(item)
    received()
  })
  await listening(url, 2)
  await looked(url, 'reader')
  const version = next()
  await committed(writer, base, document())
  await version
  const reload = next()
  await writer.announceReload({ sources: ['default'], remoteSchemas: ['crm'] })
  await reload
  assert.deepEqual(news, [{ kind: 'version' }, { kind: 'reload', sources: ['default'], remoteSchemas: ['crm'] }])
})

test('of what came before an instance listened it gets the new version first, then what to read again for it', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url), open(t, url)])
  await reader.load()
  await committed(writer, await writer.load(), document())
  await writer.announceReload({ sources: ['default'] })
  const news: unknown[] = []
  await new Promise<void>((resolve) =>
    reader.subscribe((item) => {
      news.push(item)
      if (news.length === 2) resolve()
    }),
  )
  assert.deepEqual(news, [{ kind: 'version' }, { kind: 'reload', sources: 'all', remoteSchemas: 'all' }])
})

/** Until that many connections listen. */
function listening(url: string, count: number): Promise<void> {
  const query = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN svc_catalog' AND state = 'idle'`
  return untilRows(url, query, count)
}

/** Until the store of that name has looked for what came before it listened: it would be notified of the same once more. */
function looked(url: string, name: string): Promise<void> {
  const query = `SELECT FROM pg_stat_activity listener JOIN pg_stat_activity other USING (application_name)
    WHERE application_name = '${name}' AND listener.datname = current_database() AND other.datname = listener.datname
      AND listener.query = 'LISTEN svc_catalog' AND other.pid <> listener.pid
      AND other.query_start > listener.query_start AND other.state = 'idle'`
  return untilRows(url, query, 1)
}

async function untilRows(url: string, query: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  while ((await client.query(query)).rows.length < count);
  await client.end()
}

test('a poll finds what no notification reported', async (t) => {
  const { url } = await createTestDatabase(t)
  const [writer, reader] = await Promise.all([open(t, url), open(t, url, { pollInterval: 5 })])
  const base = await reader.load()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const received = new Promise<unknown>((resolve) => reader.subscribe(resolve))
  await listening(url, 1)
  await client.query('UPDATE svc_catalog.metadata SET resource_version = 2')
  assert.deepEqual(await received, { kind: 'version' })
  await client.end()
  assert.equal((await writer.catchUp(base)).resourceVersion, 2)
})

test('a store whose connections were ended answers again, and is notified again', async (t) => {
  const { url } = await createTestDatabase(t)
  const observer = createObserver()
  const [writer, reader] = await Promise.all([open(t, url), open(t, url, { observer })])
  const base = await reader.load()
  let received: (news: unknown) => void = () => {}
  reader.subscribe((news) => received(news))
  await listening(url, 1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lost = observer.next('catalogue-lost')
  const back = observer.next('catalogue-back')
  await client.query(
    'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await client.end()
  await lost
  assert.equal(await reader.readVersion(), 1)
  await back
  const news = new Promise((resolve) => (received = resolve))
  await committed(writer, base, document())
  assert.deepEqual(await news, { kind: 'version' })
})

test('a connection that ends right behind an answer spoils neither the answer nor the process', async (t) => {
  const server = await startDyingServer((await createTestDatabase(t)).url, t)
  const store = await open(t, server.url)
  for (let i = 0; i < 3; i++) {
    const struck = server.strike()
    assert.equal(await store.readVersion(), 1)
    await struck
    assert.equal(await store.readVersion(), 1)
  }
})

test('a notification of another process says to read the version', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const received = new Promise<unknown>((resolve) => store.subscribe(resolve))
  await listening(url, 1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const payload of ['', 'nonsense', 'null', '5', '{}', '{"kind":"reload"}', '{"kind":"reload","reloads":"x"}'])
    await client.query('SELECT pg_notify($1, $2)', ['svc_catalog', payload])
  await client.query('UPDATE svc_catalog.metadata SET resource_version = 2')
  await client.query('NOTIFY svc_catalog')
  await client.end()
  assert.deepEqual(await received, { kind: 'version' })
})

test('the database may be given as everywhere else: as keywords, or encrypted without a certificate to check', async (t) => {
  const { url } = await createTestDatabase(t)
  const { username, password, hostname, port, pathname } = new URL(url)
  const given = `host=${hostname} port=${port || 5432} user=${username} password=${password} dbname=${pathname.slice(1)}`
  assert.equal(await (await open(t, given)).ping(), true)
  await assert.rejects(open(t, 'nonsense'), /neither postgres:\/\/… nor keyword=value pairs/)
  // whether or not the server speaks TLS, its certificate is not verified
  const encrypted = await open(t, `${url}?sslmode=require`).catch((error: Error) => error)
  if (encrypted instanceof Error) assert.match(encrypted.message, /does not support SSL/)
})

test('a catalogue that is gone is a connection error, 500', async (t) => {
  const database = await createTestDatabase(t)
  const store = await open(t, database.url)
  await database.drop()
  await assert.rejects(store.readVersion(), (error) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'postgres-error')
    assert.equal(error.status, 500)
    return true
  })
  assert.equal(await store.ping(), false)
})

test('a newer catalogue is refused, and left as it is', async (t) => {
  const { url } = await createTestDatabase(t)
  await open(t, url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`UPDATE svc_catalog.svc_version SET version = '99'`)
  await assert.rejects(
    open(t, url),
    (error) => error instanceof CatalogueRefused && /newer version/.test(error.message),
  )
  assert.deepEqual((await client.query('SELECT version FROM svc_catalog.svc_version')).rows, [{ version: '99' }])
  await client.end()
})

test('a migration that fails leaves the catalogue as it was', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url, { initial: document() })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // the first migration would run again and find its tables there
  await client.query(`UPDATE svc_catalog.svc_version SET version = '0'`)
  await assert.rejects(open(t, url), { code: '42P07' })
  assert.deepEqual((await client.query('SELECT version FROM svc_catalog.svc_version')).rows, [{ version: '0' }])
  assert.deepEqual(diffDocuments(document(), (await store.load()).document), [])
  await client.end()
})

test('only migrations after the version that is there are run, in order', async (t) => {
  const { url } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const step = (version: number, statements: string) => ({ version, statements, reverse: '' })
  const steps = [
    step(1, 'CREATE TABLE one ()'),
    step(2, 'CREATE TABLE two (a int)'),
    step(3, 'ALTER TABLE two ADD b int'),
  ]
  await runMigrations(client, steps, 1)
  const { rows } = await client.query(`SELECT to_regclass('one') AS one, (SELECT count(*)::int FROM pg_attribute
    WHERE attrelid = 'two'::regclass AND attnum > 0) AS columns`)
  assert.deepEqual(rows, [{ one: null, columns: 2 }])
  await client.end()
})

test('a user without the right to make the schema gets an error that names the right, and with it needs no other', async (t) => {
  const { url, drop } = await createTestDatabase()
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const role = `svc_plain_${process.pid}`
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`)
  t.after(async () => {
    await owner.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
    await owner.end()
    await drop()
  })
  const plain = new URL(url)
  plain.username = role
  plain.password = 'p'
  await assert.rejects(
    open(t, plain.href),
    (error) => error instanceof CatalogueRefused && /GRANT CREATE/.test(error.message),
  )
  await owner.query(`GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role}`)
  const store = await open(t, plain.href)
  const first = await committed(store, await store.load(), document())
  assert.equal(first.resourceVersion, 2)
  await store.close()
})

test('a commit whose connection is cut before it arrives changes nothing', async (t) => {
  const { url } = await createTestDatabase(t)
  const store = await open(t, url)
  const base = await store.load()
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT FROM svc_catalog.metadata FOR UPDATE')
  const outcome = commit(store, base, document()).catch((error: unknown) => error)
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  for (let cut = false; !cut; ) {
    const { rows } = await blocker.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`)
    cut = rows.length > 0
  }
  const error = await outcome
  assert.ok(error instanceof ApiError && error.message === 'connection error')
  await blocker.query('COMMIT')
  await blocker.end()
  assert.deepEqual(await store.load(), base)
})
