/** docs/pulumi/examples, which the docs of every resource show: whole, made, and imported with code that says the same. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { onlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { exampleFile, exampleNames, exampleTexts } from '../../tools/sdk/convert-examples.ts'
import { SCHEMA } from '../../tools/sdk/sources.ts'
import { startDocumentedStore } from '../documented-store.ts'
import type { Engine } from '../engine.ts'
import { program } from './many-resources.ts'
import { createPulumiProject, nameOf, type PulumiProject, type StackResource } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

interface Program {
  readonly config?: Readonly<Record<string, unknown>>
  readonly variables?: Readonly<Record<string, unknown>>
  readonly resources?: Readonly<Record<string, { readonly type: string }>>
  readonly outputs?: Readonly<Record<string, unknown>>
}

const sections = ['config', 'variables', 'resources', 'outputs'] as const

const programs: ReadonlyMap<string, Program> = new Map(
  exampleNames.map((name) => [name, parse(readFileSync(exampleFile(name), 'utf8'))]),
)

/** Those of functions that read one object are made from the example of its kind. */
test('every resource, every function and the provider have an example of themselves', () => {
  const { resources, functions } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const names = [...Object.keys(resources), ...Object.keys(functions)].map((token) => token.replace(/^.*:/, ''))
  const texts = exampleTexts()
  assert.deepEqual([...texts.keys()], [...names, 'provider'].sort())
  for (const name of names) assert.match(texts.get(name) ?? '', new RegExp(`svc:${name}\\b`), name)
})

/** Examples as few programs: those go along that say the same of what they share. */
function together(): readonly { readonly names: string[]; readonly whole: Record<string, Record<string, unknown>> }[] {
  const all: { names: string[]; whole: Record<string, Record<string, unknown>> }[] = []
  for (const [name, one] of programs) {
    // no server of theirs is there to be had
    if (name === 'provider' || onlyElsewhere.has(name)) continue
    const fits = (whole: Record<string, Record<string, unknown>>) =>
      sections.every((section) =>
        Object.entries(one[section] ?? {}).every(
          ([key, value]) => JSON.stringify(whole[section]?.[key] ?? value) === JSON.stringify(value),
        ),
      )
    let found = all.find(({ whole }) => fits(whole))
    if (!found) {
      found = { names: [], whole: {} }
      all.push(found)
    }
    found.names.push(name)
    for (const section of sections)
      if (one[section]) found.whole[section] = { ...found.whole[section], ...one[section] }
  }
  return all
}

test('the examples are previewed, made, and imported with code that makes the same', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startDocumentedStore(t)
  const before = (await engine.metadata('export_metadata', {})).body
  for (const { names, whole } of together())
    await t.test(names.join(', '), async (t) => {
      const { resources = {}, ...more } = whole
      const project = await createPulumiProject(engine, t)
      const declare = (one: PulumiProject, declared: object) => one.write('Pulumi.yaml', program(declared, more))
      declare(project, resources)
      const values: Readonly<Record<string, string>> = { databaseUrl: engine.databaseUrl, ciToken: 'x'.repeat(43) }
      for (const name of Object.keys(more.config ?? {}))
        await project.succeed('config', 'set', '--secret', name, values[name] ?? '')
      const { said } = await project.preview()
      assert.deepEqual(said, [])
      await project.up()
      assert.equal(await project.isChanged('--refresh'), false)
      await assertRead(project, names, (reading) =>
        project.write('Pulumi.yaml', program(resources, { ...more, ...reading })),
      )
      await assertImported(engine, t, await project.resources())
      // the next have an engine on which nothing was declared
      await engine.metadata('replace_metadata', before)
    })
})

/** By the examples of the functions that read one object, in one program. */
async function assertRead(
  project: PulumiProject,
  kinds: readonly string[],
  declare: (reading: object) => void,
): Promise<void> {
  const made = await project.resources()
  const texts = exampleTexts()
  const event = made.find(({ type }) => type.endsWith(':ScheduledEvent'))
  const reading = kinds.flatMap((kind) => {
    const name = `get${kind}`
    const text = texts.get(name)
    if (text === undefined) return []
    // the engine gives events their ids
    const example: Program = parse(text.replace(/id: [0-9a-f-]{36}/, `id: ${event?.id}`))
    const [[label = '', invoke] = []] = Object.entries(example.variables ?? {})
    const [output = ''] = Object.keys(example.outputs ?? {})
    const resource = made.find((one) => nameOf(one) === label)
    return [{ name, invoke, output, expected: output === 'id' ? resource?.id : resource?.outputs?.[output] }]
  })
  if (reading.length === 0) return
  declare({
    variables: Object.fromEntries(reading.map(({ name, invoke }) => [name, invoke])),
    outputs: Object.fromEntries(reading.map(({ name, output }) => [name, `\${${name}.${output}}`])),
  })
  await project.up()
  const expected = Object.fromEntries(reading.map(({ name, expected }) => [name, expected]))
  assert.deepEqual(JSON.parse(await project.succeed('stack', 'output', '--json', '--show-secrets')), expected)
}

const importOf = (one: StackResource) => ({ type: one.type, name: nameOf(one), id: one.id })

/** In a stack of its own; what is written only cannot be read back, and a component has nothing of its own. */
async function assertImported(engine: Engine, t: TestContext, made: readonly StackResource[]): Promise<void> {
  const imported = made.filter(
    ({ id, inputs }) => id !== undefined && !Object.keys(inputs ?? {}).some((name) => name.endsWith('WoVersion')),
  )
  if (imported.length === 0) return
  const other = await createPulumiProject(engine, t)
  other.write('Pulumi.yaml', program({}))
  other.write('import.json', JSON.stringify({ resources: imported.map(importOf) }))
  await other.succeed('import', '--file=import.json', '--out=generated.yaml', '--protect=false', '--yes')
  const { resources } = parse(readFileSync(join(other.path, 'generated.yaml'), 'utf8'))
  assert.equal(Object.keys(resources).length, imported.length)
  other.write('Pulumi.yaml', program(resources))
  assert.equal(await other.isChanged('--diff'), false, JSON.stringify(resources, null, 1))
}

test('the example of the provider reaches the engine that it names', { skip: withoutPulumi }, async (t) => {
  const engine = await startDocumentedStore(t)
  const project = await createPulumiProject(engine, t)
  const { resources = {} } = programs.get('provider') ?? {}
  project.write(
    'Pulumi.yaml',
    program(JSON.parse(JSON.stringify(resources).replace('http://localhost:8080', engine.url))),
  )
  project.environment.SVC_GRAPHQL_ENDPOINT = undefined
  assert.equal((await project.up()).create, 3)
  const provider = (await project.succeed('stack', 'export', '--show-secrets')).includes(engine.secret)
  assert.equal(provider, false, 'the state holds the admin secret of the environment')
})
