import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectType,
  ownKey,
  putObject,
  removeObject,
  sourceAddress,
} from '@svc/schema'
import type { DatabaseFunction, QueryVerdict } from '../backends/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { ModelInput } from './model-settings.ts'
import { baseType } from './music.fixture.ts'
import { plain } from './plain-model.fixture.ts'
import { type Chance, chance, randomEdit, startInput } from './random-edits.fixture.ts'
import { functionOwn } from './table-id.ts'
import { updateModel } from './update-model.ts'

const sources = ['default', 'other'] as const
const tables = ['a', 'b', 'c']
/** Of logical models, native queries and functions: some are names of tables, or of types of theirs. */
const names = ['m', 'n', 'q', 'default_a', 'default_a_bool_exp', 'q_arguments', 'n_bool_exp']
const custom = (source: string, table: string) => [`${source}_${table.replace('.', '_')}`]

function put(document: MetadataDocument, at: ObjectAddress, value: JsonObject): MetadataDocument {
  if (at.parent && !findObject(document, at.parent)) return document
  return putObject(document, at, { type: at.type, value, children: findObject(document, at)?.children ?? {} })
}

const below = (type: ObjectType, key: JsonObject, parent: ObjectAddress) => address(type, ownKey(type, key), parent)

function randomFields(random: Chance): readonly JsonObject[] {
  const scalar = { name: 'id', type: { scalar: random.one(['integer', 'integer', 'odd']) } }
  const nested = { name: 'inner', type: { logical_model: random.one(names) } }
  const list = { name: 'inner', type: { array: { logical_model: random.one(names) } } }
  return random.one<readonly JsonObject[]>([[scalar], [scalar], [scalar], [scalar, nested], [scalar, list]])
}

function randomRelationships(random: Chance): JsonObject {
  const mapped = { column_mapping: { id: 'id' } }
  const toTable = { remote_table: { schema: 'public', name: random.one(tables) }, ...mapped }
  const toQuery = { remote_native_query: random.one(names), ...mapped }
  const one = () => ({
    name: random.one(['up', 'up', 'side']),
    using: { manual_configuration: random.one<JsonObject>([toTable, toQuery, toQuery]) },
  })
  return random.one<JsonObject>([{}, {}, { object_relationships: [one()] }, { array_relationships: [one()] }])
}

function editDocument(document: MetadataDocument, random: Chance): MetadataDocument {
  const source = sourceAddress(random.one(sources))
  if (!findObject(document, source)) return document
  const name = random.one(names)
  const model = below('logical_model', { name }, source)
  const query = below('native_query', { root_field_name: name }, source)
  const drop = (at: ObjectAddress) => (findObject(document, at) ? removeObject(document, at) : document)
  switch (random.below(8)) {
    case 0:
      return drop(random.one([model, query]))
    case 1:
    case 2:
      return put(document, model, { name, fields: randomFields(random) })
    case 3: {
      const role = random.one(['user', 'editor'])
      const permission = { columns: random.one(['*', ['id'], ['inner']]), filter: {} }
      return put(document, below('logical_model_select_permission', { role }, model), { role, permission })
    }
    case 4: {
      const called = { schema: 'public', name: random.one(['f', 'g']) }
      const at = below('function', { function: called }, source)
      const exposed = random.one<JsonObject>([{}, { exposed_as: 'query' }, { exposed_as: 'query' }])
      return random.below(4) === 0
        ? drop(at)
        : put(document, at, { function: called, configuration: { custom_name: name, ...exposed } })
    }
    default: {
      const inPlace = { fields: randomFields(random), select_permissions: [] }
      return put(document, query, {
        root_field_name: name,
        code: 'SELECT 1 AS id',
        returns: random.one<string | JsonObject>([random.one(names), random.one(names), random.one(names), inPlace]),
        ...(random.below(3) === 0 && { arguments: { x: { type: random.one(['integer', 'odd']), nullable: false } } }),
        ...randomRelationships(random),
      })
    }
  }
}

const databaseFunction = (name: string): DatabaseFunction => ({
  function: { schema: 'public', name },
  description: null,
  volatility: 'volatile',
  variadic: false,
  arguments: [{ name: 'word', type: baseType('text'), hasDefault: false }],
  returns: { type: { schema: 'public', name: 'a', kind: 'composite', array: false }, set: true },
  oid: name,
})

const functions = new Map(
  ['f', 'g'].map((name) => {
    const one = databaseFunction(name)
    return [functionOwn(one.function), { name: one.function, overloads: [one] }] as const
  }),
)

function randomQueries(random: Chance): SourceState['queries'] {
  const definition = { code: '', arguments: [] } as never
  const verdict = (): QueryVerdict =>
    random.one<QueryVerdict>([{ status: 'unchecked' }, { status: 'unchecked' }, { status: 'refused', reason: 'no' }])
  return {
    checked: new Map(names.slice(0, 3).map((name) => [name, { definition, verdict: verdict() }])),
    types: new Map([
      ['integer', baseType('int4')],
      ['odd', random.below(2) === 0 ? null : baseType('interval')],
    ]),
  }
}

function edit(input: ModelInput, random: Chance, queries: ReadonlyMap<string, SourceState['queries']>): ModelInput {
  const next =
    random.below(4) === 0
      ? randomEdit(input, random, { customNames: custom })
      : { ...input, document: editDocument(input.document, random) }
  const states = [...next.sources].map(([name, state]) => {
    const asked = queries.get(name) ?? state.queries
    const known = state.functions === functions && state.queries === asked
    return [name, known ? state : { ...state, functions, queries: asked }] as const
  })
  return { ...next, sources: new Map(states) }
}

test('a model with logical models and native queries, updated edit by edit, equals the one built from scratch', () => {
  const served = { queries: 0, rows: 0, relationships: 0, functions: 0, clashes: 0 }
  for (let seed = 1; seed <= 6; seed++) {
    const random = chance(seed)
    let queries = new Map(sources.map((name) => [name as string, randomQueries(random)] as const))
    let input = startInput()
    let model = updateModel(null, input)
    for (let step = 1; step <= 80; step++) {
      for (let edits = random.below(4); edits >= 0; edits--) {
        if (random.below(6) === 0) queries = new Map([...queries, [random.one(sources), randomQueries(random)]])
        input = edit(input, random, queries)
      }
      model = updateModel(model, input)
      assert.deepEqual(plain(model), plain(updateModel(null, input)), `seed ${seed}, step ${step}`)
      const rows = [...model.logicalRows.values()]
      served.queries += model.nativeQueries.size
      served.rows += rows.length
      served.relationships += rows.reduce((sum, { relationships }) => sum + relationships.size, 0)
      served.functions += model.functions.size
      served.clashes += model.faults.filter(({ cause }) => cause === 'clash').size
    }
  }
  for (const [what, count] of Object.entries(served)) assert.ok(count > 50, `${what}: ${count}`)
})
