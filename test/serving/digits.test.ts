/** Numbers of metadata with more digits than a double keeps: stored, compared, exported and applied as they were written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { LONG, startLedger } from '../ledger.ts'

const number = (digits: string) => JSON.rawJSON(digits)

test('a permission with a long number allows that row, before and after a restart', async (t) => {
  const { engine, databaseUrl, ids } = await startLedger(t)
  const succeed = async (type: string, args: unknown) => {
    const answer = await engine.metadata(type, args)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const permit = (role: string, filter: unknown) =>
    succeed('pg_create_select_permission', { table: 'account', role, permission: { columns: ['id'], filter } })
  await succeed('pg_track_table', { table: 'account' })
  await permit('eq', { id: { _eq: number(LONG) } })
  await permit('short', { id: number(LONG) })
  await permit('in', { id: { $in: [1, number(`${LONG}.0`)] } })
  await permit('less', { $or: [{ id: { _lt: number('9.007199254740993e15') } }] })
  await permit('amount', { amount: { _eq: number('0.12345678901234567891') } })
  await permit('note', { note: { _contains: { of: number(LONG) } } })
  await permit('huge', { amount: { _lt: number('1e400') } })
  await succeed('pg_create_insert_permission', {
    table: 'account',
    role: 'writer',
    permission: { columns: ['amount'], check: {}, set: { id: number('9007199254740997'), note: { of: number(LONG) } } },
  })
  const insert = 'mutation { insert_account(objects: [{amount: 3}]) { affected_rows } }'
  await engine.post('/v1/graphql', { query: insert }, { 'X-Svc-Role': 'writer' })
  const row = await engine.post('/v1/graphql', { query: '{ account_by_pk(id: "9007199254740997") { id note } }' })
  assert.equal(row.text, `{"data":{"account_by_pk":{"id":9007199254740997,"note":{"of": ${LONG}}}}}`)
  const check = async (of = engine) => {
    assert.deepEqual(await ids('eq', of), [LONG])
    assert.deepEqual(await ids('short', of), [LONG])
    assert.deepEqual(await ids('in', of), [LONG])
    assert.deepEqual(await ids('less', of), ['9007199254740992'])
    assert.deepEqual(await ids('amount', of), [LONG])
    assert.deepEqual(await ids('note', of), [LONG, '9007199254740997'])
    assert.equal((await ids('huge', of)).length, 4)
  }
  await check()
  const exported = (await succeed('export_metadata', {})).text
  for (const said of [
    `"_eq":${LONG}}`,
    `"$in":[1,${LONG}]`,
    `"_lt":${LONG}}`,
    '"_eq":0.12345678901234567891',
    '"_lt":1e+400',
  ])
    assert.ok(exported.includes(said), `${said} in ${exported}`)
  const { body } = await engine.metadata('export_metadata', {}, { version: 2 })
  const log = await succeed('get_metadata_changes', { since_resource_version: 1 })
  assert.ok(log.text.includes(`"_eq":${LONG}}`))
  // what means the same is no change
  const same = exported.replaceAll(LONG, '9007199254740993.0').replace('1e+400', '10E399')
  const again = await engine.send(
    'POST',
    '/v1/metadata',
    `{"type": "replace_metadata", "version": 2, "args": {"metadata": ${same}}}`,
    { 'Content-Type': 'application/json' },
  )
  assert.equal(again.status, 200, again.text)
  assert.equal(
    (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version,
    body.resource_version,
  )
  assert.equal((await succeed('export_metadata', {})).text, exported)
  await engine.stop()
  const restarted = await startEngine({ databaseUrl }, t)
  await check(restarted)
  assert.equal((await restarted.metadata('export_metadata', {})).text, exported)
})

test('a payload and the state of clients keep digits, too', async (t) => {
  const engine = await startEngine({}, t)
  const payload = { id: number(LONG) }
  const trigger = {
    name: 't',
    webhook: 'http://127.0.0.1:1',
    schedule: '0 0 1 1 *',
    include_in_metadata: true,
    payload,
  }
  assert.equal((await engine.metadata('create_cron_trigger', trigger)).status, 200)
  const event = { webhook: 'http://127.0.0.1:1', schedule_at: '2090-01-01T00:00:00Z', payload }
  assert.equal((await engine.metadata('create_scheduled_event', event)).status, 200)
  const events = await engine.metadata('get_scheduled_events', { type: 'one_off' })
  await engine.metadata('set_catalog_state', { type: 'cli', state: { of: number(LONG) } })
  const exported = await engine.metadata('export_metadata', {})
  const state = await engine.metadata('get_catalog_state', {})
  for (const { text } of [events, exported, state]) assert.ok(text.includes(LONG), text)
})
