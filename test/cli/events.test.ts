import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { startReceiver } from '../events/receiver.ts'
import { createSvcFolder } from './svc.ts'

test('svc events lists what failed, of triggers and schedules, and sends events of a trigger again', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer(() => ({ status: 500 }))
  const engine = await startEngine({}, t)
  const folder = await createSvcFolder(engine, t)
  const sql = (text: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  await sql('CREATE TABLE item (id int PRIMARY KEY)')
  await engine.metadata('pg_track_table', { table: 'item' })
  for (const name of ['on_item', 'on_other'])
    await engine.metadata('pg_create_event_trigger', {
      name,
      table: 'item',
      webhook: `${receiver.url}/${name}`,
      [name === 'on_item' ? 'insert' : 'delete']: { columns: '*' },
    })
  await engine.metadata('create_scheduled_event', {
    webhook: receiver.url,
    schedule_at: '2020-01-01T00:00:00Z',
    event_id: 'late',
  })
  await sql('INSERT INTO item SELECT generate_series(1, 250)')
  const failed = async () => {
    const { stdout } = await folder.svc('events', 'ls', '--status', 'error', '--limit', '1000', '-o', 'json')
    return JSON.parse(stdout)
  }
  let found = await failed()
  while (found.length < 251) found = await failed()
  assert.deepEqual(
    found.filter(({ type }: { type: string }) => type === 'one_off').map(({ id }: { id: string }) => id),
    ['late'],
  )

  const listed = await folder.svc('events', 'ls', '--trigger', 'on_item', '--status', 'error', '--limit', '2')
  assert.match(listed.stdout, /^ID +TRIGGER +STATUS +TRIES +TIME\n(?:\S{36} +default\/on_item +error +1 +\S+Z\n){2}$/)
  const nothing = ['ls', '--status', 'error', '--since', '2100-01-01'] as const
  assert.equal((await folder.svc('events', ...nothing)).stdout, 'no events\n')
  assert.match(
    (await folder.svc('events', 'ls', '--one-off')).stdout,
    /^late +one-off +dead +0 +2020-01-01T00:00:00Z$/m,
  )
  const wrong = await folder.svc('events', 'redeliver', '--trigger', 'on_itm')
  assert.equal(wrong.stderr, 'error: there is no event trigger on_itm: did you mean on_item?\n')
  assert.match((await folder.svc('events', 'ls', '--since', 'noon')).stderr, /^error: --since noon is neither/)

  receiver.answer(() => ({ status: 200 }))
  const before = receiver.received.length
  const dry = await folder.svc('events', 'redeliver', '--trigger', 'on_item', '--since', '1h', '--dry-run')
  assert.equal(dry.stdout, 'default/on_item: 250 events would be sent again\n')
  const again = await folder.svc('events', 'redeliver', '--trigger', 'on_item', '--since', '1h')
  assert.equal(again.code, 0, again.stderr)
  assert.equal(again.stdout, 'default/on_item: 250 of 250 events are sent again\n')
  while ((await failed()).length > 1);
  const sent = new Set(receiver.received.slice(before).map(({ body }) => body.id))
  assert.equal(sent.size, 250)
  const delivered = await folder.svc('events', 'ls', '--trigger', 'on_item', '--status', 'delivered', '-o', 'yaml')
  assert.match(delivered.stdout, /type: event_trigger/)
  assert.match(delivered.stdout, /delivered: true/)
})
