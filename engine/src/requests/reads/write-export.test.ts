import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  putObject,
  readMetadata,
  removeObject,
  tableAddress,
  writeMetadata,
} from '@svc/schema'
import type { WrittenJson } from '../../json-bytes/index.ts'
import { finish } from '../../long-work.ts'
import { writeExport } from './write-export.ts'

const source = (name: string, tables: number, filter: JsonObject = {}) => ({
  name,
  kind: 'postgres',
  tables: Array.from({ length: tables }, (_, i) => ({
    table: { name: `t${i}`, schema: 'public' },
    select_permissions: [{ role: 'guest', permission: { columns: ['id'], filter } }],
  })),
  functions: [{ function: { name: 'f', schema: 'public' } }],
  configuration: { connection_info: { database_url: 'postgres://localhost/x' } },
})

test('an export in pieces is the text of its value, with and without tables that the caller has', () => {
  for (const sources of [[], [source('a', 0)], [source('a', 300), source('b', 1)]]) {
    const read = readMetadata({ version: 3, sources, rest_endpoints: [] })
    assert.ok(read.ok)
    const even = ({ type, value }: MetadataObject) =>
      type === 'table' && /[02468]"/.test(JSON.stringify(value)) ? { known: 'hash' } : undefined
    for (const known of [() => undefined, even]) {
      const around = (metadata: JsonObject): JsonObject => ({ resource_version: 1, metadata })
      const written: WrittenJson = finish(writeExport(read.document, known, around))
      const text = Buffer.concat(written.pieces).toString()
      assert.equal(text, JSON.stringify(written.toJSON()))
      assert.equal(text.includes('"known"'), sources.length === 2 && known === even)
    }
  }
})

test('an export writes again only what is near a change, and is the text of its value', () => {
  const read = readMetadata({ version: 3, sources: [source('a', 600, { id: { _eq: 'x'.repeat(1000) } })] })
  assert.ok(read.ok)
  let { document } = read
  const around = (metadata: JsonObject) => metadata
  const write = () => finish(writeExport(document, () => undefined, around)).pieces
  let before = write()
  assert.ok(before.length > 8)
  const named = (name: string) => tableAddress('a', { name, schema: 'public' })
  const table = (name: string): MetadataObject => ({
    type: 'table',
    value: { table: { name, schema: 'public' }, is_enum: true },
    children: {},
  })
  const changes: readonly (() => MetadataDocument)[] = [
    () => putObject(document, named('t150'), table('t150')),
    () => removeObject(document, named('t2')),
    () => putObject(document, named('t150a'), table('t150a')),
    // the first and the last one
    () => putObject(document, named('t0'), table('t0')),
    () => removeObject(document, named('t99')),
  ]
  for (const change of changes) {
    document = change()
    const after = write()
    const text = Buffer.concat(after).toString()
    assert.equal(text, JSON.stringify(writeMetadata(document)))
    const isNew = (piece: Buffer) => piece.length > 1000 && !before.includes(piece)
    assert.ok(after.filter(isNew).length <= 2, `${after.filter(isNew).length} pieces`)
    before = after
  }
})
