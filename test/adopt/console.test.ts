/** What the console exports of a change, in the hands of each tool: once it has made the change, it finds nothing more to do. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { documentOf } from '../../console/src/change/document-of.ts'
import { planDrafts } from '../../console/src/change/drafted.ts'
import { type Export, exportsOf } from '../../console/src/change/exports.ts'
import { documentAfter, requestOf, type Tried } from '../../console/src/change/try-change.ts'
import { addressOfKey } from '../../provider/src/client/index.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { tenDrafts, tenTables, trackedBefore } from '../console/ten-kinds.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import { createTerraformFolder, withoutTerraform } from '../terraform/terraform.ts'

let engine: Engine
let blank: JsonObject
let exports: ReadonlyMap<Export['id'], Export['files']>
/** What all of them come to. */
let wanted: JsonObject

const exported = async (): Promise<JsonObject> => (await engine.metadata('export_metadata', {})).body

before(async () => {
  engine = await startEngine()
  await succeed('/v2/query', { type: 'run_sql', args: { sql: tenTables } })
  await succeed('/v1/metadata', trackedBefore)
  blank = await exported()
  const document = documentOf(blank)
  const planned = planDrafts(tenDrafts, document)
  assert.deepEqual(planned.problems, [])
  const request = requestOf(planned.operations)
  const tried = (await succeed('/v1/metadata', { ...request, dry_run: { preview: true } })) as Tried
  assert.deepEqual(
    tried.results.filter(({ verdict }) => verdict !== 'ok'),
    [],
  )
  const after = documentAfter(document, tried, () => undefined)
  const made = tried.changes.flatMap(({ object }) => addressOfKey(object.type, object.key) ?? [])
  exports = new Map(
    exportsOf({ before: document, after, wanted: made, operations: planned.operations }).map(({ id, files }) => [
      id,
      files,
    ]),
  )
  await succeed('/v1/metadata', request)
  wanted = await exported()
})
after(() => engine?.stop())
beforeEach(() => succeed('/v1/metadata', { type: 'replace_metadata', args: blank }))

async function succeed(path: string, body: unknown): Promise<unknown> {
  const answer = await engine.post(path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

function filesOf(id: Export['id']): readonly { readonly name: string; readonly text: string }[] {
  const files = exports.get(id) ?? []
  assert.ok(files.length > 0, id)
  return files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]))
}

test('the request makes the change', async () => {
  const [{ text } = { text: '' }] = filesOf('request')
  await succeed('/v1/metadata', JSON.parse(text))
  assert.deepEqual(await exported(), wanted)
})

test('the files of the metadata directory are a change that is planned, deployed and then done', async (t) => {
  const folder = await createSvcFolder(engine, t)
  assert.equal((await folder.svc('metadata', 'export')).code, 0)
  assert.match((await folder.svc('plan')).stdout, /no changes/i)
  for (const { name, text } of filesOf('files')) await folder.write(name, text)
  assert.match((await folder.svc('plan')).stdout, /create/)
  const deployed = await folder.svc('deploy')
  assert.equal(deployed.code, 0, deployed.stderr)
  assert.match((await folder.svc('plan')).stdout, /no changes/i)
  assert.deepEqual(await exported(), wanted)
})

test('Terraform makes the change, imports what was there, and plans nothing more', {
  skip: withoutTerraform,
}, async (t) => {
  const folder = await createTerraformFolder(engine, t)
  for (const { name, text } of filesOf('terraform')) await folder.write(name, text)
  await folder.succeed('fmt', '-no-color', '-check', '-diff')
  assert.match(await folder.apply(), /Resources: 1 imported, 10 added, 1 changed, 0 destroyed/)
  assert.equal(await folder.isChanged(), false)
  assert.deepEqual(await exported(), wanted)
})

for (const language of ['typescript', 'yaml'] as const)
  test(`Pulumi in ${language} makes the change, and previews nothing more`, async (t) => {
    const project = await createPulumiProject(engine, t)
    for (const { name, text } of filesOf(`pulumi-${language}`)) project.write(name, text)
    await project.succeed('import', '--file=import.json', '--generate-code=false', '--protect=false', '--yes')
    assert.deepEqual(await project.up(), { create: 10, update: 1, same: 1 })
    assert.equal(await project.isChanged(), false)
    assert.deepEqual(await exported(), wanted)
  })
