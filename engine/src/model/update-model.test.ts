import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  addressText,
  type JsonObject,
  type MetadataDocument,
  type ObjectType,
  ownKey,
  removeObject,
  setValue,
  tableAddress,
} from '@svc/schema'
import type { Model } from './model.ts'
import type { ModelInput } from './model-settings.ts'
import { inputOf, introspection, music, ready, type TableSketch } from './music.fixture.ts'
import { plain, sortedData } from './plain-model.fixture.ts'
import { chance, randomEdit, startInput } from './random-edits.fixture.ts'
import { tableIdOf } from './table-id.ts'
import { updateModel } from './update-model.ts'

test('a model updated edit by edit equals the one built from scratch, whatever the edits', () => {
  const liking = { customNames: (source: string, table: string) => [`${source}_${table.replace('.', '_')}`] }
  let inconsistent = 0
  for (let seed = 1; seed <= 8; seed++) {
    const random = chance(seed)
    let input = startInput()
    let model = updateModel(null, input)
    for (let step = 1; step <= 60; step++) {
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
  assert.ok(inconsistent > 2000, 'the edits must lead into inconsistencies, or the test shows little')
})

test('whatever tables want the same names, each name has one owner and who was served keeps it', () => {
  const wanted = ['n', 'n_one', 'n_aggregate', 'm', 'm_bool_exp', 'k']
  let clashes = 0
  for (let seed = 100; seed < 115; seed++) {
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
      for (const { id, graphql, served } of before.graph.nodes.values()) {
        if (!served) continue
        const now = model.graph.nodes.get(id)
        if (now?.graphql === graphql) assert.ok(now.served, `${place}: ${id} lost its names`)
      }
      clashes += model.faults.filter((fault) => fault.names.length > 0).size
    }
  }
  assert.ok(clashes > 100, 'the edits must lead into clashes, or the test shows little')
})

function checkOwners(model: Model, place: string): void {
  const owned = [...model.tables.values()].flatMap((table) =>
    table.rootFields.map(({ kind, name }) => [name, { kind, table: table.id }] as const),
  )
  assert.deepEqual(sortedData(model.roots.query), sortedData(new Map(owned)), place)
  assert.equal(model.roots.query.size, owned.length, `${place}: a name is served twice`)
  for (const { graphql, id, served } of model.graph.nodes.values()) {
    if (!served || !graphql.alias) continue
    const owner = model.roots.query.get(graphql.alias.name)
    assert.ok(owner, `${place}: no table has ${graphql.alias.name}, so ${id} should`)
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

const album = tableAddress('default', { schema: 'public', name: 'album' })
const artist = tableAddress('default', { schema: 'public', name: 'artist' })
const role = (type: ObjectType, name: string, parent = album) => address(type, ownKey(type, { role: name }), parent)

/** Two tables, a relationship each way, and three permissions of which `by_name` looks into the other table. */
const store = () =>
  inputOf([
    {
      table: 'artist',
      array_relationships: [
        { name: 'albums', using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } } },
      ],
      select_permissions: [{ role: 'all', permission: { columns: '*', filter: {} } }],
    },
    {
      table: 'album',
      object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
      select_permissions: [
        { role: 'all', permission: { columns: '*', filter: {} } },
        { role: 'by_name', permission: { columns: ['title'], filter: { artist: { name: 'X-Svc-Name' } } } },
      ],
    },
  ])

/** How many objects one edit resolves again, and whose reference changed. */
function edited(edit: (input: ModelInput) => ModelInput) {
  const before = updateModel(null, store())
  const after = updateModel(before, edit(before.input))
  const ids = [...after.tables.keys()].filter((id) => before.tables.get(id) !== after.tables.get(id)).sort()
  return { before, after, rebuilt: after.rebuilt, tables: ids.map((id) => id.replace('default/public.', '')) }
}

const inDocument = (edit: (document: MetadataDocument) => MetadataDocument) => (input: ModelInput) => ({
  ...input,
  document: edit(input.document),
})

const inDatabase = (sketches: Readonly<Record<string, TableSketch>>) => (input: ModelInput) => ({
  ...input,
  sources: new Map([['default', ready('default', introspection({ ...music, ...sketches }))]]),
})

test('a first build resolves every object once', () => {
  assert.equal(updateModel(null, store()).rebuilt, 1 + 2 + 2 + 3)
})

test('nothing changed, nothing is resolved', () => {
  const { before, after, rebuilt } = edited((input) => ({ ...input, sources: new Map(input.sources) }))
  assert.equal(rebuilt, 0)
  for (const key of ['tables', 'functions', 'roles', 'inconsistencies', 'faults'] as const)
    assert.equal(after[key], before[key], key)
})

test('a new permission is the only object that is resolved', () => {
  const value = { role: 'new', permission: { columns: '*', filter: {} } }
  const { rebuilt, tables, after } = edited(
    inDocument((document) => setValue(document, role('select_permission', 'new'), value)),
  )
  assert.deepEqual([rebuilt, tables], [1, ['album']])
  assert.deepEqual([...after.roles], ['all', 'by_name', 'new'])
})

test('a custom name resolves only its table, and no permission', () => {
  const configuration = { custom_name: 'record', column_config: {}, custom_column_names: {}, custom_root_fields: {} }
  const { rebuilt, tables } = edited(
    inDocument((document) => setValue(document, album, { table: { name: 'album', schema: 'public' }, configuration })),
  )
  assert.deepEqual([rebuilt, tables], [1, ['album']])
})

test('a relationship resolves the permissions that use it, and no other permission', () => {
  const at = address('object_relation', ownKey('object_relation', { name: 'artist' }), album)
  const using = { foreign_key_constraint_on: 'producer_id' }
  const { rebuilt, tables } = edited(inDocument((document) => setValue(document, at, { name: 'artist', using })))
  assert.deepEqual([rebuilt, tables], [2, ['album']])
})

test('a relationship that means the same as before resolves nothing else', () => {
  const at = address('object_relation', ownKey('object_relation', { name: 'artist' }), album)
  const using = { foreign_key_constraint_on: 'artist_id' }
  const { rebuilt, tables } = edited(
    inDocument((document) => setValue(document, at, { name: 'artist', using, comment: 'who made it' })),
  )
  assert.deepEqual([rebuilt, tables], [1, []])
})

test('a table read again that is as it was resolves itself only and keeps its reference', () => {
  const { rebuilt, tables } = edited(inDatabase({}))
  assert.deepEqual([rebuilt, tables], [1 + 2, []])
})

test('a new column resolves what reads its table', () => {
  const columns = { ...music.artist?.columns, id: 'int4 not null', died: 'date' }
  const { rebuilt, after } = edited(inDatabase({ artist: { columns, key: ['id'] } }))
  // the source, both tables (both were read), both relationships, the permission of artist and by_name
  assert.equal(rebuilt, 1 + 2 + 2 + 2)
  assert.ok(after.tables.get('default/public.artist')?.selectPermissions.get('all')?.columns.has('died'))
})

test('an untracked table takes along what leads to it, step by step', () => {
  const { after, rebuilt } = edited(inDocument((document) => removeObject(document, artist)))
  assert.deepEqual([...after.inconsistencies.values()].map(({ name }) => name).sort(), [
    'object_relation artist in table album in source default',
    'select_permission by_name in table album in source default',
  ])
  assert.equal(rebuilt, 2)
})

test('what was broken is whole again when what it needs is back', () => {
  const { before, after } = edited(inDocument((document) => removeObject(document, artist)))
  const mended = updateModel(after, before.input)
  assert.deepEqual(plain(mended), plain(before))
})

test('<n>_one yields to another root field of that name, and is there again after it', () => {
  const named = (custom_name: string): JsonObject => ({
    custom_name,
    column_config: {},
    custom_column_names: {},
    // insert_n_one would be a clash of its own
    custom_root_fields: { insert: `add_to_${custom_name}` },
  })
  const track = tableAddress('default', { schema: 'public', name: 'track' })
  const rename = (name: string) => (document: MetadataDocument) =>
    setValue(document, track, { table: { name: 'track', schema: 'public' }, configuration: named(name) })
  const edit = inDocument((document) =>
    rename('song')(
      setValue(document, album, { table: { name: 'album', schema: 'public' }, configuration: named('n') }),
    ),
  )
  const first = updateModel(null, edit(store()))
  const owner = (model: Model) => model.roots.query.get('n_one')
  assert.deepEqual(owner(first), { kind: 'select_one', table: 'default/public.album' })
  const second = updateModel(first, inDocument(rename('n_one'))(first.input))
  assert.deepEqual(owner(second), { kind: 'select', table: 'default/public.track' })
  assert.ok(!second.tables.get('default/public.album')?.rootFields.some(({ kind }) => kind === 'select_one'))
  const third = updateModel(second, inDocument(rename('song'))(second.input))
  assert.deepEqual(owner(third), { kind: 'select_one', table: 'default/public.album' })
})
