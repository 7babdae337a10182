/** `pulumi package add`, with the language hosts that `npm run pulumi-cli` builds. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { SCHEMA } from '../../tools/sdk/sources.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const PLUGIN = './plugin/pulumi-resource-svc'

test('package add takes the plugin or the schema into a project in YAML, whose program then runs', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  // an `@` in the path would begin a version
  cpSync(join(project.path, 'node_modules/@svc/pulumi/plugin'), join(project.path, 'plugin'), { recursive: true })
  const { version } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const resources = { album: { type: 'svc:Table', properties: { table: { name: 'album' } } } }
  const plugins = { providers: [{ name: 'svc', path: 'plugin' }] }
  project.write('Pulumi.yaml', JSON.stringify({ name: 'test', runtime: 'yaml', plugins, resources }))
  const lock = join(project.path, `sdks/svc/svc-${version}.yaml`)
  await project.succeed('package', 'add', SCHEMA)
  assert.ok(existsSync(lock))
  await project.succeed('package', 'add', PLUGIN)
  assert.deepEqual(parse(readFileSync(join(project.path, 'Pulumi.yaml'), 'utf8')).packages, { svc: `svc@${version}` })
  assert.equal(parse(readFileSync(lock, 'utf8')).name, 'svc')
  assert.equal((await project.preview()).changes.create, 2)
  await project.up()
  assert.equal(await project.isChanged('--refresh'), false)
})

test('hosts for other languages at hand are older than package add, and a failed one changes nothing', {
  skip: withoutPulumi,
}, async (t) => {
  const project = await createPulumiProject({ url: 'http://127.0.0.1:1', secret: 'none' }, t)
  for (const runtime of ['go', 'python', 'nodejs']) {
    const declared = JSON.stringify({ name: 'test', runtime })
    project.write('Pulumi.yaml', declared)
    const { code, stderr } = await project.run('package', 'add', SCHEMA)
    assert.notEqual(code, 0)
    assert.match(stderr, /failed to generate SDK: .*GeneratePackage/)
    assert.equal(readFileSync(join(project.path, 'Pulumi.yaml'), 'utf8'), declared)
    assert.equal(existsSync(join(project.path, 'sdks')), false)
  }
})
