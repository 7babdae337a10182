/** Code in Python and TypeScript of what `pulumi import` writes, by Pulumi's own generators. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { writePythonPackage } from '../../tools/bundle-python-sdk.ts'
import { convertPrograms } from '../../tools/sdk/convert-examples.ts'
import { program } from './many-resources.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { installPython, pythonWithPulumi, withoutPython } from './python.ts'
import { withoutConverter, withoutPulumi } from './requirements.ts'

const plugins = { providers: [{ name: 'svc', path: 'node_modules/@svc/pulumi/plugin' }] }

const ids = {
  Table: 'default/public/album',
  SelectPermission: 'default/public/album/listener',
  ObjectRelationship: 'default/public/album/artist',
  CronTrigger: 'daily',
  QueryCollection: 'albums',
  InheritedRole: 'guide',
}

/** The hosts at hand have no GenerateProgram: newer ones write the same generators' text. */
test('what is imported is a program in Python and in TypeScript whose preview has no difference', {
  skip: withoutPulumi || withoutConverter || withoutPython,
}, async (t) => {
  const engine = await startStore(t)
  const ask = async (type: string, args: object) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  await ask('pg_track_table', { table: 'artist' })
  const configuration = { comment: 'Made by "them"', custom_root_fields: { select: 'records' } }
  await ask('pg_track_table', { table: 'album', configuration })
  const using = { foreign_key_constraint_on: 'artist_id' }
  await ask('pg_create_object_relationship', { table: 'album', name: 'artist', using })
  const permission = { columns: ['id', 'title'], filter: { artist: { name: { _in: ['a', 'b'] } } }, limit: 7 }
  await ask('pg_create_select_permission', { table: 'album', role: 'listener', permission })
  const cron = { webhook: 'https://shop.example.com/', schedule: '0 6 * * *', payload: { list: [1, { deep: null }] } }
  await ask('create_cron_trigger', { name: 'daily', include_in_metadata: true, ...cron })
  const queries = [{ name: 'one', query: 'query one($id: Int!) { album_by_pk(id: $id) { title } }' }]
  await ask('create_query_collection', { name: 'albums', definition: { queries } })
  await ask('add_inherited_role', { role_name: 'guide', role_set: ['listener'] })

  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', program({}))
  const resources = Object.entries(ids).map(([kind, id]) => ({
    type: `svc:index:${kind}`,
    name: `the${kind}`,
    id,
  }))
  project.write('import.json', JSON.stringify({ resources }))
  await project.succeed('import', '--file=import.json', '--out=generated.yaml', '--protect=false', '--yes')
  const generated = readFileSync(join(project.path, 'generated.yaml'), 'utf8')
  const { python = '', typescript = '' } = convertPrograms(new Map([['imported', generated]])).imported ?? {}

  const declare = (runtime: string) => project.write('Pulumi.yaml', JSON.stringify({ name: 'test', runtime, plugins }))
  declare('nodejs')
  project.write('index.ts', typescript)
  assert.equal(await project.isChanged('--refresh', '--diff'), false, typescript)

  const archives = join(project.path, 'archives')
  installPython(join(archives, writePythonPackage(archives).wheel), join(project.path, 'installed'))
  project.environment.PYTHONPATH = join(project.path, 'installed')
  project.environment.PATH = [join(pythonWithPulumi(), 'bin'), project.environment.PATH].join(delimiter)
  declare('python')
  project.write('__main__.py', python)
  assert.equal(await project.isChanged('--refresh', '--diff'), false, python)
})
