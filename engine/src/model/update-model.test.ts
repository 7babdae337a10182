import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressText, removeObject } from '@svc/schema'
import type { Model } from './model.ts'
import { chance, randomEdit, startInput } from './random-edits.fixture.ts'
import { tableIdOf } from './table-id.ts'
import { updateModel } from './update-model.ts'

/** Everything of a model that must not depend on how it came about, as plain sorted data. */
export function plain(model: Model) {
  const { nodes, ...graph } = model.graph
  return sortedData({
    tables: model.tables,
    rootFields: model.rootFields,
    roles: model.roles,
    inconsistencies: model.inconsistencies,
    faults: model.faults,
    graph,
    nodes: nodes.map(({ served, face, shape }) => ({ served, face, columns: shape.columns, keys: shape.foreignKeys })),
  })
}

function sortedData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) return value.map(sortedData)
  const isMap = value instanceof Map || ('toMap' in value && 'entries' in value)
  const entries = isMap ? [...(value as ReadonlyMap<string, unknown>).entries()] : Object.entries(value)
  const plainValue = entries.map(([key, part]) => [key, sortedData(part)] as const)
  return Object.fromEntries(plainValue.sort(([a], [b]) => (a < b ? -1 : 1)))
}

test('a model updated edit by edit equals the one built anew, whatever the edits', () => {
  const liking = { customNames: (source: string, table: string) => [`${source}_${table.replace('.', '_')}`] }
  let inconsistent = 0
  for (let seed = 1; seed <= 12; seed++) {
    const random = chance(seed)
    let input = startInput()
    let model = updateModel(null, input)
    for (let step = 1; step <= 80; step++) {
      const before = plain(model)
      const previous = model
      // several edits may arrive at once: a bulk, another instance's commit
      for (let edits = random.below(4); edits >= 0; edits--) input = randomEdit(input, random, liking)
      model = updateModel(previous, input)
      assert.deepEqual(plain(model), plain(updateModel(null, input)), `seed ${seed}, step ${step}`)
      if (step % 10 === 0) assert.deepEqual(plain(previous), before, `seed ${seed}, step ${step}: the previous model`)
      inconsistent += model.inconsistencies.size
    }
  }
  assert.ok(inconsistent > 5000, 'the edits must lead into inconsistencies, or the test shows little')
})

test('whatever tables want the same names, each name has one owner and who was served keeps it', () => {
  const wanted = ['n', 'n_one', 'n_aggregate', 'm', 'm_bool_exp', 'k']
  let clashes = 0
  for (let seed = 100; seed < 130; seed++) {
    const random = chance(seed)
    let input = startInput()
    let model = updateModel(null, input)
    for (let step = 1; step <= 60; step++) {
      const before = model
      input = randomEdit(input, random, { customNames: () => wanted })
      model = updateModel(before, input)
      const place = `seed ${seed}, step ${step}`
      checkOwners(model, place)
      checkLosers(model, place)
      // a table that could be served under the same names as before still is
      for (const [id, { face }] of before.graph.nodes.filter((node) => node.served)) {
        const now = model.graph.nodes.get(id)
        if (now?.face === face) assert.ok(now.served, `${place}: ${id} lost its names`)
      }
      clashes += model.faults.filter((fault) => fault.names.length > 0).size
    }
  }
  assert.ok(clashes > 200, 'the edits must lead into clashes, or the test shows little')
})

function checkOwners(model: Model, place: string): void {
  const owned = [...model.tables.values()].flatMap((table) =>
    table.rootFields.map(({ kind, name }) => [name, { kind, table: table.id }] as const),
  )
  assert.deepEqual(sortedData(model.rootFields), sortedData(new Map(owned)), place)
  assert.equal(model.rootFields.size, owned.length, `${place}: a name is served twice`)
  for (const { face, id } of model.graph.nodes.filter((node) => node.served).values()) {
    if (!face.alias) continue
    const owner = model.rootFields.get(face.alias.name)
    assert.ok(owner, `${place}: nobody has ${face.alias.name}, so ${id} should`)
  }
}

/** Alone, a table that is kept out would be served: take those away that have what it wants. */
function checkLosers(model: Model, place: string): void {
  for (const fault of model.faults.values()) {
    const [winner] = fault.needs
    if (fault.address.type !== 'table' || fault.cause !== 'clash' || !winner) continue
    assert.ok(model.graph.nodes.get(tableIdOf(winner))?.served, `${place}: the winner is not served`)
    let { document } = model.input
    let freed = updateModel(model, { ...model.input, document })
    for (let rounds = 0; rounds < 8 && freed.faults.get(addressText(fault.address))?.needs[0]; rounds++) {
      const inTheWay = freed.faults.get(addressText(fault.address))?.needs[0]
      if (!inTheWay || addressText(inTheWay) === addressText(fault.address)) break
      document = removeObject(document, inTheWay)
      freed = updateModel(freed, { ...model.input, document })
    }
    assert.ok(!freed.faults.get(addressText(fault.address))?.needs.length, `${place}: still kept out`)
  }
}
