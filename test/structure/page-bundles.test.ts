import assert from 'node:assert/strict'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** What a bundle for browsers still imports: modules of Node, and packages that are for Node alone. */
async function importsLeft(contents: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: ['node:*', ...builtinModules, '@grpc/*', 'commander', 'got'],
  })
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
}

for (const [what, contents] of [
  ['the catalogue of resources', `export * from './provider/src/resources/index.ts'`],
  [
    'what prints a project of Terraform or Pulumi',
    `export { adoptDocument, pulumiFiles, terraformFiles } from './provider/src/adopt/index.ts'`,
  ],
] as const)
  test(`${what} needs nothing of Node: a page can use it`, async () => {
    assert.deepEqual(await importsLeft(contents), [])
  })

test('a module of Node behind a page is found', async () => {
  const left = await importsLeft(`export { readMetadataFrom } from './provider/src/directory/index.ts'`)
  assert.ok(left.includes('node:fs/promises'))
})
