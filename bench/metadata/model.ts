/**
 * What the model costs at 5,000 tables x 11 roles with 4 permissions each: built from nothing, and per change.
 * Run: node bench/metadata/model.ts [tables] [roles]
 */
import {
  address,
  diffDocuments,
  type JsonObject,
  type MetadataDocument,
  type ObjectType,
  ownKey,
  removeObject,
  setValue,
  tableAddress,
} from '@svc/schema'
import type { Model, ModelInput } from '../../engine/src/model/index.ts'
import { updateModel } from '../../engine/src/model/index.ts'
import { databaseTable, documentOf, ready, settings, sourceOf } from '../../engine/src/model/music.fixture.ts'
import { tableOwn } from '../../engine/src/model/table-id.ts'

const [tables = 5000, roles = 11] = process.argv.slice(2).map(Number)

const columns = { id: 'int4 not null', name: 'text not null', owner: 'text', parent_id: 'int4', price: 'numeric' }
const extra = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`c${i}`, 'text']))

function database(count: number) {
  const made = Array.from({ length: count }, (_, i) =>
    databaseTable(`t${i}`, {
      columns: { ...columns, ...extra },
      key: ['id'],
      references: { parent_id: `t${Math.floor(i / 10)}:id` },
    }),
  )
  return { tables: new Map(made.map((table) => [tableOwn(table.table), table])), serverVersion: 150000 }
}

function table(i: number): JsonObject {
  const names = Array.from({ length: roles }, (_, role) => `role_${role}`)
  const filter = { owner: { _eq: 'X-Svc-User-Id' } }
  const all = Object.keys({ ...columns, ...extra })
  const permissions = (permission: JsonObject) => names.map((role) => ({ role, permission }))
  return {
    table: { schema: 'public', name: `t${i}` },
    object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
    array_relationships: [
      {
        name: 'twins',
        using: {
          manual_configuration: {
            remote_table: { schema: 'public', name: `t${i}` },
            column_mapping: { id: 'parent_id' },
          },
        },
      },
    ],
    select_permissions: names.map((role, n) => ({
      role,
      permission: { columns: all.slice(0, 5 + (n % 3)), filter: n < 3 ? { parent: filter } : filter },
    })),
    insert_permissions: permissions({ columns: ['name'], check: filter }),
    update_permissions: permissions({ columns: ['name'], filter, check: null }),
    delete_permissions: permissions({ filter }),
  }
}

function timed<T>(what: string, run: () => T): T {
  const start = performance.now()
  const used = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(used)
  console.log(
    `${what}: ${(performance.now() - start).toFixed(0)} ms, of the processor ${((user + system) / 1000).toFixed(0)} ms`,
  )
  return result
}

const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

const document = documentOf({
  version: 3,
  sources: [
    sourceOf(
      'default',
      Array.from({ length: tables }, (_, i) => table(i)),
    ),
  ],
})
const introspection = database(tables + 100)
const input: ModelInput = { document, settings, sources: new Map([['default', ready('default', introspection)]]) }
const before = heap()
const model = timed(`build ${tables} tables x ${roles} roles`, () => updateModel(null, input))
console.log(
  `${model.rebuilt} objects, ${model.inconsistencies.size} inconsistent, ${(heap() - before).toFixed(0)} MB of heap`,
)

const name = (i: number) => ({ name: `t${i}`, schema: 'public' })
const below = (i: number, type: ObjectType, key: JsonObject) =>
  address(type, ownKey(type, key), tableAddress('default', name(i)))

const changes: Readonly<Record<string, (at: MetadataDocument, i: number) => MetadataDocument>> = {
  'track a table': (at, i) =>
    setValue(at, tableAddress('default', name(tables + (i % 100))), { table: name(tables + (i % 100)) }),
  'untrack it': (at, i) => removeObject(at, tableAddress('default', name(tables + (i % 100)))),
  'create a permission': (at, i) =>
    setValue(at, below((i * 7) % tables, 'select_permission', { role: 'new' }), {
      role: 'new',
      permission: { columns: '*', filter: { parent: { name: { _eq: 'X-Svc-Name' } } } },
    }),
  'drop it': (at, i) => removeObject(at, below((i * 7) % tables, 'select_permission', { role: 'new' })),
  'a custom name': (at, i) =>
    setValue(at, tableAddress('default', name((i * 7) % tables)), {
      table: name((i * 7) % tables),
      configuration: { custom_name: `custom_${i}`, column_config: {}, custom_column_names: {}, custom_root_fields: {} },
    }),
  'drop a relationship that permissions use': (at, i) =>
    removeObject(at, below((i * 7) % tables, 'object_relation', { name: 'parent' })),
}

let current: Model = model
for (const [what, change] of Object.entries(changes)) {
  const times: number[] = []
  const diffs: number[] = []
  let rebuilt = 0
  for (let i = 0; i < 200; i++) {
    const next = { ...current.input, document: change(current.input.document, i) }
    const start = performance.now()
    diffDocuments(current.input.document, next.document)
    const compared = performance.now()
    current = updateModel(current, next)
    diffs.push(compared - start)
    times.push(performance.now() - compared)
    rebuilt += current.rebuilt
  }
  console.log(
    `${what}: median ${median(times)} ms, of which the comparison of documents ${median(diffs)} ms; ${(rebuilt / 200).toFixed(1)} objects each`,
  )
}

function median(times: readonly number[]): string {
  return (times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(3)
}
