import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { pageOptions } from '../../console/build.ts'
import { catalogue } from '../../provider/src/resources/index.ts'

test('the console has the catalogue of the provider, to the last word, without what checks values', async () => {
  const { outputFiles } = await build({
    ...pageOptions,
    stdin: {
      contents: `export { catalogue } from './provider/src/resources/index.ts'`,
      resolveDir: `${import.meta.dirname}/../..`,
      loader: 'ts',
    },
    format: 'iife',
    globalName: 'page',
    legalComments: 'none',
    write: false,
  })
  const [{ text }] = outputFiles as [(typeof outputFiles)[number]]
  const shown = runInContext(
    `${text}
    JSON.stringify(page.catalogue.map(({ kind, attributes }) => [kind, attributes]))`,
    createContext({ crypto: globalThis.crypto, console }),
  ) as string
  assert.deepEqual(
    JSON.parse(shown),
    JSON.parse(JSON.stringify(catalogue.map(({ kind, attributes }) => [kind, attributes]))),
  )
})
