/**
 * What released versions have left behind, an object of every kind in it, is served and managed by this one without a
 * change: a catalogue, states of Terraform and Pulumi, a directory (keep-states.ts made them).
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { catalogue, records } from '../../provider/src/resources/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { walkEnvironment } from '../provider/walk-stack.ts'
import type { Outside } from '../provider/walk-surroundings.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import { withoutPulumi } from '../pulumi/requirements.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { createTerraformFolder, type TerraformState, VERSION, withoutTerraform } from '../terraform/terraform.ts'
import { startCutConnections } from './cut-connections.ts'
import { places } from './places.ts'

/** Kinds of resource that came after a version. */
const later: Readonly<Record<string, readonly string[]>> = {
  '0.1': ['mssql_source', 'bigquery_source', 'stored_procedure', 'access_token', 'oidc_trust'],
}

const keptIn = new URL('kept/', import.meta.url).pathname

const engineProgram = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname

async function downgradeToFirst(databaseUrl: string): Promise<void> {
  const words = [engineProgram, 'downgrade', '--database-url', databaseUrl, '--to-catalog-version=1']
  const { stdout } = await promisify(execFile)(process.execPath, words)
  assert.equal(stdout.trim(), 'downgraded the catalogue to version 1')
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
    /** A kept file, where this run has things. */
    const kept = (file: string): string =>
      places(outside)
        .reduce(
          (text, [here, place]) => text.replaceAll(place, here),
          readFileSync(join(keptIn, version, file), 'utf8'),
        )
        .replaceAll(/("?version"?\s*[:=]\s*)"0\.\d+\.\d+"/g, `$1"${VERSION}"`)

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

    test('the catalogue goes back to its first form, and on from ten places of the way that are cut', async (t) => {
      const { url } = await createTestDatabase(t)
      await runOnDatabase(url, kept('database.sql').replaceAll(outside.databaseUrl, url))
      const env = { ...walkEnvironment(outside), SVC_GRAPHQL_NO_OF_RETRIES: '0' }
      const serving = async (databaseUrl: string) => {
        const own = await startEngine({ databaseUrl, env }, t)
        const { body } = await own.metadata('export_metadata', {})
        await own.stop()
        return body
      }
      const before = await serving(url)
      await downgradeToFirst(url)
      const whole = await startCutConnections(url, t)
      assert.deepEqual(await serving(whole.url), before)
      const commit = whole.sent.findIndex((message) => message.includes('COMMIT'))
      await downgradeToFirst(url)
      for (let i = 1; i <= 10; i++) {
        const way = await startCutConnections(url, t, Math.round((i * (commit + 1)) / 10))
        await assert.rejects(startEngine({ databaseUrl: way.url, env }, t), `cut after ${i} tenths`)
      }
      assert.deepEqual(await serving(url), before)
    })
  })
