import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { kindNamed, parseImportId, type Values } from '../resources/index.ts'
import { samples } from '../resources/samples.fixture.ts'
import { planValues } from './plan-values.ts'
import { reconcile } from './reconcile.ts'
import { wantedObject, withWriteOnly } from './wanted-object.ts'

const url = 'postgres://u:secret@localhost:5432/db'

const kindOf = (name: string) => {
  const kind = kindNamed(name)
  assert.ok(kind)
  return kind
}

const liveOf = (name: string, values: Values): JsonObject =>
  wantedObject(
    kindOf(name),
    withWriteOnly(kindOf(name), planValues(kindOf(name), null, values, 'text').planned, values),
    {
      json: 'text',
      typeName: (name) => name,
    },
  ).valueOver({})

const stateOf = (name: string, values: Values): Values => planValues(kindOf(name), null, values, 'text').planned

for (const { kind, base, changes, respelled } of samples(url)) {
  test(`${kind}: what means the same keeps the user's spelling`, () => {
    for (const patch of [{}, ...respelled]) {
      const state = stateOf(kind, { ...base, ...patch })
      assert.deepEqual(reconcile(kindOf(kind), state, liveOf(kind, base), 'text'), state)
    }
  })

  for (const [name, patch] of Object.entries(changes)) {
    const field = kindOf(kind).fields.find((one) => one.name === name)
    const moves = Object.keys(patch).some((one) => kindOf(kind).attributes[one]?.replace)
    if (moves || field?.at === null || field?.attribute.writeOnly) continue
    test(`${kind}.${name}: what means something else is reported, and nothing but that`, () => {
      const found = reconcile(kindOf(kind), stateOf(kind, base), liveOf(kind, { ...base, ...patch }), 'text')
      const state = stateOf(kind, base)
      const differing = Object.keys(state).filter((one) => JSON.stringify(found[one]) !== JSON.stringify(state[one]))
      assert.ok(differing.includes(name))
      assert.deepEqual(
        differing.filter((one) => !Object.hasOwn(patch, one)),
        [],
      )
    })
  }

  test(`${kind}: a stub with an identity takes everything that is there`, () => {
    const state = stateOf(kind, base)
    const stub = parseImportId(kindOf(kind), String(state.id))
    assert.ok(stub.ok)
    const found = reconcile(kindOf(kind), stub.values, liveOf(kind, base), 'text')
    assert.deepEqual(planValues(kindOf(kind), found, base, 'text').changed, [])
  })
}

test('what was written by an attribute that no state stores is no drift, anything next to it is', () => {
  const config: Values = { name: 'other', database_url_wo: url, database_url_wo_version: 1 }
  const state = stateOf('Source', config)
  assert.doesNotMatch(JSON.stringify(state), /secret/)
  assert.deepEqual(reconcile(kindOf('Source'), state, liveOf('Source', config), 'text'), state)
  const drifted = reconcile(kindOf('Source'), state, liveOf('Source', { ...config, extensions_schema: 'shop' }), 'text')
  assert.deepEqual(drifted, { ...state, extensions_schema: 'shop' })
})

for (const name of ['read_replicas', 'connection_set'] as const)
  for (const json of ['text', 'value'] as const)
    test(`${name}, absent or emptied, ${json} for JSON: planned once and then no difference`, () => {
      const kind = kindOf('Source')
      const base: Values = { name: 'other', database_url: url }
      const connection = { database_url: url }
      const some = name === 'read_replicas' ? [connection] : [{ name: 'a', connection_info: connection }]
      const before = planValues(kind, null, { ...base, [name]: some }, json).planned
      for (const none of name === 'read_replicas' ? [null] : [null, []]) {
        const config = { ...base, [name]: none }
        const { planned, changed } = planValues(kind, before, config, json)
        assert.deepEqual(changed, [[name]])
        const live = wantedObject(kind, planned, { json, typeName: (one) => one }).valueOver({})
        const read = reconcile(kind, planned, live, json)
        assert.deepEqual(read, planned)
        assert.equal(planValues(kind, read, config, json).planned, read)
      }
    })
