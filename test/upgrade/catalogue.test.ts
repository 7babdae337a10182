/**
 * The catalogue that each released version has left behind is migrated by this one, killed wherever that may be, and goes
 * back to what that version knows.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { catalogueVersion } from '../../engine/src/metadata/index.ts'
import { sampleRemote } from '../../provider/src/resources/remote-samples.fixture.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { walkEnvironment } from '../provider/walk-stack.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import { catalogueRows, catalogueShape, versionOfCatalogue } from './catalogue-state.ts'
import { startHeldConnections } from './held-connections.ts'
import { keptFile, keptIn } from './kept-file.ts'

const engineProgram = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname

/** As docs/operations.md has it. */
async function downgrade(databaseUrl: string, option: string): Promise<string> {
  const words = [engineProgram, '--metadata-database-url', databaseUrl, 'downgrade', option]
  return (await promisify(execFile)(process.execPath, words)).stdout.trim()
}

for (const version of readdirSync(keptIn))
  describe(`the catalogue of version ${version}`, () => {
    async function restore(t: TestContext) {
      const { url: databaseUrl } = await createTestDatabase(t)
      const remote = await startRemoteServer(sampleRemote, {})
      t.after(remote.close)
      const outside = { databaseUrl, remoteUrl: remote.url }
      await runOnDatabase(databaseUrl, keptFile(version, 'database.sql', outside))
      const env = {
        ...walkEnvironment(outside),
        SVC_GRAPHQL_NO_OF_RETRIES: '0',
        SVC_GRAPHQL_DISABLE_EVENTING: 'true',
      }
      /** What an engine that is started and stopped exports, after a change if there is one. */
      const serving = async (url = databaseUrl, change?: readonly [type: string, args: object]) => {
        const engine = await startEngine({ databaseUrl: url, env })
        try {
          if (change) assert.equal((await engine.metadata(...change)).status, 200)
          return (await engine.metadata('export_metadata', {})).body
        } finally {
          await engine.stop()
        }
      }
      return { databaseUrl, env, serving }
    }

    test('after a downgrade is what that version left, with all that came since, and nothing is lost on the way back', async (t) => {
      const { databaseUrl, serving } = await restore(t)
      const [shape, from] = [await catalogueShape(databaseUrl), await versionOfCatalogue(databaseUrl)]
      const tables = shape.map(({ table }) => String(table)).filter((name) => !name.includes('('))
      const left = await catalogueRows(databaseUrl, tables)
      const exported = await serving(databaseUrl, ['add_inherited_role', { role_name: 'since', role_set: ['user'] }])
      const rows = await catalogueRows(databaseUrl, tables)
      assert.deepEqual(
        rows.filter((row) => !left.includes(row)).map((row) => row.split(' ')[0]),
        ['change_log', 'metadata', 'metadata_object'],
      )

      assert.match(await downgrade(databaseUrl, `--to-v${version}.0`), new RegExp(`to version ${from}$`))
      assert.equal(await versionOfCatalogue(databaseUrl), from)
      assert.deepEqual(await catalogueShape(databaseUrl), shape)
      assert.deepEqual(await catalogueRows(databaseUrl, tables), rows)

      assert.deepEqual(await serving(), exported)
      assert.equal(await versionOfCatalogue(databaseUrl), catalogueVersion)
      assert.deepEqual(await catalogueRows(databaseUrl, tables), rows)
    })

    test('is migrated from its first form by an engine that was killed at ten places of the way', async (t) => {
      const { databaseUrl, env, serving } = await restore(t)
      const objects = await catalogueRows(databaseUrl, ['metadata_object', 'change_log'])
      assert.equal(await downgrade(databaseUrl, '--to-catalog-version=1'), 'downgraded the catalogue to version 1')
      const first = await catalogueShape(databaseUrl)
      const whole = await startHeldConnections(databaseUrl, t)
      const exported = await serving(whole.url)
      const newest = await catalogueShape(databaseUrl)
      const commit = whole.sent.findIndex((message) => message.includes('COMMIT'))
      await downgrade(databaseUrl, '--to-catalog-version=1')
      for (let i = 1; i <= 10; i++) {
        const way = await startHeldConnections(databaseUrl, t, Math.round((i * (commit + 1)) / 10))
        const killed = startEngine({ databaseUrl: way.url, env, killedAfter: way.held })
        await assert.rejects(killed, /the engine ended \(SIGKILL\)/, `killed after ${i} tenths`)
        // the server rolls back what a dead client has begun, once it notices
        await runOnDatabase(databaseUrl, 'SELECT pg_advisory_lock(7236283741)')
        assert.deepEqual(await catalogueShape(databaseUrl), i < 10 ? first : newest, `killed after ${i} tenths`)
      }
      assert.deepEqual(await serving(), exported)
      assert.deepEqual(await catalogueShape(databaseUrl), newest)
      assert.deepEqual(await catalogueRows(databaseUrl, ['metadata_object', 'change_log']), objects)
    })
  })
