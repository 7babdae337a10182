/**
 * `npm run bench -- metadata preview [TABLES] [ROLES]`: what a preview costs at 5,000 tables x 10 roles, of a changed permission and of a
 * table of all roles, and what the model of a draft takes, in time and memory. No database: `large drafts` asks a real engine.
 */
import { loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  address,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectType,
  ownKey,
  putObject,
  removeObject,
  setValue,
  tableAddress,
} from '@svc/schema'
import { defaultGraphqlSettings, parseDocument, planOperation, roleSchema } from '../../engine/src/graphql/index.ts'
import { finish } from '../../engine/src/long-work.ts'
import { type Model, type ModelInput, updateModel } from '../../engine/src/model/index.ts'
import { databaseTable, documentOf, ready, settings, sourceOf } from '../../engine/src/model/music.fixture.ts'
import { tableOwn } from '../../engine/src/model/table-id.ts'
import { describePreview } from '../../engine/src/preview/index.ts'

const [tables = 5000, roles = 10] = process.argv
  .slice(2)
  .filter((one) => one !== 'preview')
  .map(Number)
const rounds = 60
const columns = { id: 'int4 not null', name: 'text not null', owner: 'text', parent_id: 'int4', price: 'numeric' }
const extra = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`c${i}`, 'text']))
const all = Object.keys({ ...columns, ...extra })
const named = (i: number) => ({ name: `t${i}`, schema: 'public' })
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
const own = { owner: { _eq: 'X-Svc-User-Id' } }
const names = Array.from({ length: roles }, (_, role) => `role_${role}`)

function table(i: number): JsonObject {
  const permissions = (permission: JsonObject) => names.map((role) => ({ role, permission }))
  const below = { remote_table: named((i * 3 + 1) % tables), column_mapping: { id: 'parent_id' } }
  return {
    table: named(i),
    object_relationships: [{ name: 'parent', using: { foreign_key_constraint_on: 'parent_id' } }],
    array_relationships: [{ name: 'children', using: { manual_configuration: below } }],
    select_permissions: names.map((role, n) => ({
      role,
      permission: { columns: all.slice(0, 5 + (n % 3)), filter: n < 3 ? { parent: own } : own },
    })),
    insert_permissions: permissions({ columns: ['name'], check: own }),
    update_permissions: permissions({ columns: ['name'], filter: own, check: null }),
    delete_permissions: permissions({ filter: own }),
  }
}

const made = Array.from({ length: tables }, (_, i) =>
  databaseTable(`t${i}`, {
    columns: { ...columns, ...extra },
    key: ['id'],
    references: { parent_id: `t${Math.floor(i / 10)}:id` },
  }),
)
const introspection = { tables: new Map(made.map((one) => [tableOwn(one.table), one])), serverVersion: 150000 }
const document = documentOf({
  version: 3,
  sources: [
    sourceOf(
      'default',
      made.map((_, i) => table(i)),
    ),
  ],
})
const input: ModelInput = { document, settings, sources: new Map([['default', ready('default', introspection)]]) }
const model = updateModel(null, input)
console.log(`load ${loadavg().map((load) => load.toFixed(1))}`)

const below = (i: number, type: ObjectType, role: string) =>
  address(type, ownKey(type, { role }), tableAddress('default', named(i)))
const permission = (at: MetadataDocument, i: number, of: JsonObject) =>
  setValue(at, below(i, 'select_permission', 'role_5'), { role: 'role_5', permission: of })

const changes: Readonly<Record<string, (at: MetadataDocument, i: number) => MetadataDocument>> = {
  'another filter': (at, i) =>
    permission(at, i, { columns: all.slice(0, 7), filter: { _or: [own, { id: { _lt: 5 } }] } }),
  'a column less': (at, i) => permission(at, i, { columns: all.slice(0, 6), filter: own }),
  'the only column of a type less': (at, i) =>
    permission(at, i, { columns: all.slice(0, 7).filter((name) => name !== 'price'), filter: own }),
  'a permission dropped': (at, i) => removeObject(at, below(i, 'select_permission', 'role_5')),
  'a table of all roles untracked': (at, i) => removeObject(at, tableAddress('default', named(i))),
  'a table of all roles renamed': (at, i) => {
    const object = findObject(at, tableAddress('default', named(i)))
    if (!object) return at
    const value = { ...object.value, configuration: { custom_name: `x${i}` } }
    return putObject(at, tableAddress('default', named(i)), { ...object, value: value as never })
  },
}

for (const [what, change] of Object.entries(changes)) {
  const times: number[] = []
  const cpu: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const i = 1 + tables / 10 + ((round * 7) % (tables / 2))
    const next = updateModel(model, { ...input, document: change(document, i) })
    const [start, before] = [performance.now(), process.cpuUsage()]
    const preview = finish(describePreview(model, next))
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
    bytes = JSON.stringify(preview).length
  }
  console.log(`${what}: ${figuresOf(times)}, median of its CPU ${median(cpu).toFixed(1)} ms, ${bytes} bytes`)
}

function figuresOf(times: readonly number[]): string {
  const [first = 0] = times
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)
  return `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, first ${first.toFixed(1)} ms`
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

/** What clients of two roles ask a model: without it, nothing of their schemas is made. */
function ask(of: Model, i: number): void {
  const document = parseDocument(`{ t${i}(limit: 1) { id name parent { id } } }`, defaultGraphqlSettings)
  for (const role of ['role_4', 'role_5'])
    planOperation({ document, operationName: null, variables: {} }, roleSchema(of, role), defaultGraphqlSettings)
}

const drafts = 16
const draftChanges = {
  'another filter': changes['another filter'],
  'a table of all roles untracked': changes['a table of all roles untracked'],
}
for (const [what, change] of Object.entries(draftChanges)) {
  if (!change) continue
  ask(model, 1)
  const times: number[] = []
  const models: Model[] = []
  const before = heap()
  for (let i = 0; i < drafts; i++) {
    const next = change(document, 2 + tables / 10 + i * 11)
    const start = performance.now()
    const made = updateModel(model, { ...input, document: next })
    ask(made, 1)
    times.push(performance.now() - start)
    models.push(made)
  }
  const each = (heap() - before) / models.length / 1e6
  console.log(`the model of a draft with two queries, ${what}: ${figuresOf(times)}, ${each.toFixed(2)} MB`)
}
