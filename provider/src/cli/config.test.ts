import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from './config.ts'

async function project(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-config-')))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('a flag wins over the environment, that over .env, that over config.yaml', async (t) => {
  const folder = await project(t, {
    'config.yaml': 'version: 3\nendpoint: http://file\nadmin_secret: file\nmetadata_directory: from-file\n',
    '.env': 'SVC_GRAPHQL_ENDPOINT=http://dotenv\nSVC_GRAPHQL_METADATA_DIRECTORY=from-dotenv\n',
  })
  const environment = { SVC_GRAPHQL_ENDPOINT: 'http://env' }
  assert.equal(readConfig({ endpoint: 'http://flag' }, environment, folder).endpoint, 'http://flag')
  assert.equal(readConfig({}, environment, folder).endpoint, 'http://env')
  assert.equal(readConfig({}, { SVC_GRAPHQL_ENDPOINT: '' }, folder).endpoint, 'http://dotenv')
  const config = readConfig({}, {}, folder)
  assert.equal(config.endpoint, 'http://dotenv')
  assert.equal(config.adminSecret, 'file')
  assert.equal(config.metadataDirectory, join(folder, 'from-dotenv'))
})

test('another file of variables is read where it is named', async (t) => {
  const folder = await project(t, {
    'prod.env': 'SVC_GRAPHQL_ENDPOINT="http://prod" # where it runs\n',
    '.env': 'SVC_GRAPHQL_ENDPOINT=http://dotenv',
  })
  assert.equal(readConfig({ envfile: 'prod.env' }, {}, folder).endpoint, 'http://prod')
  assert.throws(() => readConfig({ envfile: 'none.env' }, {}, folder), /--envfile none\.env does not exist/)
})

test('the project is the nearest folder upwards with a config.yaml', async (t) => {
  const folder = await project(t, { 'config.yaml': 'endpoint: http://file\n' })
  await mkdir(join(folder, 'a/b'), { recursive: true })
  assert.equal(readConfig({}, {}, join(folder, 'a/b')).project, folder)
  assert.equal(readConfig({ project: 'a' }, {}, folder).project, join(folder, 'a'))
  assert.throws(() => readConfig({ project: 'c' }, {}, folder), /--project c is no folder/)
})

test('without a project there are defaults, and no endpoint', async (t) => {
  const folder = await project(t, {})
  assert.deepEqual(readConfig({}, {}, folder), {
    project: folder,
    endpoint: null,
    metadataDirectory: join(folder, 'metadata'),
    migrationsDirectory: join(folder, 'migrations'),
    seedsDirectory: join(folder, 'seeds'),
    testsDirectory: join(folder, 'tests'),
    introspectionsDirectory: join(folder, 'introspections'),
    insecure: false,
    adminSecret: undefined,
    token: undefined,
    owner: undefined,
    breakGlass: undefined,
    certificateAuthority: undefined,
  })
})

test('a config.yaml that cannot be meant is reported with its key', async (t) => {
  const read = async (text: string) => {
    const folder = await project(t, { 'config.yaml': text })
    return () => readConfig({}, {}, folder)
  }
  assert.throws(await read('version: 2\n'), /config\.yaml: version: only version 3 is supported$/)
  assert.throws(await read('endpoint: 5\n'), /config\.yaml: endpoint: expected a text$/)
  assert.throws(await read('endpoint: [\n'), /config\.yaml: .*line/)
  assert.doesNotThrow(await read('version: 3\nactions: {kind: x}\n'))
})
