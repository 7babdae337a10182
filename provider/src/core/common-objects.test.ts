import assert from 'node:assert/strict'
import test from 'node:test'
import {
  hashedTypes,
  hashOfExport,
  type Json,
  type JsonObject,
  type MetadataDocument,
  objectKinds,
  readMetadata,
  writeMetadata,
  writeObject,
} from '@svc/schema'
import { declaresAgain, hashObjects, withoutCommon } from './common-objects.ts'
import { type PlannedChange, planChanges } from './plan.ts'

function documentOf(json: Json, known?: MetadataDocument): MetadataDocument {
  const read = readMetadata(json, known)
  assert.ok(read.ok, read.ok ? '' : read.issue.message)
  return read.document
}

/** What an engine answers that is asked with hashes. */
function answerOf(document: MetadataDocument, known: ReadonlySet<string>): JsonObject {
  return writeMetadata(document, {
    object(object) {
      if (!(hashedTypes as readonly string[]).includes(object.type)) return undefined
      const hash = hashOfExport(writeObject(object))
      return known.has(hash) ? { ...objectKinds[object.type].key(object.value), known: hash } : undefined
    },
  })
}

/** The plan of the parts that differ; null where they do not say it. */
function planOfParts(wanted: JsonObject, live: MetadataDocument) {
  const hashed = hashObjects(wanted)
  const parts = withoutCommon(wanted, answerOf(live, new Set(hashed.byHash.keys())), hashed)
  const left = documentOf(parts.live)
  const right = documentOf(parts.wanted, left)
  return { parts, plan: declaresAgain(right, parts.common) ? null : planChanges(left, right).changes }
}

const table = (name: string, ...roles: readonly string[]): JsonObject => ({
  table: { name, schema: 'public' },
  ...(roles.length > 0 && {
    select_permissions: roles.map((role) => ({ role, permission: { columns: ['id'], filter: {} } })),
  }),
})

const source = (name: string, tables: readonly Json[], functions: readonly Json[] = []): JsonObject => ({
  name,
  kind: 'postgres',
  configuration: { connection_info: { database_url: { from_env: 'URL' } } },
  tables,
  ...(functions.length > 0 && { functions }),
})

const metadata = (...sources: readonly Json[]): JsonObject => ({ version: 3, sources })

/** As files have it: canonical, so that hashes are those of the engine. */
const declared = (json: JsonObject): JsonObject => writeMetadata(documentOf(json))

const tablesOf = ({ sources }: JsonObject): readonly Json[] =>
  (sources as readonly { readonly tables: readonly Json[] }[]).flatMap(({ tables }) => tables)

test('what both have is left out of both', () => {
  const json = declared(metadata(source('a', [table('x', 'user'), table('y')], [{ function: 'f' }])))
  const { parts, plan } = planOfParts(json, documentOf(json))
  assert.deepEqual(plan, [])
  assert.equal(parts.common.length, 3)
  for (const side of [parts.wanted, parts.live]) assert.doesNotMatch(JSON.stringify(side), /"name":"[xy]"|"f"|known/)
})

test('a table that another source of the project has is deleted with what it holds', () => {
  const live = documentOf(metadata(source('a', [table('x', 'user')]), source('b', [table('x', 'user')])))
  const wanted = declared(metadata(source('a', [table('x', 'user')]), source('b', [])))
  const { plan } = planOfParts(wanted, live)
  assert.deepEqual(
    plan?.map(({ change, name }) => `${change} ${name.name}`),
    ['delete select_permission user in table x in source b', 'delete table x in source b'],
  )
})

test('a table that is declared once more in other words is planned from all of it', () => {
  const live = documentOf(metadata(source('a', [table('x', 'user')])))
  const wanted = metadata(
    source('a', [...tablesOf(declared(metadata(source('a', [table('x', 'user')])))), { table: 'x' }]),
  )
  assert.equal(planOfParts(wanted, live).plan, null)
})

test('an object that two sources share by a YAML alias is left out of one of them only', () => {
  const tables = tablesOf(declared(metadata(source('a', [table('x')]))))
  const wanted = metadata(source('a', tables), source('b', tables))
  const { plan } = planOfParts(wanted, documentOf(metadata(source('a', tables), source('b', []))))
  assert.deepEqual(
    plan?.map(({ change, name }) => `${change} ${name.name}`),
    ['create table x in source b'],
  )
})

test('sources of one name, and text that is a session variable elsewhere, are always read', () => {
  const x = table('x')
  assert.equal(hashObjects(metadata(source('a', [x]), source('a', [x]))).byHash.size, 0)
  const foreign = { role: 'user', permission: { columns: [], filter: { owner: { _eq: 'X-Hasura-User-Id' } } } }
  assert.equal(hashObjects(metadata(source('a', [{ ...x, select_permissions: [foreign] }]))).byHash.size, 0)
})

const byName = (changes: readonly PlannedChange[] | null) =>
  changes?.toSorted((a, b) => (a.name.name < b.name.name ? -1 : 1))

test('parts have the plan of the wholes, whatever both have', () => {
  let state = 3
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
  const some = <T>(items: readonly T[]) => items.filter(() => random(3) > 0)
  const randomSource = (name: string) =>
    source(
      name,
      some(['x', 'y', 'z']).map((one) => table(one, ...some(['user', 'guest']).filter(() => random(3) === 0))),
      some(['f', 'g']).map((one) => ({ function: one, ...(random(3) === 0 && { comment: 'c' }) })),
    )
  const randomMetadata = () => metadata(...some(['a', 'b', 'c']).map(randomSource))
  let common = 0
  for (let i = 0; i < 300; i++) {
    const live = documentOf(randomMetadata())
    const wanted = declared(randomMetadata())
    const { parts, plan } = planOfParts(wanted, live)
    common += parts.common.length
    // siblings have no order in a plan
    assert.deepEqual(byName(plan), byName(planChanges(live, documentOf(wanted)).changes))
  }
  assert.ok(common > 300)
})
