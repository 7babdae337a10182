/**
 * The workflow files of examples/ci: every command of them is run, in a project that installs what is published, with
 * the token that the CI signs for its event and the least scope that docs/access-tokens.md names. A change request
 * shows what would change and can do nothing else, a push applies, and the drift check is quiet until another client
 * interferes, then fails and names it.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { cachedPulumiPackage } from '../../tools/bundle-sdk.ts'
import { cachedTerraformProvider } from '../../tools/bundle-terraform.ts'
import { createMusicTables } from '../cli/music-tables.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import { withoutPulumi } from '../pulumi/requirements.ts'
import { type Issuer, startIssuer } from '../security/oidc-issuer.ts'
import { requiredProvider, withoutTerraform } from '../terraform/terraform.ts'
import { type Event, githubSteps, gitlabAfterwards, gitlabSteps, runSteps, type StepRun } from './workflow.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const fileOf = (ci: string, tool: string) => join(root, 'examples/ci', ci, `${tool}.yml`)
const textOf = (ci: string, tool: string) => readFile(fileOf(ci, tool), 'utf8')

const page = readFileSync(join(root, 'docs/access-tokens.md'), 'utf8')
const cellsOf = (first: string) =>
  page
    .match(new RegExp(`^\\| ${first} \\|.*$`, 'm'))?.[0]
    .split('|')
    .slice(1, -1) ?? []
const codeIn = (cell = '') => /`(.+)`/.exec(cell)?.[1] ?? ''

/** The least scope for a `drift`, a `plan` or an `apply`. */
const leastScope = (of: string) => ({ allow: codeIn(cellsOf(of)[2]) })

type Claims = Readonly<Record<string, string | readonly string[]>>

/** The claims of a plan and of an apply that the page has for a CI, each to be trusted with the least scope. */
function trustsOf(ci: string): readonly { readonly claims: Claims; readonly scopes: readonly object[] }[] {
  const [, , ...claims] = cellsOf(ci)
  return [leastScope('plan'), leastScope('apply')].map((scope, i) => ({
    claims: JSON.parse(codeIn(claims[i])) as Claims,
    scopes: [scope],
  }))
}

/** What a CI signs of a run of its main branch, or of a change request. */
const claimsOf: Readonly<Record<string, (event: Event) => Readonly<Record<string, string>>>> = {
  GitHub: (event) => ({
    repository: 'acme/shop',
    ref: event === 'change request' ? 'refs/pull/12/merge' : 'refs/heads/main',
    event_name: event === 'change request' ? 'pull_request' : event,
  }),
  GitLab: (event) => ({
    project_path: 'acme/shop',
    ref: event === 'change request' ? 'more' : 'main',
    ref_protected: String(event !== 'change request'),
    pipeline_source: event === 'change request' ? 'merge_request_event' : event,
  }),
}

const linesOf = (script: string) => script.split('\n').filter((line) => line.trim() !== '')

for (const tool of ['svc', 'terraform', 'pulumi'])
  test(`what GitLab runs for ${tool} are the commands that GitHub runs, at the same events`, async () => {
    const github = githubSteps(await textOf('github', tool))
    const gitlab = gitlabSteps(await textOf('gitlab', tool))
    for (const event of [null, 'change request', 'push', 'schedule'] as const) {
      const of = (steps: typeof github) =>
        steps.flatMap((step) => (step.event === event ? linesOf(step.script) : [])).map((line) => line.trim())
      assert.deepEqual(of(gitlab), of(github))
      assert.ok(of(github).length > 0)
    }
    // what the test of the comment runs
    const comment = async (of: string) => gitlabAfterwards(await textOf('gitlab', of), 'preview').script
    assert.equal(await comment(tool), await comment('svc'))
  })

for (const tool of ['svc', 'terraform', 'pulumi'])
  test(`a scheduled run of ${tool} never cancels an apply that waits`, async () => {
    const { concurrency } = parse(await textOf('github', tool)) as { readonly concurrency: { readonly group: string } }
    const groupAt = (event: string) =>
      concurrency.group.replace(/\$\{\{ github\.event_name == 'schedule' && '(\w+)' \|\| '(\w+)' \}\}/, (_, yes, no) =>
        event === 'schedule' ? yes : no,
      )
    assert.notEqual(groupAt('schedule'), groupAt('push'))
    assert.equal(groupAt('push'), groupAt('pull_request'))
  })

test('the examples hold no secret of the engine, and the token of each event does what the event is for', async () => {
  for (const tool of ['svc', 'terraform', 'pulumi']) {
    const [github, gitlab] = [parse(await textOf('github', tool)), parse(await textOf('gitlab', tool))]
    assert.doesNotMatch(JSON.stringify([github, gitlab]), /ADMIN_SECRET|secrets\.SVC/)
    assert.equal(github.permissions['id-token'], 'write')
    assert.equal(github.env.SVC_GRAPHQL_OIDC_AUDIENCE, 'svc')
    assert.deepEqual(gitlab.default.id_tokens, { SVC_GRAPHQL_TOKEN: { aud: 'svc' } })
  }
  const operations = [
    { path: '/v1/metadata', body: { type: 'export_metadata', args: {} }, needs: null },
    { path: '/v1/metadata', body: { type: 'clear_metadata', args: {}, dry_run: true }, needs: null },
    { path: '/v1/metadata', body: { type: 'clear_metadata', args: {} }, needs: 'change' },
    { path: '/v2/query', body: { type: 'run_sql', args: { sql: 'SELECT 1' } }, needs: 'sql' },
    { path: '/v1/metadata', body: { type: 'redeliver_event', args: {} }, needs: 'events' },
    { path: '/v1/graphql/explain', body: { query: { query: '{ artist { id } }' } }, needs: 'explain' },
  ]
  for (const [ci, of] of Object.entries(claimsOf))
    for (const event of ['change request', 'push', 'schedule'] as const) {
      const token = await issuer.token({ ...of(event), aud: 'svc' })
      for (const { path, body, needs } of operations) {
        const { status, text } = await engine.post(path, body, {
          'x-svc-admin-secret': null,
          'x-svc-access-token': token,
        })
        const may = needs === null || (needs === 'change' && event === 'push')
        assert.equal(status, may ? 200 : 403, `${ci} ${event} ${text}`)
        if (!may) assert.match(JSON.parse(text).error, new RegExp(`needs the scope "${needs}"`))
      }
      for (const stranger of [{ repository: 'evil/shop', project_path: 'evil/shop' }, { aud: 'other' }]) {
        const forged = await issuer.token({ ...of(event), aud: 'svc', ...stranger })
        const headers = { 'x-svc-admin-secret': null, 'x-svc-access-token': forged }
        assert.equal((await engine.post('/v1/metadata', { type: 'export_metadata', args: {} }, headers)).status, 401)
      }
    }
})

/** A project in a folder as a checkout has it, its packages yet to be installed. */
interface Project {
  readonly path: string
  readonly env: NodeJS.ProcessEnv
  /** Declares one permission, with these columns. */
  declare(columns: readonly string[]): Promise<void>
}

/** Of a preview what does not depend on the order or the speed of a run. */
const shownIn = (preview: string) =>
  preview
    .split('\n')
    .filter((line) => !/Duration/.test(line))
    .sort()

/** What is common to all tools: the life of the project through its pipeline. */
async function runPipeline(tool: string, project: Project, previewed: RegExp): Promise<void> {
  const workflow = await textOf('github', tool)
  const steps = githubSteps(workflow)
  const variables = literalVariables(workflow)
  const withToken = (event: Event) => ({ ...variables, ...signedFor(event) })
  const runWith = (credentials: NodeJS.ProcessEnv, event: Event | null, name = /./) =>
    runSteps(
      steps.filter((step) => step.event === event && name.test(step.name)),
      project.path,
      { ...project.env, ...credentials },
    )
  const run = (event: Event | null) => runWith(event === null ? variables : withToken(event), event)
  const planned = async (credentials: NodeJS.ProcessEnv) => {
    await rm(join(project.path, 'comment.md'), { force: true })
    succeeded(await runWith(credentials, 'change request', /^(Plan|Preview)$/))
    return shownIn(await readFile(join(project.path, 'comment.md'), 'utf8'))
  }
  const succeeded = (runs: readonly StepRun[]) => {
    for (const { name, code, output } of runs) assert.equal(code, 0, `${name}:\n${output}`)
  }
  await project.declare(['id'])
  succeeded(await run(null))
  const pushed = await run('push')
  succeeded(pushed)
  if (tool === 'svc')
    assert.match(pushed.at(-1)?.output ?? '', /^warning: .*no scope "sql"[\s\S]*^0 to consider, 0 silenced$/m)
  assert.deepEqual(await columnsOf(), ['id'])

  const { body } = await engine.metadata('get_audit_log', { limit: 1 })
  assert.match(body.entries[0].actor, /^oidc GitHub-apply .*\(repository acme\/shop\)/)

  await project.declare(['id', 'name'])
  succeeded(await run('change request'))
  assert.match(await readFile(join(project.path, 'comment.md'), 'utf8'), previewed)
  assert.deepEqual(
    await planned(withToken('change request')),
    await planned({ SVC_GRAPHQL_ADMIN_SECRET: engine.secret }),
  )
  // and it can do nothing else
  const refused = await runWith(withToken('change request'), 'push')
  assert.notEqual(refused[0]?.code, 0)
  assert.match(refused[0]?.output ?? '', /needs\s+the\s+(│\s+)?scope\s+"change"/)
  assert.deepEqual(await columnsOf(), ['id'])

  await project.declare(['id'])
  succeeded(await run('schedule'))
  const drifted = () => runWith({ SVC_GRAPHQL_TOKEN: driftToken }, 'schedule', /who changed what/)
  succeeded(await drifted())
  await interfere()
  const [{ code, output } = { code: 0, output: '' }] = await drifted()
  assert.deepEqual([code, /1 object drifted/.test(output)], [2, true], output)
  const drift = await run('schedule')
  assert.ok(drift.length > 0)
  for (const { name, code, output } of drift)
    assert.ok(code !== 0 && code !== 1, `${name} ended with ${code}:\n${output}`)
  assert.match(drift[0]?.output ?? '', /1 object drifted\n.* artist [\s\S]* by mia@laptop at /)
}

const table = { schema: 'public', name: 'artist' }

async function columnsOf(): Promise<unknown> {
  const { body } = await engine.metadata('export_metadata', {})
  return body.sources[0].tables[0].select_permissions[0].permission.columns
}

async function interfere(): Promise<void> {
  const permission = { columns: ['id', 'owner'], filter: {} }
  const operations = [
    { type: 'pg_drop_select_permission', args: { table, role: 'user' } },
    { type: 'pg_create_select_permission', args: { table, role: 'user', permission } },
  ]
  const actor = { 'x-svc-actor': 'mia@laptop' }
  const { status, text } = await engine.post('/v1/metadata', { type: 'bulk_atomic', args: operations }, actor)
  assert.equal(status, 200, text)
}

let engine: Engine
const ends: (() => Promise<void>)[] = []
let issuer: Issuer
/** Where runs of GitHub ask for their tokens: `/push`, say. */
let signer: string
/** A token that may do what a drift check needs. */
let driftToken: string
let initial: { readonly sources: readonly object[] }
before(async () => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  engine = await startEngine({ databaseUrl: database.url })
  initial = (await engine.metadata('export_metadata', {})).body
  issuer = await startIssuer({ after: (end) => ends.push(end) })
  signer = await startSigner()
  for (const ci of ['GitHub', 'GitLab'])
    for (const [i, trust] of trustsOf(ci).entries()) {
      const { status, text } = await engine.metadata('create_oidc_trust', {
        name: `${ci}-${i === 0 ? 'plan' : 'apply'}`,
        issuer: issuer.url,
        audiences: ['svc'],
        ...trust,
      })
      assert.equal(status, 200, text)
    }
  const made = await engine.metadata('create_access_token', { name: 'drift', scopes: [leastScope('drift')] })
  driftToken = made.body.token
})
beforeEach(async () => {
  const { status, text } = await engine.metadata('replace_metadata', initial)
  assert.equal(status, 200, text)
})
after(async () => {
  for (const end of ends) await end()
  await engine.stop()
})

/** The packages as they are published, as far as a pipeline uses them: `npm ci` installs them without a registry. */
async function publish(
  path: string,
  packages: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  const names = Object.keys(packages)
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:vendor/${name}`]))
  const manifests = Object.fromEntries(
    Object.entries(packages).map(([name, bin]) => [name, { name, version: '0.2.0', bin }]),
  )
  for (const [name, manifest] of Object.entries(manifests)) {
    await mkdir(join(path, 'vendor', name, 'bin'), { recursive: true })
    await writeFile(join(path, 'vendor', name, 'package.json'), JSON.stringify(manifest))
  }
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', dependencies }))
  const locked = {
    '': { name: 'project', version: '1.0.0', dependencies },
    ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { resolved: `vendor/${name}`, link: true }])),
    ...Object.fromEntries(names.map((name) => [`vendor/${name}`, manifests[name]])),
  }
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages: locked }
  await writeFile(join(path, 'package-lock.json'), JSON.stringify(lock))
}

const svc = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'provider/bin/svc.js')}' "$@"\n`

async function publishProvider(path: string, more: Parameters<typeof publish>[1] = {}): Promise<string> {
  await publish(path, { '@svc/provider': { svc: 'bin/svc' }, ...more })
  const bin = join(path, 'vendor/@svc/provider/bin')
  await writeFile(join(bin, 'svc'), svc, { mode: 0o755 })
  return bin
}

/** As in a pipeline that has nothing of this machine's settings. */
function environment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_|TF_|PULUMI_|CI$|CI_|GITHUB_|GITLAB_|BUILD|NODE_|npm_)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    CHECKPOINT_DISABLE: '1',
    SVC_GRAPHQL_ENDPOINT: engine.url,
  }
}

async function startSigner(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://github.test')
    const event = decodeURIComponent(pathname.slice(1)) as Event
    if (request.headers.authorization !== 'Bearer canary') return response.writeHead(401).end()
    const aud = searchParams.get('audience') ?? ''
    return response.end(JSON.stringify({ value: await issuer.token({ ...claimsOf.GitHub?.(event), aud }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What GitHub has in the environment of a run that may ask for tokens. */
const signedFor = (event: Event): NodeJS.ProcessEnv => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `${signer}/${encodeURIComponent(event)}`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'canary',
})

/** Of a GitHub workflow those that hold in each repository. */
const literalVariables = (workflow: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries((parse(workflow) as { readonly env: Readonly<Record<string, string>> }).env).filter(
      ([, value]) => !value.includes('${{'),
    ),
  )

async function temporary(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-ci-'))
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

const posix = process.platform === 'win32' ? 'the commands are of a POSIX shell' : false
const linux = process.platform === 'linux' && process.arch === 'x64' ? false : 'the workflow is for Linux'

test('the metadata directory in a pipeline', { skip: posix }, async (t) => {
  const path = await temporary(t)
  await publishProvider(path)
  await mkdir(join(path, 'metadata'))
  await writeFile(join(path, 'config.yaml'), 'version: 3\n')
  await mkdir(join(path, 'migrations/default/1_music'), { recursive: true })
  const migration = 'CREATE TABLE artist (id integer PRIMARY KEY, name text, owner text);\n'
  await writeFile(join(path, 'migrations/default/1_music/up.sql'), migration)
  await mkdir(join(path, 'tests'))
  const works = '{ role: user, tests: [{ name: works, query: "{ artist { id } }", data: { artist: [] } }] }\n'
  await writeFile(join(path, 'tests/user.yaml'), works)
  const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', path, ...args])
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  await git('init', '-q', '-b', 'main')
  const [source] = initial.sources
  const declare = async (columns: readonly string[]) => {
    const permission = { role: 'user', permission: { columns, filter: {} } }
    const sources = [{ ...source, tables: [{ table, select_permissions: [permission] }] }]
    await mkdir(join(path, 'metadata/databases'), { recursive: true })
    await writeFile(join(path, 'metadata/version.yaml'), 'version: 3\n')
    await writeFile(join(path, 'metadata/databases/databases.yaml'), JSON.stringify(sources))
    // what the first push has is the base of the change request
    if (columns.length > 1) return
    await git('add', 'config.yaml', 'migrations', 'tests', 'metadata')
    await git(...author, 'commit', '-q', '--allow-empty', '-m', 'project')
  }
  const env = { ...environment(path), BASE: 'main' }
  const comment =
    /nothing would be refused, 0 breaking changes, 1 test passed[\s\S]*artist\.name was added[\s\S]* {4}.*permission\.columns: \["id"\] -> /
  await runPipeline('svc', { path, env, declare }, comment)
  assert.match(await readFile(join(path, 'tests.xml'), 'utf8'), /<testcase [^>]*name="works"/)
})

test('a merge request on GitLab has one comment of the pipeline, whatever people write', { skip: posix }, async (t) => {
  const path = await temporary(t)
  const mark = '<!-- svc metadata -->'
  const own = { id: 7 }
  const notes = [
    ...Array.from({ length: 100 }, (_, id) => ({ id: 100 + id, author: { id: 8 }, body: 'looks right' })),
    { id: 1, author: { id: 8 }, body: `${mark}\nmine` },
    { id: 2, author: own, body: 'a release' },
  ]
  const base = '/api/v4/projects/3/merge_requests/12/notes'
  const api = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gitlab.test')
    const { body = '' } = JSON.parse((await text(request)) || '{}') as { readonly body?: string }
    const answer = (status: number, json: unknown) => response.writeHead(status).end(JSON.stringify(json))
    if (request.headers['private-token'] !== 'canary') return answer(401, {})
    if (request.method === 'GET' && pathname === '/api/v4/user') return answer(200, own)
    if (request.method === 'GET' && pathname === base) {
      const from = (Number(searchParams.get('page')) - 1) * 100
      response.setHeader('x-next-page', from + 100 < notes.length ? String(from / 100 + 2) : '')
      return answer(200, notes.slice(from, from + 100))
    }
    if (request.method === 'POST' && pathname === base) return answer(201, notes.push({ id: 3, author: own, body }))
    const changed = notes.find(({ id }) => request.method === 'PUT' && pathname === `${base}/${id}`)
    if (!changed) return answer(404, {})
    changed.body = body
    return answer(200, changed)
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  t.after(() => api.close())
  const { port } = api.address() as AddressInfo
  const env = {
    ...environment(path),
    CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    CI_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '12',
  }
  const step = gitlabAfterwards(await textOf('gitlab', 'svc'), 'preview')
  const run = async (given: NodeJS.ProcessEnv, comment: string) => {
    await writeFile(join(path, 'comment.md'), comment)
    const [{ code, output } = { code: null, output: '' }] = await runSteps([step], path, given)
    return { code, output }
  }
  const before = structuredClone(notes)
  assert.deepEqual(await run(env, 'of a fork'), { code: 0, output: '' })
  assert.deepEqual(notes, before)
  const token = { ...env, GITLAB_TOKEN: 'canary' }
  for (const comment of ['first', 'second']) {
    assert.deepEqual(await run(token, comment), { code: 0, output: '' })
    assert.deepEqual(notes, [...before, { id: 3, author: own, body: `${mark}\n${comment}` }])
  }
  const refused = await run({ ...env, GITLAB_TOKEN: 'expired' }, 'third')
  assert.notEqual(refused.code, 0)
  assert.match(refused.output, /GET .*\/user was answered with 401/)
})

test('Terraform in a pipeline', { skip: withoutTerraform || linux }, async (t) => {
  const path = await temporary(t)
  const bin = await publishProvider(path)
  await cp(await cachedTerraformProvider(), join(bin, 'terraform-provider-svc'))
  const declare = (columns: readonly string[]) =>
    writeFile(
      join(path, 'main.tf'),
      `${requiredProvider}
resource "svc_table" "artist" {
  table = { name = "artist" }
}

resource "svc_select_permission" "artist" {
  table   = svc_table.artist.table
  role    = "user"
  columns = ${JSON.stringify(columns)}
  filter  = jsonencode({})
}
`,
    )
  const env = { ...environment(path), TF_IN_AUTOMATION: 'true', TF_INPUT: 'false' }
  await runPipeline(
    'terraform',
    { path, env, declare },
    /\+ "name"[\s\S]*Plan: 0 to add, 1 to change[\s\S]* in the API\n\n### Role `user`[\s\S]*artist\.name was added/,
  )
})

test('Pulumi in a pipeline', { skip: withoutPulumi || posix }, async (t) => {
  const { path, environment: pulumi, succeed } = await createPulumiProject(engine, t)
  await publishProvider(path, { '@svc/pulumi': {} })
  await cp(join(await cachedPulumiPackage(), 'plugin'), join(path, 'vendor/@svc/pulumi/plugin'), { recursive: true })
  const declare = (columns: readonly string[]) =>
    writeFile(
      join(path, 'Pulumi.yaml'),
      `name: project
runtime: yaml
plugins:
  providers:
    - name: svc
      path: node_modules/@svc/pulumi/plugin
resources:
  artist:
    type: svc:Table
    properties:
      table: { name: artist }
  listeners:
    type: svc:SelectPermission
    properties:
      table: \${artist.table}
      role: user
      columns: ${JSON.stringify(columns)}
      filter: {}
`,
    )
  await declare(['id'])
  await succeed('stack', 'ls')
  const env = { ...environment(path), ...pulumi, PULUMI_STACK: 'test' }
  await runPipeline(
    'pulumi',
    { path, env, declare },
    /\+ \[1\]: "name"[\s\S]* in the API\n\n### Role `user`[\s\S]*artist\.name was added/,
  )
})
