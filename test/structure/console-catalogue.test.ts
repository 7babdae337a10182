import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Context, createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { pageOptions } from '../../console/build.ts'
import { catalogue, declaredValue, kindNamed, type Values } from '../../provider/src/resources/index.ts'
import { samples } from '../../provider/src/resources/samples.fixture.ts'

let page: Context

before(async () => {
  const { outputFiles } = await build({
    ...pageOptions,
    stdin: {
      contents: `export { catalogue, kindNamed, declaredValue } from './provider/src/resources/index.ts'`,
      resolveDir: `${import.meta.dirname}/../..`,
      loader: 'ts',
    },
    format: 'iife',
    globalName: 'page',
    legalComments: 'none',
    write: false,
  })
  const [{ text }] = outputFiles as [(typeof outputFiles)[number]]
  page = createContext({ crypto: globalThis.crypto, console })
  runInContext(text, page)
})

const inPage = (expression: string) => JSON.parse(String(runInContext(`JSON.stringify(${expression})`, page)))

test('the console has the catalogue of the provider, to the last word', () => {
  assert.deepEqual(
    inPage('page.catalogue.map(({ kind, attributes }) => [kind, attributes])'),
    JSON.parse(JSON.stringify(catalogue.map(({ kind, attributes }) => [kind, attributes]))),
  )
})

/** Values in which one is of no type that any attribute has, and one too many stands. */
const damaged = (values: Values): readonly Values[] => [
  values,
  ...Object.keys(values).map((name) => ({ ...values, [name]: [[{ never: true }]] })),
]

test('the console reads values of every kind as the provider does, right and wrong ones', () => {
  const given = samples('postgres://svc:secret@db/music').flatMap(({ kind, base, changes, respelled }) =>
    [base, ...[...Object.values(changes), ...respelled].map((patch) => ({ ...base, ...patch }))]
      .flatMap((values, index) => (index === 0 ? damaged(values) : [values]))
      .map((values) => [kind, values] as const),
  )
  const readAll = ([name, values]: (typeof given)[number]) => {
    const kind = kindNamed(name)
    try {
      return kind?.canonical(declaredValue(kind, values, 'text'))
    } catch (error) {
      return (error as Error).message
    }
  }
  const read = inPage(`${JSON.stringify(given)}.map(([name, values]) => {
    const kind = page.kindNamed(name)
    try {
      return kind.canonical(page.declaredValue(kind, values, 'text'))
    } catch (error) {
      return error.message
    }
  })`) as readonly unknown[]
  assert.ok(given.length > 300)
  for (const [index, one] of given.entries())
    assert.deepEqual(read[index], JSON.parse(JSON.stringify(readAll(one))), JSON.stringify(one))
})
