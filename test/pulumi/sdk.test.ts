/** The SDKs by Pulumi's own generators, and the schema they are made of. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { convertedExamples, examplesText } from '../../tools/sdk/convert-examples.ts'
import { generateSdks, type SdkLanguage } from '../../tools/sdk/generate-sdks.ts'
import {
  CONVERTED_EXAMPLES,
  GO_SOURCES,
  loadSchemaText,
  PYTHON_SOURCES,
  SCHEMA,
  SDK_SOURCES,
} from '../../tools/sdk/sources.ts'
import { runPython, withoutPython } from './python.ts'
import { withoutConverter, withoutGenerators } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

const stale = 'is not what the catalogue says: run `npm run sdk`'

test('sdk/schema.json is what the catalogue says', async () => {
  assert.ok(readFileSync(SCHEMA, 'utf8') === (await loadSchemaText()), `sdk/schema.json ${stale}`)
})

test('the examples in the schema are docs/pulumi/examples, converted', { skip: withoutConverter }, () => {
  const text = examplesText(convertedExamples())
  assert.ok(readFileSync(CONVERTED_EXAMPLES, 'utf8') === text, `examples.json ${stale}`)
})

const kept: Readonly<Record<SdkLanguage, { readonly sources: string; readonly ours: readonly string[] }>> = {
  nodejs: { sources: SDK_SOURCES, ours: [] },
  python: { sources: PYTHON_SOURCES, ours: ['README.md'] },
  go: { sources: GO_SOURCES, ours: ['go.mod', 'go.sum'] },
}

for (const language of ['nodejs', 'python', 'go'] as const)
  test(`sdk/${language} is what the generators make of the schema, which binds without a diagnostic`, {
    skip: withoutGenerators,
  }, (t) => {
    const folder = temporaryFolder(t)
    generateSdks({ [language]: folder })
    const { sources, ours } = kept[language]
    const filesOf = (cwd: string) =>
      globSync('**/*.{ts,py,go,json,md,toml,mod,sum}', { cwd, exclude: ['dist/**'] })
        .filter((file) => !ours.includes(file))
        .sort()
    assert.deepEqual(filesOf(sources), filesOf(folder), `sdk/${language} ${stale}`)
    for (const file of filesOf(folder))
      assert.ok(
        readFileSync(join(sources, file), 'utf8') === readFileSync(join(folder, file), 'utf8'),
        `sdk/${language}/${file} ${stale}`,
      )
  })

test('a schema with a mistake does not bind, and what is wrong is reported', { skip: withoutGenerators }, (t) => {
  const schema = join(temporaryFolder(t), 'schema.json')
  writeFileSync(
    schema,
    readFileSync(SCHEMA, 'utf8').replace('#/types/svc:index:TableName', '#/types/svc:index:Nothing'),
  )
  assert.throws(() => generateSdks({}, schema), /svc:index:Nothing/)
})

test('the Python SDK is imported, with a class for each kind', { skip: withoutPython }, (t) => {
  const folder = temporaryFolder(t)
  generateSdks({ python: folder })
  const { resources } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const kinds = Object.keys(resources).map((token) => token.replace(/.*:/, ''))
  const program = `import pulumi_svc as svc
assert issubclass(svc.Provider, svc.Provider)
for kind in "${kinds.join(' ')}".split():
  assert getattr(svc, kind).__init__, kind
  assert getattr(svc, kind + "Args"), kind
print(svc.TableArgs(table=svc.TableNameArgs(name="album")).table.name)
`
  const { stdout, stderr } = runPython(folder, program)
  assert.equal(stdout, 'album\n', stderr)
})
