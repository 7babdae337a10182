/** Every attribute of every kind whose change is another identity, with all that can name the object next to it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { Values } from '../../provider/src/core/index.ts'
import { catalogue } from '../../provider/src/resources/index.ts'
import { onlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from '../serving/remote-server.ts'
import { apply, deploy, destroy, newRun, plan } from './deploy.ts'
import { steps } from './walk-identities.ts'
import type { WalkedResource } from './walk-names.ts'
import type { Outside } from './walk-prerequisites.ts'
import { walkEnvironment, walkTables, wholeStack } from './walk-stack.ts'

let engine: Engine
let remote: RemoteServer
let outside: Outside
let stack: readonly WalkedResource[]
let states: ReadonlyMap<string, Values>
let whole: unknown
before(async () => {
  const { url } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`${sampleTables}; ${walkTables}`).finally(() => client.end())
  remote = await startRemoteServer(sampleRemote, {})
  outside = { databaseUrl: url, remoteUrl: remote.url }
  engine = await startEngine({ databaseUrl: url, env: walkEnvironment(outside) })
  stack = wholeStack(outside)
  const run = newRun(engine)
  const made = new Map<string, Values>()
  for (const { name, kind, config } of stack) made.set(name, await deploy(run, kind, null, config))
  states = made
  whole = (await engine.metadata('export_metadata', {})).body
})
after(async () => {
  await engine.stop()
  await remote.close()
})

const nowhere: Outside = { databaseUrl: 'postgres://u@h/d', remoteUrl: 'http://h/graphql' }

const count = async () => {
  const { state } = await newRun(engine).readData('unmanaged_objects', { managed: null })
  return Array.isArray(state?.objects) ? state.objects.length : 0
}

for (const { name } of steps(nowhere, wholeStack(nowhere)))
  test(`${name} changes in one apply, and all that names it with it`, async () => {
    const reset = await engine.metadata('replace_metadata', whole)
    assert.equal(reset.status, 200, reset.text)
    const step = steps(outside, stack).find((one) => one.name === name)
    assert.ok(step)
    const run = newRun(engine)
    const kept = new Set(step.stack.map(({ name: of }) => of))
    for (const { name: of, kind } of stack) if (!kept.has(of)) await destroy(run, kind, states.get(of) ?? {})
    const objects = await count()
    const now = new Map<string, Values>()
    for (const { name: of, kind, config } of step.stack) {
      const applied = await apply(run, kind, states.get(of) ?? null, config)
      assert.deepEqual(applied.diagnostics, [], of)
      if (applied.state) now.set(of, applied.state)
    }
    const next = newRun(engine)
    for (const { name: of, kind, config } of step.stack) {
      const read = await next.read(kind, now.get(of) ?? {})
      assert.ok(read.state, `${of} is gone`)
      assert.deepEqual((await plan(next, kind, read.state, config)).changed, [], of)
    }
    assert.equal(await count(), objects)
  })

test('every kind is there, and walked where it has an attribute that replaces', () => {
  const all = catalogue.filter(({ kind }) => kind !== 'CustomTypes' && !onlyElsewhere.has(kind))
  const there = new Set(wholeStack(nowhere).map(({ kind }) => kind))
  assert.deepEqual(
    all.map(({ kind }) => kind).filter((kind) => !there.has(kind)),
    [],
  )
  const replacing = all.flatMap(({ kind, attributes }) =>
    Object.entries(attributes).flatMap(([name, { replace }]) => (replace ? [`${kind}.${name}`] : [])),
  )
  assert.deepEqual(
    steps(nowhere, wholeStack(nowhere))
      .map(({ name }) => name)
      .sort(),
    replacing.sort(),
  )
})
