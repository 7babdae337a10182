/**
 * Every fenced block of README.md, docs/ and docs/reference is run or compared by a test. A page with blocks says here by
 * which; `each` is a test that goes through all blocks of a language, a number one that picks them. The pages of Terraform
 * and Pulumi for single resources are generated, and their examples are files that tests apply (test/terraform/docs).
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface RunBy {
  readonly by: string
  readonly languages: Readonly<Record<string, number | 'each'>>
}

const serving = (name: string) => `test/serving/${name}.test.ts`
const each = (by: string, ...languages: readonly string[]): RunBy => ({
  by,
  languages: Object.fromEntries(languages.map((language) => [language, 'each'])),
})

const runBy: Readonly<Record<string, RunBy>> = {
  'README.md': each('test/start/docs.test.ts', 'sh', 'text'),
  'docs/access-tokens.md': each('test/admin/docs.test.ts', 'json'),
  'docs/actions.md': each(serving('action-docs'), 'sql', 'json', 'handler', 'graphql', 'request', 'answer'),
  'docs/adopt.md': each('test/adopt/docs.test.ts', 'console'),
  'docs/advice.md': each('test/cli/docs.test.ts', 'sql', 'yaml', 'console'),
  'docs/apollo-federation.md': each(serving('schema-docs'), 'sql', 'graphql', 'json'),
  'docs/authentication.md': { by: serving('docs-of-operation'), languages: { json: 5 } },
  'docs/bigquery.md': { by: 'test/bigquery/serving.test.ts', languages: { json: 1 } },
  'docs/cdk.md': each('test/cdk/docs.test.ts', 'ts', 'console'),
  'docs/clients.md': each(serving('clients'), 'sql', 'js'),
  'docs/cli.md': each('test/cli/docs.test.ts', 'sql', 'yaml', 'console'),
  'docs/drift.md': each('test/cli/docs.test.ts', 'sql', 'yaml', 'console'),
  'docs/dry-run.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/event-triggers.md': { by: 'test/events/docs.test.ts', languages: { json: 3 } },
  'docs/getting-started.md': each('test/start/docs.test.ts', 'sh', 'console'),
  'docs/graphql.md': each(serving('graphql-docs'), 'sql', 'graphql', 'json', 'sh'),
  'docs/inherited-roles.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/limits.md': { by: serving('docs-of-operation'), languages: { json: 1 } },
  'docs/metadata-api.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/migrate.md': each('test/cli/docs.test.ts', 'console'),
  'docs/migration.md': each('test/cli/import-from.test.ts', 'console'),
  'docs/mutations.md': each(serving('mutations-docs'), 'sql', 'graphql', 'json'),
  'docs/naming.md': each(serving('schema-docs'), 'sql', 'graphql', 'json'),
  'docs/native-queries.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/observability.md': { by: serving('docs-of-operation'), languages: { json: 1, yaml: 1 } },
  'docs/operations.md': each(serving('docs-of-operation'), 'sh', 'sql'),
  'docs/postgresql.md': each(serving('docs-of-operation'), 'sql'),
  'docs/drafts.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/usage.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/ownership.md': each('test/admin/docs.test.ts', 'json'),
  'docs/permission-tests.md': each('test/cli/docs.test.ts', 'sql', 'yaml', 'console'),
  'docs/preview.md': each('test/admin/docs.test.ts', 'sql', 'json'),
  'docs/pulumi.md': { by: 'test/pulumi/docs.test.ts', languages: { console: 'each', ts: 'each', yaml: 3 } },
  'docs/reference/arguments.md': each('test/admin/reference.test.ts', 'json'),
  'docs/relay.md': each(serving('schema-docs'), 'sql', 'graphql', 'json'),
  'docs/remote-relationships.md': each(serving('remote-relationships-docs'), 'sql', 'graphql-schema', 'json', 'graphql', 'answer'), // biome-ignore format: one line
  'docs/remote-schemas.md': each(serving('remote-schemas-docs'), 'graphql-schema', 'json', 'graphql', 'variables', 'answer'), // biome-ignore format: one line
  'docs/resources.md': { by: 'provider/src/resources/inherited-role.test.ts', languages: { ts: 1 } },
  'docs/routing.md': each(serving('routing-docs'), 'sql', 'json'),
  'docs/schedules.md': each('test/events/docs.test.ts', 'json'),
  'docs/performance.md': each('test/structure/baselines.test.ts', 'sql'),
  'docs/stored-queries.md': each(serving('stored-queries-docs'), 'sql', 'json', 'http'),
  'docs/subscriptions.md': each(serving('subscription-docs'), 'sql', 'json', 'graphql', 'text'),
  'docs/terraform.md': each('test/terraform/docs.test.ts', 'hcl', 'console'),
  'docs/tutorial.md': each('test/start/tutorial.test.ts', 'sh', 'sql', 'yaml', 'js', 'graphql', 'console'),
  'docs/transforms.md': each(serving('action-docs'), 'json', 'template', 'answer'),
}

/** What no test runs, by the first line that says something, and why. */
const notRun: readonly (readonly [page: string, line: string, reason: string])[] = [
  ['docs/adopt.md', 'svc adopt --pulumi adopted && cd adopted', 'installs the SDK from a built package; test/adopt/pulumi.test.ts runs the same steps'], // biome-ignore format: one line
  ['docs/architecture.md', 'export const eventTriggerEffects = defineEffects<TriggerEffect>({', 'a sketch with parts left out'], // biome-ignore format: one line
  ['docs/model.md', "export const cronTriggerPart: Part<ResolvedCronTrigger, 'cron_trigger'> = {", 'a sketch of a kind to come'], // biome-ignore format: one line
  ['docs/drift.md', 'svc drift --state terraform.tfstate', 'needs states of both tools; test/cli/drift-of-states.test.ts'], // biome-ignore format: one line
  ['docs/drift.md', '1 object drifted', 'output of the line above it; test/cli/drift-of-states.test.ts'],
  ['docs/drift.md', '"drift": true,', 'the form of --json, with values left out; test/cli/drift.test.ts'],
  ['docs/event-triggers.md', 'svc events ls --status error --since 2h', 'test/cli/events.test.ts runs them on events that failed'], // biome-ignore format: one line
  ['docs/getting-started.md', 'select_permissions:', 'a part of an example file, compared below'],
  ['docs/pulumi.md', 'svc:adoptExisting:', 'a part of a Pulumi.yaml; test/pulumi/music-store.test.ts sets it'],
  ['docs/pulumi.md', 'import pulumi_svc as svc', 'Python is not everywhere; test/pulumi/python-program.test.ts runs a program'], // biome-ignore format: one line
  ['docs/remote-schemas.md', 'the remote schema "crm" answered with null at "users.0.name", where its schema has String!', 'a text of test/serving/remote-answers.test.ts'], // biome-ignore format: one line
  ['docs/terraform.md', 'folder=terraform.d/plugins/registry.terraform.io/svc/svc/0.2.0/linux_amd64', 'for one platform; test/terraform/release.test.ts installs it so'], // biome-ignore format: one line
  ['docs/terraform.md', 'NODE_OPTIONS=--inspect provider/dist/bin/terraform-provider-svc --debug', 'compared by test/terraform/debugger.test.ts'], // biome-ignore format: one line
]

interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
}

const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }), ...globSync('docs/reference/*.md', { cwd: root })]

/** Blocks may be indented below an item of a list. */
const blocksIn = (page: string): readonly Block[] =>
  [...read(page).matchAll(/^( *)```([\w-]*)[^\n]*\n(.*?)^\1```$/gms)].map(([, , language = '', text = '']) => ({
    page,
    language,
    text,
  }))

const blocks = pages.flatMap(blocksIn)

const isNamed = ({ page, text }: Block) =>
  notRun.some(([of, line]) => of === page && text.split('\n').some((one) => one.trim() === line))

test('every example of the pages is run by a test', () => {
  assert.ok(blocks.length > 280)
  const missing = blocks
    .filter((block) => !isNamed(block) && runBy[block.page]?.languages[block.language] === undefined)
    .map(({ page, language, text }) => `${page}: ${language} ${text.slice(0, 60)}`)
  assert.deepEqual(missing, [])
})

test('of tests that pick examples, as many are there as they pick', () => {
  for (const [page, { languages }] of Object.entries(runBy))
    for (const [language, count] of Object.entries(languages)) {
      const found = blocks.filter((block) => block.page === page && block.language === language && !isNamed(block))
      if (count === 'each') assert.ok(found.length > 0, `${page} has no ${language}`)
      else assert.equal(found.length, count, `${page}: ${language}`)
    }
})

test('the tests are there and read those pages', () => {
  for (const [page, { by }] of Object.entries(runBy)) {
    assert.ok(existsSync(join(root, page)), page)
    assert.ok(read(by).includes(basename(page, '.md')) || page.startsWith('docs/reference/'), `${by} reads ${page}`)
  }
  for (const [page, line, reason] of notRun) {
    assert.ok(
      blocks.some((block) => block.page === page && isNamed(block) && block.text.includes(line)),
      line,
    )
    for (const [file] of reason.matchAll(/test\/[\w/-]+\.test\.ts/g)) assert.ok(existsSync(join(root, file)), file)
  }
})

test('docs/getting-started.md quotes a permission of the example as it is', () => {
  const quoted = blocks.find(({ page, language }) => page === 'docs/getting-started.md' && language === 'yaml')
  const [shown] = parse(quoted?.text ?? '').select_permissions
  const table = parse(read('examples/music-store/metadata/databases/default/tables/public_customer.yaml'))
  const real = table.select_permissions.find(({ role }: { role: string }) => role === shown.role)
  assert.deepEqual({ ...real, permission: { ...real.permission, ...shown.permission } }, real)
})

test('parts of programs in docs/pulumi.md name what the schema of the package has', () => {
  const { resources } = JSON.parse(read('sdk/schema.json'))
  const parts = blocks.filter(
    ({ page, language, text }) => page === 'docs/pulumi.md' && language === 'yaml' && text.includes('resources:'),
  )
  assert.equal(parts.length, 3)
  for (const { text } of parts)
    for (const { type, properties } of Object.values<{ type: string; properties: object }>(parse(text).resources)) {
      const known = Object.keys(resources[type.replace(':', ':index:')].inputProperties)
      for (const name of Object.keys(properties)) assert.ok(known.includes(name), `${type}: ${name}`)
    }
})
