import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type JsonObject, type MetadataDocument, readMetadata } from '@svc/schema'
import {
  applyPlan,
  applySteps,
  createMetadataClient,
  type MetadataClient,
  planChanges,
  readLive,
} from '../../provider/src/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { randomOf } from '../metadata/respell.ts'
import { createTestDatabase } from '../postgres.ts'
import { createMusicTables, musicMetadata } from './music-tables.ts'

let engine: Engine
let client: MetadataClient
before(async () => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  engine = await startEngine({ databaseUrl: database.url })
  client = createMetadataClient({ endpoint: engine.url, adminSecret: engine.secret, actor: 'test', userAgent: 'test' })
})
after(() => engine.stop())

const named = (name: string) => ({ name, schema: 'public' })

/** Consistent metadata of the three tables: any of them, with relationships and permissions that fit. */
function randomDocument(seed: number): MetadataDocument {
  const random = randomOf(seed)
  const maybe = () => random() < 0.6
  const one = <T>(...items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const tracked = new Set(['artist', 'album', 'track'].filter(maybe))
  const owned = { owner: { _eq: one('X-Svc-User-Id', 'x') } }
  const tables = [...tracked].map((name): JsonObject => {
    const up = { album: 'artist', track: 'album' }[name]
    const down = { artist: 'album', album: 'track' }[name]
    const toUp = up !== undefined && tracked.has(up) && maybe()
    const toDown = down !== undefined && tracked.has(down) && maybe()
    const filters = [{}, { id: { _gt: Math.floor(random() * 3) } }]
    const viaUp = name === 'album' && toUp ? [{ parent: owned }] : []
    const viaDown = toDown ? [{ children: { id: { _gt: 1 } } }] : []
    const permissions = ['a', 'b'].filter(maybe).map((role) => ({
      role,
      permission: {
        columns: one<string | readonly string[]>('*', ['id']),
        filter: one<JsonObject>(...filters, ...viaUp, ...viaDown),
      },
      ...(maybe() ? {} : { comment: one('x', 'y') }),
    }))
    const comment = maybe() ? {} : { comment: one('x', 'y') }
    // a name that changes its kind and its column mapping, too
    const manual = { manual_configuration: { remote_table: named(up ?? ''), column_mapping: { [`${up}_id`]: 'id' } } }
    return {
      table: named(name),
      ...(maybe() ? {} : { configuration: { custom_name: `${name}_${one('x', 'y')}` } }),
      ...(toUp
        ? {
            object_relationships: [
              { name: 'parent', using: one<JsonObject>({ foreign_key_constraint_on: `${up}_id` }, manual), ...comment },
            ],
          }
        : {}),
      ...(toDown
        ? {
            array_relationships: [
              { name: 'children', using: { foreign_key_constraint_on: { table: named(down), column: `${name}_id` } } },
            ],
          }
        : {}),
      select_permissions: permissions,
    }
  })
  const roleNames = new Set(
    tables.flatMap((table) => (table.select_permissions as JsonObject[]).map(({ role }) => role)),
  )
  const set = ['a', 'b'].filter((role) => roleNames.has(role))
  const roles = set.length === 0 || maybe() ? {} : { inherited_roles: [{ role_name: 'both', role_set: set }] }
  const read = readMetadata(musicMetadata(tables, roles))
  assert.ok(read.ok, JSON.stringify(read))
  return read.document
}

const runs = 60

for (const way of ['in one request', 'step by step'] as const)
  test(`whatever the engine has becomes whatever is wanted, ${way}`, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const wanted = randomDocument(seed)
      const live = await readLive(client)
      const plan = planChanges(live.document, wanted)
      if (way === 'step by step') await applySteps(client, plan)
      else {
        const options = { resourceVersion: live.resourceVersion, allowInconsistent: false }
        const applied = plan.changes.length === 0 || (await applyPlan(client, plan, options))
        assert.ok(applied === true || applied.stored, `seed ${seed}: ${JSON.stringify(applied)}`)
      }
      const left = planChanges((await readLive(client)).document, wanted).changes
      assert.deepEqual(
        left.map(({ name }) => name.name),
        [],
        `seed ${seed}`,
      )
    }
  })

test('a plan of a version that another client has changed since is a conflict and stores nothing', async () => {
  await applySteps(client, planChanges((await readLive(client)).document, randomDocument(1)))
  const live = await readLive(client)
  const plan = planChanges(live.document, randomDocument(2))
  assert.equal((await engine.metadata('clear_metadata', {})).status, 200)
  const before = (await engine.metadata('export_metadata', {})).text
  const stale = { resourceVersion: live.resourceVersion, allowInconsistent: false }
  await assert.rejects(applyPlan(client, plan, stale), /another client changed the metadata meanwhile/)
  assert.equal((await engine.metadata('export_metadata', {})).text, before)
})
