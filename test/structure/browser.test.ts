import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

test('the schema is bundled for a browser: it imports nothing of Node, and reads and writes metadata there', async () => {
  const { outputFiles, warnings } = await build({
    entryPoints: ['schema/src/index.ts'],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'schema',
    write: false,
    logLevel: 'silent',
  })
  assert.deepEqual(warnings, [])
  const [{ text }] = outputFiles as [(typeof outputFiles)[number]]
  // what a page has of it: neither process nor Buffer
  const page = createContext({ crypto: globalThis.crypto, console })
  const written = runInContext(
    `${text}
    const read = schema.readMetadata({ version: 3, sources: [{ name: 'default', kind: 'pg', tables: [{ table: 'artist' }],
      configuration: { connection_info: { database_url: 'postgres://localhost/shop' } } }] })
    JSON.stringify(schema.writeMetadata(read.document).sources[0].tables)`,
    page,
  )
  assert.equal(written, '[{"table":{"name":"artist","schema":"public"}}]')
})
