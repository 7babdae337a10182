import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'
import { findViolations, importsOf } from './layout.ts'

const violationsOf = (path: string, text: string) => findViolations([{ path, text }])

test('every file of schema, engine and provider stands in a module, and imports downwards and through public APIs', () => {
  const paths = globSync('{schema,engine,provider}/{src,test}/**/*.ts').map((path) => path.split(sep).join('/'))
  assert.ok(paths.length > 0)
  assert.deepEqual(findViolations(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))), [])
})

test('what the layout allows is allowed', () => {
  const text = `
    import { ApiError } from '../errors.ts'
    import type { Select } from '../ir/index.ts'
    import { put } from './put.ts'
    import { z } from 'zod'
    import { tableName } from '@svc/schema'
    export * from './store/store.ts'`
  assert.deepEqual(violationsOf('engine/src/metadata/apply.ts', text), [])
})

const forbidden = [
  ['up the layers', 'engine/src/ir/select.ts', '../model/index.ts', 'it points up'],
  [
    'past a public API',
    'engine/src/model/table.ts',
    '../ir/select.ts',
    'the public API of that module is engine/src/ir/index.ts',
  ],
  [
    'past the public API of a backend',
    'engine/src/model/a.ts',
    '../backends/postgres/connect.ts',
    'the public API of that module is engine/src/backends/postgres/index.ts',
  ],
  [
    'up the folders of a module',
    'engine/src/graphql/types/type.ts',
    '../plan/context.ts',
    'it points up inside its module',
  ],
  ['its own public API', 'engine/src/ir/select.ts', './index.ts', 'inside a module no file imports its public API'],
  [
    'another package by path',
    'engine/src/main.ts',
    '../../schema/src/index.ts',
    'another package is imported by its name',
  ],
  ['the engine from the provider', 'provider/src/main.ts', '@svc/engine', 'provider may not import it'],
  ['the provider from the engine', 'engine/src/main.ts', '@svc/provider', 'engine may not import it'],
  ['inside a package', 'engine/src/main.ts', '@svc/schema/src/json.ts', 'a package is imported by its name alone'],
  [
    'the engine from a test of the provider',
    'provider/src/a.test.ts',
    '../../engine/src/main.ts',
    'another package is imported by its name',
  ],
  ['a test', 'engine/src/main.ts', './main.test.ts', 'only tests import tests'],
] as const

for (const [what, from, to, problem] of forbidden)
  test(`an import of ${what} is refused`, () => {
    for (const statement of [`import { a } from '${to}'`, `export * from "${to}"`, `import('${to}')`, `import '${to}'`])
      assert.deepEqual(violationsOf(from, statement), [`${from} imports ${to}: ${problem}`])
  })

test('a cycle of two modules is refused at the import that points up', () => {
  const files = [
    { path: 'engine/src/metadata/index.ts', text: `import { b } from '../model/index.ts'` },
    { path: 'engine/src/model/index.ts', text: `import { a } from '../metadata/index.ts'` },
  ]
  assert.deepEqual(findViolations(files), ['engine/src/metadata/index.ts imports ../model/index.ts: it points up'])
})

test('a file with a bad name, a folder for anything, an unlisted module and a default export are refused', () => {
  assert.deepEqual(violationsOf('engine/src/ir/SelectField.ts', ''), [
    'engine/src/ir/SelectField.ts is not in kebab-case',
  ])
  assert.deepEqual(violationsOf('engine/src/ir/utils/a.ts', ''), [
    'engine/src/ir/utils/a.ts is named after no one thing',
  ])
  assert.deepEqual(violationsOf('engine/src/cellar/a.ts', ''), [
    'engine/src/cellar/a.ts is in no module that test/structure/layout.ts lists',
  ])
  assert.deepEqual(violationsOf('engine/src/ir/a.ts', 'export default 1'), ['engine/src/ir/a.ts has a default export'])
})

test('an import over several lines is seen, the word in a sentence is not', () => {
  assert.deepEqual(importsOf(`import {\n  a,\n  type B,\n} from './a.ts'\nconst text = "we import from './b.ts'"`), [
    './a.ts',
  ])
})
