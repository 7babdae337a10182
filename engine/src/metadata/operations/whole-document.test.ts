import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diffDocuments, emptyDocument, type JsonObject, type MetadataDocument, readMetadata } from '@svc/schema'
import { mssql, postgres } from '../../backends/index.ts'
import { Path } from '../../errors.ts'
import { LateLists, lateMembers, parseLong } from '../../exact-json/index.ts'
import { finish } from '../../long-work.ts'
import { replacements } from './whole-document.ts'

const operation = replacements([...postgres.kinds, ...mssql.kinds])[2]

const table = (name: string, comment: string, hasRemote: boolean) => ({
  table: name.endsWith('3') ? name : { schema: 'public', name },
  select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: { id: { _eq: comment } } } }],
  ...(hasRemote && {
    remote_relationships: [
      {
        name: 'there',
        definition: {
          to_source: { source: 'c', table: 't', relationship_type: 'object', field_mapping: { id: 'id' } },
        },
      },
    ],
  }),
})

const configurationOf = (kind: string) => ({
  connection_info:
    kind === 'mssql' ? { connection_string: 'Server=localhost' } : { database_url: 'postgres://localhost/a' },
})

/** Two databases with the same tables, and a third that some of them refer to. */
const metadata = (tables: readonly object[], others: readonly object[], kind: string) => ({
  version: 3,
  sources: [
    { name: 'a', kind: 'postgres', configuration: configurationOf('postgres'), tables },
    { name: 'b', kind, configuration: configurationOf(kind), tables: others },
    {
      name: 'c',
      kind,
      configuration: configurationOf(kind),
      tables: [{ table: { schema: 'public', name: 't' } }],
    },
  ],
})

interface Body {
  readonly sources: readonly { readonly tables: readonly object[] }[]
}

const parse = (text: string, lists: LateLists) =>
  finish(parseLong(Buffer.from(text), 1_000_000, () => new Error('too many'), lists)) as Body & JsonObject

const replaced = (before: MetadataDocument, json: JsonObject) =>
  operation
    .prepare({ metadata: json, allow_inconsistent_metadata: true }, Path.root, Path.root)
    .apply(before, {} as never).document

test('a document that follows another is read as if it were the first, whatever moved or changed', () => {
  const lists = new LateLists(['tables'])
  let document = emptyDocument
  let state = 7
  const random = (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
  let tables = Array.from({ length: 90 }, (_, i) => table(`t${i}`, 'same', i % 5 === 0))
  let kind = 'postgres'
  for (let round = 0; round < 60; round++) {
    const at = random(tables.length)
    const one = table(`t${random(200)}`, `round ${round}`, random(3) === 0)
    const edits = [
      () => tables,
      () => tables.toSpliced(at, 1, one),
      () => tables.toSpliced(at, 0, one),
      () => (tables.length > 80 ? tables.toSpliced(at, 3) : tables),
      () => [...tables.slice(at), ...tables.slice(0, at)],
      () =>
        tables.map((same, i) => (i === at ? (Object.fromEntries(Object.entries(same).reverse()) as typeof one) : same)),
    ]
    tables = (edits[random(edits.length)] ?? edits[0])?.() ?? tables
    if (random(6) === 0) kind = kind === 'postgres' ? 'mssql' : 'postgres'
    const text = JSON.stringify(
      metadata(tables, random(4) === 0 ? tables.toReversed() : tables, kind),
      null,
      random(8) === 0 ? 1 : 0,
    )
    if (random(4) === 0) assert.throws(() => parse(text.slice(0, random(text.length)), lists), SyntaxError)
    const fresh = readMetadata(JSON.parse(text))
    assert.ok(fresh.ok)
    const json = parse(text, lists)
    document = replaced(document, json)
    assert.deepEqual(diffDocuments(fresh.document, document), [], `round ${round}`)
    assert.deepEqual(JSON.parse(JSON.stringify(json)), JSON.parse(text), `round ${round}`)
  }
})

test('tables that are sent again as they were are not parsed again, of two databases with the same ones neither', () => {
  const lists = new LateLists(['tables'])
  const tables = Array.from({ length: 90 }, (_, i) => table(`t${i}`, 'same', false))
  const text = JSON.stringify(metadata(tables, tables, 'postgres'))
  const document = replaced(emptyDocument, parse(text, lists))
  const json = parse(text, lists)
  for (const { tables } of json.sources.slice(0, 2))
    for (const [at, member] of lateMembers(tables)?.entries() ?? [])
      if (member) Object.defineProperty(tables, at, { get: () => assert.fail('parsed') })
  assert.equal(replaced(document, json).children, document.children)
})

test('tables of an older form in a source of another kind are read again, since it spells names in its own style', () => {
  const lists = new LateLists(['tables'])
  const tables = Array.from({ length: 90 }, (_, i) => ({ table: `t${i}` }))
  const textOf = (tables: readonly object[]) =>
    JSON.stringify({
      version: 3,
      sources: [{ name: 'default', kind: 'mssql', configuration: configurationOf('mssql'), tables }],
    })
  const empty = replaced(emptyDocument, parse(textOf([]), lists))
  const older = replaced(empty, parse(JSON.stringify({ version: 2, tables }), lists))
  const fresh = readMetadata(JSON.parse(textOf(tables)))
  assert.ok(fresh.ok)
  assert.deepEqual(diffDocuments(fresh.document, replaced(older, parse(textOf(tables), lists))), [])
})
