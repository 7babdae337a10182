import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, type MetadataObject, readMetadata } from '@svc/schema'
import type { WrittenJson } from '../../json-bytes/index.ts'
import { finish } from '../../long-work.ts'
import { writeExport } from './write-export.ts'

const source = (name: string, tables: number) => ({
  name,
  kind: 'postgres',
  tables: Array.from({ length: tables }, (_, i) => ({
    table: { name: `t${i}`, schema: 'public' },
    select_permissions: [{ role: 'guest', permission: { columns: ['id'], filter: {} } }],
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
