/** The SDKs by Pulumi's own generators, and the schema they are made of. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PulumiExamples } from '../../provider/src/pulumi/index.ts'
import { writePythonPackage } from '../../tools/bundle-python-sdk.ts'
import { convertedExamples, examplesText } from '../../tools/sdk/convert-examples.ts'
import { generateSdks, type SdkLanguage } from '../../tools/sdk/generate-sdks.ts'
import { CONVERTED_EXAMPLES, GO_SOURCES, loadSchemaText, SCHEMA, SDK_SOURCES } from '../../tools/sdk/sources.ts'
import { installPython, runPython, withoutPython } from './python.ts'
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

const kept = {
  nodejs: { sources: SDK_SOURCES, ours: [] },
  go: { sources: GO_SOURCES, ours: ['go.mod', 'go.sum'] },
} satisfies Readonly<Partial<Record<SdkLanguage, { readonly sources: string; readonly ours: readonly string[] }>>>

for (const language of ['nodejs', 'go'] as const)
  test(`sdk/${language} is what the generators make of the schema, which binds without a diagnostic`, {
    skip: withoutGenerators,
  }, (t) => {
    const folder = temporaryFolder(t)
    generateSdks({ [language]: folder })
    const { sources, ours }: { sources: string; ours: readonly string[] } = kept[language]
    const filesOf = (cwd: string) =>
      globSync('**/*.{ts,go,json,md,mod,sum}', { cwd, exclude: ['dist/**'] })
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

test('the archives of the Python SDK are installed, with a class for each kind and every example', {
  skip: withoutPython,
}, (t) => {
  const folder = temporaryFolder(t)
  const { wheel, sources } = writePythonPackage(join(folder, 'archives'))
  const { resources } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const kinds = Object.keys(resources).map((token) => token.replace(/.*:/, ''))
  for (const archive of [wheel, sources]) {
    const installed = join(folder, archive.replace(/.*\./, ''))
    installPython(join(folder, 'archives', archive), installed)
    const program = `import pulumi_svc as svc
for kind in "${kinds.join(' ')}".split():
  assert getattr(svc, kind).__init__, kind
  assert getattr(svc, kind + "Args"), kind
print(svc.TableArgs(table=svc.TableNameArgs(name="album")).table.name)
`
    const { stdout, stderr } = runPython(installed, program)
    assert.equal(stdout, 'album\n', stderr)
  }
  // without an engine: what a program says of a resource is checked by its class alone
  const examples = Object.entries(JSON.parse(readFileSync(CONVERTED_EXAMPLES, 'utf8')) as PulumiExamples)
  const mocked = examples.map(([name, { python }]) => `run(${JSON.stringify(name)}, ${JSON.stringify(python)})`)
  const { stdout, stderr } = runPython(join(folder, 'whl'), `${mocks}\n${mocked.join('\n')}\nprint(count)`)
  assert.equal(stdout, `${examples.length}\n`, stderr)
})

const mocks = `import pulumi
class Mocks(pulumi.runtime.Mocks):
  def new_resource(self, args):
    return [args.name, args.inputs]
  def call(self, args):
    return {"resourceVersion": 1, "objects": [{"name": "one"}], "changes": []}
pulumi.runtime.set_mocks(Mocks())
pulumi.runtime.set_all_config({"project:databaseUrl": "postgres://", "project:ciToken": "secret"})
count = 0
def run(name, text):
  global count
  exec(compile(text, name, "exec"), {})
  count += 1
`
