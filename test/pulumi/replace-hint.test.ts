/** What Pulumi says where `up --replace` meets an object that is there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLedger } from '../ledger.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const declaring = (options: object) =>
  program({ account: { type: 'svc:Table', properties: { table: { name: 'account' } }, options } })

test('up --replace names deleteBeforeReplace, which then lets it through', { skip: withoutPulumi }, async (t) => {
  const { engine } = await startLedger(t)
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', declaring({}))
  await project.up()
  const [table] = await project.resources()
  const replace = ['up', '--yes', '--skip-preview', '--replace', table?.urn ?? '']
  const { code, stdout, stderr } = await project.run(...replace)
  assert.notEqual(code, 0)
  assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, ' '), /exists already.*up --replace.*deleteBeforeReplace/)
  project.write('Pulumi.yaml', declaring({ deleteBeforeReplace: true }))
  await project.succeed(...replace)
  assert.equal(await project.isChanged('--refresh'), false)
  assert.equal((await engine.metadata('export_metadata', {})).body.sources[0].tables.length, 1)
})
