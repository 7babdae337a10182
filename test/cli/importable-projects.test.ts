/** Every project of importable-projects.ts is imported, and deployed as it is written, on one engine. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runCli } from '../../provider/src/cli/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from '../serving/remote-server.ts'
import { type ImportableProject, importableProjects } from './importable-projects.ts'
import { createMusicTables } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

describe('svc metadata import-from', () => {
  let engine: Engine
  let remote: RemoteServer
  let databaseUrl: string
  let second: string
  const isRemote = 'http://remote.example/'
  before(async () => {
    databaseUrl = (await createTestDatabase()).url
    second = (await createTestDatabase()).url
    await createMusicTables(databaseUrl)
    await runOnDatabase(
      databaseUrl,
      `CREATE FUNCTION search_artists() RETURNS SETOF artist LANGUAGE sql STABLE AS 'SELECT * FROM artist';
       CREATE FUNCTION shout(artist) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)'`,
    )
    remote = await startRemoteServer('type Query { hello(name: String): String }', { hello: () => 'hello' })
    engine = await startEngine({
      databaseUrl,
      env: {
        SECOND_URL: second,
        API_KEY: 'x',
        SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
        SVC_GRAPHQL_HANDLERS: 'http://localhost:1',
        SVC_GRAPHQL_EVENT_HANDLER: 'http://localhost:1',
      },
    })
  })
  after(async () => {
    await engine.stop()
    await remote.close()
  })

  const projects = importableProjects(isRemote)
  test('there are twenty of them', () => assert.ok(projects.length >= 20))

  for (const project of projects)
    test(project.name, async (t) => {
      await engine.metadata('replace_metadata', { version: 3, sources: [] })
      await engine.metadata('set_catalog_state', { type: 'cli', state: {} })
      for (const url of [databaseUrl, second])
        await runOnDatabase(
          url,
          'DROP SCHEMA IF EXISTS svc_migrations CASCADE; DROP TABLE IF EXISTS band, label, studio, venue',
        )
      const folder = await createSvcFolder(engine, t)
      for (const [file, text] of Object.entries(project.files)) await folder.write(`old/${file}`, filledIn(text))
      await folder.write('new/config.yaml', 'version: 3\n')
      const svc = async (...args: readonly string[]) => {
        const texts = { out: '', err: '' }
        const code = await runCli(['--project', 'new', ...args], {
          cwd: folder.path,
          environment: { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret },
          out: { write: (text) => (texts.out += text) },
          problems: { write: (text) => (texts.err += text) },
          signal: new AbortController().signal,
        })
        return { code, ...texts }
      }
      const from = project.from === undefined ? 'old' : `old/${project.from}`
      const imported = await svc('metadata', 'import-from', from)
      assert.equal(imported.code, 0, imported.err)
      assertSays(project, imported.err)
      const deployed = await svc('deploy', ...(project.isUnreachable ? ['--allow-inconsistent-metadata'] : []))
      assert.deepEqual([deployed.code, deployed.out.split('\n').at(-2)], [0, 'Metadata applied'], deployed.err)
      if (!project.isUnreachable) assert.doesNotMatch(deployed.err, /warning/)
      const { body } = await engine.metadata('export_metadata', {})
      for (const [path, value] of project.has ?? [])
        assert.deepEqual(valueAt(body, path), value, `${path} of ${JSON.stringify(body)}`)
      const again = await svc('metadata', 'import-from', from)
      assert.equal(again.out, 'zero differences found\n')
      assert.equal((await svc('metadata', 'diff')).out, 'zero differences found\n')
    })

  function filledIn(text: string): string {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl)
    const values = { host: hostname, port, user: username, password, database: pathname.slice(1) }
    return text
      .replace(/"?\{\{(host|port|user|password|database)\}\}"?/g, (_, name: keyof typeof values) =>
        name === 'port' ? values.port : JSON.stringify(decodeURIComponent(values[name])),
      )
      .replaceAll(isRemote, remote.url)
  }
})

/** What is printed without names that were renamed and what is next: each expected line, and no other. */
function assertSays({ says = [] }: ImportableProject, printed: string): void {
  const lines = printed
    .split('\n')
    .filter((line) => line !== '' && !/^(renamed: |next: |\d+ to create, |removed )/.test(line))
  for (const expected of says)
    assert.ok(
      lines.some((line) => expected.test(line)),
      `${expected} is not in:\n${printed}`,
    )
  const others = lines.filter((line) => !says.some((expected) => expected.test(line)))
  assert.deepEqual(others, [])
}

const valueAt = (json: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], json)
