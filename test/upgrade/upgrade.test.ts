/**
 * What released versions have left behind, an object of every kind in it, is served and managed by this one without a
 * change: a catalogue, states of Terraform and Pulumi, a directory (keep-states.ts made them).
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { catalogue, records } from '../../provider/src/resources/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import type { Outside } from '../provider/walk-prerequisites.ts'
import { walkEnvironment } from '../provider/walk-stack.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import { withoutPulumi } from '../pulumi/requirements.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { createTerraformFolder, type TerraformState, withoutTerraform } from '../terraform/terraform.ts'
import { keptFile, keptIn } from './kept-file.ts'

/** Kinds of resource that came after a version. */
const later: Readonly<Record<string, readonly string[]>> = {
  '0.1': ['mssql_source', 'bigquery_source', 'stored_procedure', 'access_token', 'oidc_trust'],
}

for (const version of readdirSync(keptIn))
  describe(`what version ${version} left`, () => {
    let engine: Engine
    let outside: Outside
    const cleanUps: (() => Promise<void>)[] = []
    before(async () => {
      const database = await createTestDatabase()
      const remote = await startRemoteServer(sampleRemote, {})
      outside = { databaseUrl: database.url, remoteUrl: remote.url }
      await runOnDatabase(database.url, kept('database.sql'))
      engine = await startEngine({ databaseUrl: database.url, env: walkEnvironment(outside) })
      cleanUps.push(engine.stop, remote.close, database.drop)
    })
    after(async () => {
      for (const cleanUp of cleanUps) await cleanUp()
    })
    const kept = (file: string): string => keptFile(version, file, outside)

    test('the catalogue is served, nothing in it is inconsistent', async () => {
      const { body } = await engine.metadata('get_inconsistent_metadata', {})
      assert.deepEqual(body, [])
    })

    test('every kind of resource is in it', () => {
      const { resources } = JSON.parse(kept('terraform/terraform.tfstate')) as TerraformState
      const types = new Set(resources.map(({ type }) => type))
      const names = [...catalogue, ...records].map(({ name }) => name)
      const missing = names.filter((name) => !types.has(`svc_${name}`))
      assert.deepEqual(missing.sort(), ['custom_types', ...(later[version] ?? [])].sort())
    })

    for (const [folder, files] of [
      ['terraform', ['main.tf.json', 'event.tf.json', 'terraform.tfstate']],
      ['terraform-custom-types', ['main.tf', 'types.tf', 'terraform.tfstate']],
    ] as const)
      test(`a plan from the state in ${folder} is empty`, { skip: withoutTerraform }, async (t) => {
        const terraform = await createTerraformFolder(engine, t)
        for (const file of files) await terraform.write(file, kept(`${folder}/${file}`))
        assert.deepEqual(await terraform.planned(), [])
      })

    test("a preview from Pulumi's state is empty", { skip: withoutPulumi }, async (t) => {
      const project = await createPulumiProject(engine, t)
      project.write('Pulumi.yaml', kept('pulumi/Pulumi.yaml'))
      project.write('stack.json', kept('pulumi/stack.json'))
      await project.succeed('stack', 'import', '--file', 'stack.json')
      assert.deepEqual(await project.planned(), [])
      assert.deepEqual(await project.planned('--refresh'), [])
    })

    test('the directory says what the engine has', async (t) => {
      const folder = await createSvcFolder(engine, t)
      for (const entry of readdirSync(join(keptIn, version, 'metadata'), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) {
          const file = join(
            'metadata',
            join(entry.parentPath, entry.name).slice(join(keptIn, version, 'metadata').length),
          )
          await folder.write(file, kept(file))
        }
      const { code, stdout, stderr } = await folder.svc('plan', '--detailed-exitcode')
      assert.equal(code, 0, stdout + stderr)
    })
  })
