import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  putObject,
  removeObject,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import type { DatabaseFunction } from '../backends/index.ts'
import type { SourceFunctions } from '../sources/index.ts'
import type { ModelInput } from './model-settings.ts'
import { baseType } from './music.fixture.ts'
import { plain } from './plain-model.fixture.ts'
import { type Chance, chance, randomEdit, startInput } from './random-edits.fixture.ts'
import { functionOwn } from './table-id.ts'
import { updateModel } from './update-model.ts'

const names = ['f', 'g', 'h', 'k'].map((name) => ({ schema: 'public', name }))
const tables = ['a', 'b', 'c', 'd']
const fields = ['x', 'up', 'computed', 'rows', 'down_aggregate']

const composite = (name: string) => ({ schema: 'public', name, kind: 'composite', array: false }) as const

function randomFunction(random: Chance, name: (typeof names)[number]): DatabaseFunction {
  const rows = random.below(2) === 0
  return {
    function: name,
    description: null,
    volatility: random.one(['stable', 'stable', 'stable', 'volatile'] as const),
    variadic: false,
    arguments: random.below(3) === 0 ? [] : [{ name: null, type: composite(random.one(tables)), hasDefault: false }],
    returns: rows
      ? { type: composite(random.one([...tables, 'nowhere'])), set: random.below(2) === 0 }
      : { type: baseType(random.one(['text', 'int4', 'interval'])), set: false },
    oid: String(random.below(1000)),
  }
}

const startFunctions = (): SourceFunctions =>
  new Map(names.map((name) => [functionOwn(name), { name, overloads: [] }] as const))

function editFunctions(functions: SourceFunctions, random: Chance): SourceFunctions {
  const name = random.one(names)
  const count = random.one([0, 1, 1, 1, 1, 2])
  const overloads = Array.from({ length: count }, () => randomFunction(random, name))
  return new Map([...functions, [functionOwn(name), { name, overloads }]])
}

function put(document: MetadataDocument, at: ObjectAddress, value: object): MetadataDocument {
  const children = findObject(document, at)?.children ?? {}
  return putObject(document, at, { type: at.type, value: value as never, children })
}

const removed = (document: MetadataDocument, at: ObjectAddress): MetadataDocument =>
  findObject(document, at) ? removeObject(document, at) : document

function editDocument(document: MetadataDocument, random: Chance): MetadataDocument {
  const source = random.one(['default', 'other'])
  const called = random.one(names)
  const at = address('function', ownKey('function', { function: called }), sourceAddress(source))
  if (!findObject(document, sourceAddress(source))) return document
  const kind = random.below(9)
  if (kind === 0) return removed(document, at)
  if (kind < 3) {
    const configuration = random.below(2) === 0 ? null : { custom_name: random.one(['n', 'default_a', 'm']) }
    return put(document, at, { function: called, ...(configuration && { configuration }) })
  }
  if (kind === 3) {
    if (!findObject(document, at)) return document
    const role = random.one(['user', 'user', 'both'])
    return put(document, address('function_permission', role, at), { role })
  }
  const table = tableAddress(source, { schema: 'public', name: random.one(tables) })
  if (!findObject(document, table)) return document
  if (kind === 8) {
    const role = random.one(['user', 'user', 'editor'])
    const permission = { columns: '*', filter: {} }
    return put(document, address('select_permission', ownKey('select_permission', { role }), table), {
      role,
      permission,
    })
  }
  const name = random.one(fields)
  const field = address('computed_field', ownKey('computed_field', { name }), table)
  if (kind < 7) return put(document, field, { name, definition: { function: called } })
  return removed(document, field)
}

/** Every kind of edit, with the functions that the databases are said to have. */
function edit(input: ModelInput, random: Chance, functions: ReadonlyMap<string, SourceFunctions>): ModelInput {
  const kind = random.below(3)
  const next =
    kind === 0
      ? randomEdit(input, random, { customNames: (source, table) => [`${source}_${table.replace('.', '_')}`] })
      : { ...input, document: editDocument(input.document, random) }
  const sources = [...next.sources].map(([name, state]) => {
    const known = functions.get(name) ?? new Map()
    return [name, state.functions === known ? state : { ...state, functions: known }] as const
  })
  return { ...next, sources: new Map(sources) }
}

test('a model with computed fields and functions, updated edit by edit, equals the one built from scratch', () => {
  const served = { fields: 0, functions: 0, permissions: 0 }
  for (let seed = 1; seed <= 8; seed++) {
    const random = chance(seed)
    let functions = new Map(['default', 'other'].map((name) => [name, startFunctions()] as const))
    let input = edit(startInput(), random, functions)
    let model = updateModel(null, input)
    for (let step = 1; step <= 80; step++) {
      const previous = model
      for (let edits = random.below(4); edits >= 0; edits--) {
        const source = random.one(['default', 'other'])
        if (random.below(3) === 0)
          functions = new Map([...functions, [source, editFunctions(functions.get(source) ?? new Map(), random)]])
        input = edit(input, random, functions)
      }
      model = updateModel(previous, input)
      assert.deepEqual(plain(model), plain(updateModel(null, input)), `seed ${seed}, step ${step}`)
      served.functions += model.functions.size
      for (const table of model.tables.values()) served.fields += table.computedFields.size
      for (const { roles } of model.functions.values()) served.permissions += roles.size
    }
  }
  for (const [what, count] of Object.entries(served)) assert.ok(count > 10, `${what} must be served: ${count}`)
})
