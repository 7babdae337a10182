/** Secrets stay where they are given: not in a state, an event, an error, or what Pulumi prints. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { program } from './many-resources.ts'
import { createPulumiProject, type PulumiProject, type Run } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const ADMIN = 'canary-of-the-admin-secret'
const DATABASE = 'canary-of-the-database'
const HOOK = 'canary-of-a-webhook'

const outputOf = (name: string) => `\${${name}}`
const source = (name: string, databaseUrl: unknown) => ({ type: 'svc:Source', properties: { name, databaseUrl } })

/** Everything the runs have printed and every file they have left. */
function assertNowhere(project: PulumiProject, runs: readonly Run[], ...secrets: readonly string[]): void {
  const texts = new Map(runs.map(({ stdout, stderr }, i) => [`what run ${i} printed`, stdout + stderr]))
  for (const name of readdirSync(project.path, { recursive: true, encoding: 'utf8' })) {
    const file = join(project.path, name)
    if (!name.startsWith('node_modules') && !name.endsWith('.txt') && statSync(file).isFile())
      texts.set(name, readFileSync(file, 'latin1'))
  }
  assert.ok(
    [...texts.keys()].some((name) => name.endsWith('/test.json')),
    'the state was not looked at',
  )
  for (const [where, text] of texts)
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} is in ${where}`)
}

test('neither the admin secret nor an address is in a state, an event or an output in the clear', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase()
  const engine = await startEngine({ databaseUrl: database.url, secret: ADMIN }, t)
  t.after(database.drop)
  const project = await createPulumiProject(engine, t)
  const address = new URL(database.url)
  address.searchParams.set('application_name', DATABASE)
  // one address from a file, which nothing but our schema says to be a secret, one from the configuration
  const plain = (url: string) => project.write('address.txt', url)
  plain(address.href)
  // of a webhook's address only a password makes a secret
  const webhook = `http://robot:${HOOK}@localhost:1/report`
  project.write('webhook.txt', webhook)
  const hook = (name: string, to: string) => ({
    type: 'svc:CronTrigger',
    properties: { name, webhook: to, schedule: '0 5 1 1 *' },
  })
  project.write(
    'Pulumi.yaml',
    program(
      {
        plain: source('plain', outputOf('address')),
        marked: source('marked', outputOf('secretAddress')),
        hook: hook('report', outputOf('webhook')),
        open: hook('open', 'http://localhost:1/open'),
      },
      {
        config: { secretAddress: { type: 'string', secret: true } },
        variables: {
          address: { 'fn::readFile': './address.txt' },
          webhook: { 'fn::readFile': './webhook.txt' },
          all: { 'fn::invoke': { function: 'svc:getMetadata', arguments: {}, return: 'metadata' } },
        },
        outputs: { address: outputOf('plain.databaseUrl'), all: outputOf('all') },
      },
    ),
  )
  const runs = [
    await project.run('config', 'set', '--secret', 'secretAddress', address.href),
    await project.run('config', 'set', '--secret', 'svc:adminSecret', ADMIN),
    await project.run('preview', '--diff'),
    await project.run('preview', '--json'),
    await project.run('up', '--yes', '--skip-preview', '--json'),
    await project.run('refresh', '--yes', '--skip-preview', '--json'),
    await project.run('up', '--yes', '--refresh', '--diff'),
    await project.run('stack', 'output'),
    await project.run('stack', 'export'),
  ]
  assert.deepEqual(
    runs.map(({ code }) => code),
    runs.map(() => 0),
    runs.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
  )
  assert.ok((await engine.metadata('export_metadata', {})).text.includes(DATABASE), 'the address did not arrive')
  assertNowhere(project, runs, ADMIN, DATABASE, HOOK)
  assert.match(
    runs[2]?.stdout ?? '',
    /webhook +: \[secret\][\s\S]*http:\/\/localhost:1\/open|http:\/\/localhost:1\/open[\s\S]*webhook +: \[secret\]/,
  )

  await t.test('a state in which it is open has no change', async () => {
    const { deployment, ...rest } = JSON.parse(await project.succeed('stack', 'export', '--show-secrets'))
    const opened = deployment.resources.map((one: { urn: string; inputs?: object; outputs?: object }) =>
      one.urn.endsWith('::hook')
        ? { ...one, inputs: { ...one.inputs, webhook }, outputs: { ...one.outputs, webhook } }
        : one,
    )
    project.write('state.txt', JSON.stringify({ ...rest, deployment: { ...deployment, resources: opened } }))
    await project.succeed('stack', 'import', '--file', 'state.txt')
    const { code, stdout, stderr } = await project.run('preview', '--expect-no-changes', '--diff')
    assert.equal(code, 0, stdout + stderr)
    assert.ok(!stdout.includes(HOOK))
    await project.up()
    assertNowhere(project, [], HOOK)
  })

  await t.test('not even where they do not work', async () => {
    const broken = `postgres://somebody:${DATABASE}@127.0.0.1:1/nothing`
    plain(broken)
    const failed = [await project.run('preview'), await project.run('up', '--yes', '--skip-preview')]
    assert.match(failed[1]?.stdout ?? '', /error: /)
    await project.succeed('config', 'set', '--secret', 'svc:adminSecret', `${ADMIN}-wrong`)
    const refused = await project.run('up', '--yes', '--skip-preview')
    assert.match(refused.stdout, /refuses the admin secret/)
    assertNowhere(project, [...failed, refused], ADMIN, DATABASE)
  })
})

test('addresses and headers that are written only are in no state, sealed or not, and are sent again with a new version', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase()
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const project = await createPulumiProject(engine, t)
  const address = (application: string) => {
    const url = new URL(database.url)
    url.searchParams.set('application_name', application)
    return url.href
  }
  const declare = (databaseUrlWoVersion: number, extra: object = {}) =>
    project.write(
      'Pulumi.yaml',
      program(
        {
          archive: {
            type: 'svc:Source',
            properties: { name: 'archive', databaseUrlWo: outputOf('address'), databaseUrlWoVersion, ...extra },
          },
          report: {
            type: 'svc:CronTrigger',
            properties: {
              name: 'report',
              webhook: 'http://localhost:1/report',
              schedule: '0 5 1 1 *',
              headersWo: { Authorization: outputOf('address') },
              headersWoVersion: databaseUrlWoVersion,
            },
          },
        },
        { config: { address: { type: 'string', secret: true } } },
      ),
    )
  const configured = async (application: string) =>
    project.succeed('config', 'set', '--secret', 'address', address(application))
  const addressThere = async () => (await engine.metadata('export_metadata', {})).text
  const stored = async (): Promise<readonly { readonly inputs?: object; readonly outputs?: object }[]> =>
    JSON.parse(await project.succeed('stack', 'export', '--show-secrets')).deployment.resources

  declare(1)
  await configured(DATABASE)
  const runs = [
    await project.run('preview', '--json'),
    await project.run('up', '--yes', '--skip-preview', '--json'),
    await project.run('preview', '--refresh', '--json', '--expect-no-changes'),
  ]
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0],
    runs.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
  )
  assert.ok((await addressThere()).includes(DATABASE), 'the address did not arrive')
  assertNowhere(project, runs, DATABASE)
  const resources = await stored()
  const held = resources.flatMap(({ inputs = {}, outputs = {} }) => [inputs, outputs]).flatMap(Object.keys)
  assert.equal(held.filter((name: string) => /^(databaseUrl|headers)WoVersion$/.test(name)).length, 4)
  assert.equal(held.filter((name: string) => name.endsWith('Wo')).length, 0)
  assert.equal(JSON.stringify(resources).includes(DATABASE), false, 'the state holds the address, sealed')

  await t.test('it remains until the version changes', async () => {
    await configured('another')
    assert.equal(await project.isChanged('--refresh'), false)
    declare(2)
    assert.deepEqual((await project.planned()).toSorted(), ['archive update', 'report update'])
    await project.up()
    assert.equal((await addressThere()).split('application_name=another').length, 3)
    assert.equal(JSON.stringify(await stored()).includes('another'), false)
  })

  await t.test('one that does not work is in no error', async () => {
    await project.succeed('config', 'set', '--secret', 'address', `postgres://x:${DATABASE}@127.0.0.1:1/nothing`)
    declare(3)
    const failed = [await project.run('preview'), await project.run('up', '--yes', '--skip-preview')]
    assert.match(failed[1]?.stdout ?? '', /error: /)
    assertNowhere(project, failed, DATABASE)
  })

  await t.test('together with another address it is refused', async () => {
    declare(3, { databaseUrlFromEnv: 'PG_URL' })
    assert.match((await project.run('preview')).stdout, /only one of .databaseUrl./)
  })
})
