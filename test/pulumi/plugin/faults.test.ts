/** What goes wrong around the plugin: engines that are gone, slow or restarted, other writers, interruptions. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { cachedPulumiPlugin } from '../../../tools/bundle-pulumi.ts'
import { startEngine } from '../../engine.ts'
import { type MetadataProxy, startMetadataProxy } from '../../terraform/metadata-proxy.ts'
import { gone, startOrphan } from '../processes.ts'
import { type Music, music, musicWith, newRun, startMusic } from './music.ts'
import { startPlugin } from './plugin.ts'
import { deploy, urnOf } from './small-engine.ts'

let engine: Music
let proxy: MetadataProxy
const cleanUps: (() => Promise<void> | void)[] = []
const suite = { after: (cleanUp: () => Promise<void> | void) => cleanUps.push(cleanUp) }
before(async () => {
  engine = await startMusic(suite)
  proxy = await startMetadataProxy(engine, suite)
})
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})
beforeEach(async () => {
  proxy.fault = () => null
  proxy.beforeWrite = async () => {}
  proxy.target = engine.url
  await engine.reset()
})

const artist = urnOf('Table', 'artist')
const table = { table: { schema: 'public', name: 'artist' }, source: 'default', isEnum: false }
const id = 'default/public/artist'

test('where no engine is, what needs one says so, and what does not is answered', async (t) => {
  const plugin = await startPlugin(t)
  await plugin.configure({ endpoint: 'http://127.0.0.1:9', adminSecret: 'a' })
  assert.deepEqual((await plugin.check(artist, {}, table)).failures, [])
  assert.equal((await plugin.diff(artist, id, table, table)).changes, 'none')
  for (const ask of [
    () => plugin.create(artist, table),
    () => plugin.read(artist, id, table, table),
    () => plugin.remove(urnOf('Table', 'gone'), 'default/public/gone', { table: { schema: 'public', name: 'gone' } }),
  ])
    await assert.rejects(ask(), { message: /127\.0\.0\.1:9/ })
  await assert.rejects(plugin.invoke('svc:index:getMetadata', {}), { message: /127\.0\.0\.1:9/ })
})

test('a secret that is refused is an error of the preview and of the update, with what to do', async (t) => {
  const plugin = await newRun({ url: engine.url, secret: 'wrong' }, t)
  for (const preview of [true, false])
    await assert.rejects(plugin.create(artist, table, preview), {
      message: /refuses the admin secret\nGive the one it has as adminSecret or .*--run-program/s,
    })
})

test('a write whose answer was lost is neither repeated nor forgotten', async (t) => {
  let isCut = false
  proxy.fault = ({ type }) => {
    if (type === 'export_metadata' || isCut) return null
    isCut = true
    return 'reset-after'
  }
  const { failed, states } = await deploy(await newRun(proxy, t), music)
  assert.equal(isCut, true)
  assert.deepEqual([...failed], [])
  assert.deepEqual((await deploy(await newRun(engine, t), music, states, { refresh: true })).steps, [])
})

test('an engine that is restarted while a stack is made is waited for', async (t) => {
  let first = await startEngine({ databaseUrl: engine.databaseUrl }, t)
  proxy.target = first.url
  let writes = 0
  proxy.beforeWrite = async () => {
    if (++writes !== 2) return
    first.kill()
    await first.ended
    first = await startEngine({ databaseUrl: engine.databaseUrl }, t)
    proxy.target = first.url
  }
  const { failed, states } = await deploy(await newRun(proxy, t), music)
  assert.ok(writes >= 2)
  assert.deepEqual([...failed], [])
  assert.deepEqual((await deploy(await newRun(first, t), music, states, { refresh: true })).steps, [])
})

test('another writer of other objects is in no one’s way, one of the same object is reported', async (t) => {
  const { states, failed: none } = await deploy(await newRun(engine, t), music)
  assert.deepEqual([...none], [])
  proxy.beforeWrite = async () => {
    const { status } = await engine.metadata('pg_set_table_customization', {
      table: 'artist',
      configuration: { comment: `by another client ${Math.random()}` },
    })
    assert.equal(status, 200)
  }
  const plugin = await newRun(proxy, t)
  await plugin.read(artist, id, states.get('artist')?.outputs, states.get('artist')?.inputs)
  const limited = musicWith('album_listener', (inputs) => ({ ...inputs, limit: 5 }))
  const apart = await deploy(plugin, limited, states)
  assert.deepEqual([...apart.failed], [])
  const both = musicWith('artist', (inputs) => ({ ...inputs, comment: 'ours' }))
  const { failed, states: after } = await deploy(plugin, both, states)
  assert.deepEqual([...failed.keys()].slice(0, 1), ['artist'])
  assert.match(failed.get('artist') ?? '', /^comment: another client has changed it since the plan was made/)
  assert.deepEqual(after.get('artist'), states.get('artist'))
  proxy.beforeWrite = async () => {}
  const healed = await deploy(await newRun(engine, t), both, after, { refresh: true })
  assert.deepEqual([...healed.failed], [])
})

test('a cancelled run sends nothing more, and what was sent is answered', async (t) => {
  const plugin = await newRun(proxy, t)
  let cancelled: Promise<void> | undefined
  proxy.beforeWrite = async () => {
    cancelled ??= plugin.cancel()
    await cancelled
  }
  const sent = await plugin.create(artist, table)
  assert.equal(sent.id, id)
  await assert.rejects(plugin.create(urnOf('Table', 'album'), { table: { name: 'album' } }), {
    message: /^interrupted/,
  })
  assert.equal((await engine.exported()).includes('"album"'), false)
})

test('asked to go, the plugin answers what was sent and ends by itself', async (t) => {
  const plugin = await newRun(proxy, t)
  const arrived = new Promise<void>((resolve) => {
    proxy.beforeWrite = async () => resolve()
  })
  proxy.delay = 300
  const sent = plugin.create(artist, table)
  await arrived
  plugin.process.kill('SIGINT')
  assert.equal((await sent).id, id)
  proxy.delay = 0
  assert.equal(await plugin.stop().catch(() => plugin.ended), 0)
})

test('killed in the middle of a stack, the next run takes over what was made', async (t) => {
  const plugin = await newRun(proxy, t)
  let writes = 0
  proxy.beforeWrite = async () => {
    if (++writes === 2) plugin.process.kill('SIGKILL')
  }
  const { states, failed } = await deploy(plugin, music)
  assert.ok(failed.size > 0)
  const healed = await deploy(await newRun(engine, t, { adoptExisting: true }), music, states, { refresh: true })
  assert.deepEqual([...healed.failed], [])
  assert.deepEqual((await deploy(await newRun(engine, t), music, healed.states, { refresh: true })).steps, [])
})

for (const ends of ['asked', 'at once'] as const)
  test(`the plugin is gone soon after the process that started it, which ${ends === 'asked' ? 'knew its port' : 'never knew its port'}`, async (t) => {
    const file = join(await cachedPulumiPlugin(), 'pulumi-resource-svc')
    await gone(await startOrphan(t, file, { args: ['127.0.0.1:9'], ends }))
  })
