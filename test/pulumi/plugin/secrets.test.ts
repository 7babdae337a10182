/** What is secret is sent in an envelope wherever it goes, and shown nowhere. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Music, newRun, startMusic } from './music.ts'
import type { Plugin, Properties } from './plugin.ts'
import { urnOf } from './small-engine.ts'
import { output, secret } from './struct.ts'

const ADMIN = 'canary-of-the-admin-secret'
const PASSWORD = 'canary-of-the-database'
const TENANT = 'canary-of-a-filter'

let engine: Music
let plugin: Plugin
const cleanUps: (() => Promise<void> | void)[] = []
const suite = { after: (cleanUp: () => Promise<void> | void) => cleanUps.push(cleanUp) }
before(async () => {
  engine = await startMusic(suite, ADMIN)
  plugin = await newRun(engine, suite, { adminSecret: secret(ADMIN) })
})
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

/** The properties without what stands in envelopes, as text: what of it is left is in the clear. */
function inTheClear(properties: Properties | null): string {
  return JSON.stringify(properties, (_, value) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, '4dabf18193072939515e22adb298388d')
      ? 'hidden'
      : value,
  )
}

const databaseUrl = () => {
  const url = new URL(engine.databaseUrl)
  url.searchParams.set('application_name', PASSWORD)
  return url.href
}

test('what is declared sensitive is secret in all that is sent, though the program did not call it so', async () => {
  const urn = urnOf('Source', 's')
  const { inputs } = await plugin.check(urn, {}, { name: 'second', databaseUrl: databaseUrl() })
  assert.deepEqual(inputs.databaseUrl, secret(databaseUrl()))
  const preview = await plugin.create(urn, inputs, true)
  const { id, properties } = await plugin.create(urn, inputs)
  const read = await plugin.read(urn, id, properties ?? {}, inputs)
  const imported = await plugin.read(urn, id)
  const updated = await plugin.update(urn, id, properties ?? {}, { ...inputs, usePreparedStatements: true }, true)
  assert.ok(JSON.stringify(imported.inputs).includes(PASSWORD))
  for (const one of [inputs, preview.properties, properties, read.inputs, read.properties, imported.inputs])
    assert.equal(inTheClear(one).includes(PASSWORD), false)
  assert.equal(inTheClear(updated.properties).includes(PASSWORD), false)
  assert.deepEqual(read.properties, properties)
  await plugin.remove(urn, id, properties ?? {})
})

test('what is in an object remains secret by its own path', async () => {
  const { inputs } = await plugin.check(
    urnOf('Source', 's'),
    {},
    {
      name: 'second',
      connectionParameters: { username: 'u', password: PASSWORD, host: 'h', port: 1, database: 'd' },
    },
  )
  assert.deepEqual(inputs.connectionParameters, {
    username: 'u',
    password: secret(PASSWORD),
    host: 'h',
    port: 1,
    database: 'd',
  })
})

test('what the program calls secret remains so, also once another client has changed it', async () => {
  await plugin.create(urnOf('Table', 't'), { table: { name: 'artist' } })
  const urn = urnOf('SelectPermission', 'p')
  const given = {
    table: { schema: 'public', name: 'artist' },
    role: 'a',
    columns: ['id'],
    filter: { _or: [{ name: { _eq: secret(TENANT) } }, { country: { _eq: output('x', true) } }] },
  }
  const { inputs } = await plugin.check(urn, {}, given)
  const marked = { _or: [{ name: { _eq: secret(TENANT) } }, { country: { _eq: secret('x') } }] }
  assert.deepEqual(inputs.filter, marked)
  const { id, properties } = await plugin.create(urn, inputs)
  assert.deepEqual(properties?.filter, marked)
  const unchanged = await plugin.read(urn, id, properties ?? {}, inputs)
  assert.deepEqual(unchanged.inputs?.filter, marked)
  assert.equal((await plugin.diff(urn, id, properties ?? {}, inputs)).changes, 'none')
  await engine.metadata('bulk', [
    { type: 'pg_drop_select_permission', args: { table: 'artist', role: 'a' } },
    {
      type: 'pg_create_select_permission',
      args: { table: 'artist', role: 'a', permission: { columns: ['id'], filter: { name: { _eq: TENANT } } } },
    },
  ])
  const run = await newRun(engine, suite)
  const drifted = await run.read(urn, id, properties ?? {}, inputs)
  assert.deepEqual(drifted.inputs?.filter, secret({ name: { _eq: TENANT } }))
  assert.deepEqual(drifted.inputs?.columns, ['id'])
})

test('nothing secret is repeated in what is reported', async () => {
  const source = urnOf('Source', 's')
  const wrong = `postgres://somebody:${PASSWORD}@127.0.0.1:1/nothing?application_name=${PASSWORD}`
  const { inputs } = await plugin.check(source, {}, { name: 'third', databaseUrl: wrong })
  const permission = urnOf('SelectPermission', 'q')
  const filtered = {
    table: { name: 'artist' },
    role: 'b',
    columns: ['id'],
    filter: {},
  }
  const run = await newRun(engine, suite)
  const reported = [
    await run.create(permission, { ...filtered, columns: [secret(TENANT)] }, true).catch(String),
    await run.create(source, inputs).catch(String),
    await run.create(permission, { ...filtered, columns: [secret(TENANT)] }).catch(String),
  ]
  for (const one of reported) assert.match(String(one), /^Error: /)
  const failed = await plugin.check(
    source,
    {},
    {
      name: 'third',
      databaseUrl: PASSWORD,
      databaseUrlFromEnv: 'X',
      connectionParameters: { password: [PASSWORD] },
    },
  )
  assert.ok(failed.failures.length > 0)
  // Pulumi shows the value of the property that a failure names
  for (const { property } of failed.failures)
    assert.equal(['databaseUrl', 'connectionParameters'].includes(property), false, property)
  const all = [
    ...reported,
    JSON.stringify(failed.failures),
    ...run.printed,
    ...run.engine.reported.map((one) => one.message),
  ]
  for (const text of all)
    for (const canary of [ADMIN, PASSWORD, TENANT])
      assert.equal(String(text).includes(canary), false, `${canary} is in ${text}`)
})
