/** A stack's preview is drafted in the engine, its update is held to what was approved, and what it breaks is said by the preview. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { createSvcFolder } from '../cli/svc.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { program } from './many-resources.ts'
import { createPulumiProject, type PulumiProject } from './pulumi.ts'
import { policyLibrary, withoutPolicies, withoutPulumi } from './requirements.ts'

const resources = (columns: readonly string[], more: object = {}) =>
  program(
    {
      account: { type: 'svc:Table', properties: { table: { name: 'account' } } },
      reader: {
        type: 'svc:SelectPermission',
        properties: { table: `\${account.table}`, role: 'reader', columns, filter: {} },
      },
    },
    more,
  )

/**
 * Adds the policy pack of examples/policies. The `pulumi-language-nodejs` that tools/pulumi-cli builds is older than the command line and
 * answers "not supported" where it is to run a pack: this one has a runtime of its own, which starts Pulumi's own module for packs.
 */
function addPolicies(project: PulumiProject): void {
  const { path, environment } = project
  const example = join(import.meta.dirname, '../../examples/policies/crossguard')
  const copied = (file: string) => readFileSync(join(example, file), 'utf8')
  project.write('policies/index.js', copied('index.js'))
  project.write('policies/package.json', copied('package.json'))
  project.write('policies/PulumiPolicy.yaml', copied('PulumiPolicy.yaml').replace('nodejs', 'here'))
  symlinkSync(policyLibrary, join(path, 'node_modules/@pulumi/policy'))
  mkdirSync(join(path, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../provider/bin/svc.js'), join(path, 'node_modules/.bin/svc'))
  project.write(
    'bin/pulumi-analyzer-policy-here',
    `#!/bin/sh\nexec '${process.execPath}' '${path}/node_modules/@pulumi/pulumi/cmd/run-policy-pack' "$@"\n`,
  )
  chmodSync(join(path, 'bin/pulumi-analyzer-policy-here'), 0o755)
  environment.PATH = [join(path, 'bin'), environment.PATH].join(delimiter)
}

test('an update makes what was drafted of its preview, another program is refused, and a preview says what it breaks', {
  skip: withoutPulumi,
}, async (t) => {
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, 'CREATE TABLE account (id int PRIMARY KEY, secret text)')
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const [project, cli] = await Promise.all([createPulumiProject(engine, t), createSvcFolder(engine, t)])
  const { environment } = project
  const permission = async () =>
    (await engine.metadata('export_metadata', {})).body.sources[0].tables[0]?.select_permissions?.[0].permission

  environment.SVC_GRAPHQL_PLAN_ID = randomUUID()
  project.write('Pulumi.yaml', resources(['id']))
  await project.succeed('preview')
  const planned = await cli.svc('plan', '--of', environment.SVC_GRAPHQL_PLAN_ID, '--draft')
  assert.equal(planned.code, 0, planned.stderr)
  environment.SVC_GRAPHQL_PLAN_ID = undefined
  environment.SVC_GRAPHQL_DRAFT = /^ {2}SVC_GRAPHQL_DRAFT=([0-9a-f]{64})$/m.exec(planned.stdout)?.[1]

  project.write('Pulumi.yaml', resources(['id', 'secret']))
  const other = await project.run('up', '--yes', '--skip-preview')
  assert.notEqual(other.code, 0)
  assert.match(
    other.stdout,
    /this is not what the draft [0-9a-f]{64} makes of select_permission reader in table account/,
  )
  assert.equal(await permission(), undefined)

  project.write('Pulumi.yaml', resources(['id']))
  await project.up('--skip-preview')
  assert.deepEqual((await permission()).columns, ['id'])
  environment.SVC_GRAPHQL_DRAFT = undefined

  const asked = await engine.post('/v1/graphql', { query: 'query Ids { account { id } }' }, { 'x-svc-role': 'reader' })
  assert.deepEqual(asked.body, { data: { account: [] } })
  await engine.metadata('get_usage', {})
  const invoke = { function: 'svc:getPreview', arguments: { after: [`\${reader.role}`] } }
  const more = { variables: { api: { 'fn::invoke': invoke } }, outputs: { broken: `\${api.breakingUsed}` } }
  project.write('Pulumi.yaml', resources(['secret'], more))
  const { said } = await project.preview()
  const [warning, ...others] = said.filter(({ severity }) => severity === 'warning')
  assert.deepEqual(others, [])
  assert.match(warning?.message ?? '', /breaking changes, \d+ of them used of the API at /)
  assert.match(warning?.message ?? '', /account\.id was removed\.\n\s+used by Ids once in 7 days, last today/)

  await t.test('which a policy pack refuses', { skip: withoutPolicies }, async () => {
    addPolicies(project)
    const preview = () => {
      environment.SVC_GRAPHQL_PLAN_ID = randomUUID()
      return project.run('preview', '--policy-pack', 'policies')
    }
    const refused = await preview()
    assert.notEqual(refused.code, 0)
    assert.match(
      refused.stdout + refused.stderr,
      /\[mandatory\][\s\S]*no-breaking-and-used[\s\S]*account\.id was removed\. It was used by Ids 1 times\./,
    )
    project.write('Pulumi.yaml', resources(['id', 'secret']))
    const allowed = await preview()
    assert.equal(allowed.code, 0, allowed.stdout + allowed.stderr)
  })
})
