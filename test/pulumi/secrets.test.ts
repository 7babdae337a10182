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
  project.write(
    'Pulumi.yaml',
    program(
      { plain: source('plain', outputOf('address')), marked: source('marked', outputOf('secretAddress')) },
      {
        config: { secretAddress: { type: 'string', secret: true } },
        variables: {
          address: { 'fn::readFile': './address.txt' },
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
    await project.run('up', '--yes', '--skip-preview', '--json'),
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
  assertNowhere(project, runs, ADMIN, DATABASE)

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
