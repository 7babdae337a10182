/** A program in Python with the SDK as it is built, by the real Pulumi and its language host. */
import assert from 'node:assert/strict'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { writePythonPackage } from '../../tools/bundle-python-sdk.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { installPython, pythonWithPulumi, withoutPython } from './python.ts'
import { withoutPulumi } from './requirements.ts'

const declared = (columns: string) => `import pulumi
import pulumi_svc as svc

album = svc.Table("album", table={"name": "album"}, comment="What they have made")
svc.SelectPermission("album-user", table=album.table, role="user", columns=${columns}, limit=7,
  filter={"artist_id": {"_eq": "X-Svc-Artist-Id"}})
pulumi.export("id", album.id)
pulumi.export("version", svc.get_metadata_output().resource_version)
`

test('a program in Python is previewed, made, changed and destroyed', {
  skip: withoutPulumi || withoutPython,
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  const archives = join(project.path, 'archives')
  installPython(join(archives, writePythonPackage(archives).wheel), join(project.path, 'installed'))
  project.environment.PYTHONPATH = join(project.path, 'installed')
  // activated, as the language host at hand is older than the option `virtualenv` of the command line
  project.environment.PATH = [join(pythonWithPulumi(), 'bin'), project.environment.PATH].join(delimiter)
  const plugins = { providers: [{ name: 'svc', path: 'node_modules/@svc/pulumi/plugin' }] }
  project.write('Pulumi.yaml', JSON.stringify({ name: 'test', runtime: 'python', plugins }))
  project.write('__main__.py', declared('["id", "titel"]'))
  assert.match((await project.run('preview')).stdout, /column "titel" does not exist/)
  project.write('__main__.py', declared('["id", "title"]'))
  await project.up()
  assert.equal((await project.succeed('stack', 'output', 'id')).trim(), 'default/public/album')
  assert.equal(await project.isChanged('--refresh'), false)
  project.write('__main__.py', declared('["id"]'))
  assert.deepEqual(await project.planned(), ['album-user update'])
  await project.up()
  await project.succeed('destroy', '--yes')
  assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources[0].tables ?? [], [])
})
