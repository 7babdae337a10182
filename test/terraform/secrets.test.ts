/** Secrets stay where they are given: not in a log, a plan, an error, or a state. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import {
  createTerraformFolder,
  type Run,
  requiredProvider,
  type TerraformFolder,
  withoutTerraform,
} from './terraform.ts'

const skip = withoutTerraform
const ADMIN = 'canary-of-the-admin-secret'
const DATABASE = 'canary-of-the-database'

const source = `${requiredProvider}
variable "address" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "svc_source" "secret" {
  name                    = "secret"
  database_url_wo         = var.address
  database_url_wo_version = 1
}
`

async function setUp(t: TestContext): Promise<{ readonly engine: Engine; readonly folder: TerraformFolder }> {
  const database = await createTestDatabase()
  const engine = await startEngine({ databaseUrl: database.url, secret: ADMIN }, t)
  t.after(database.drop)
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', source)
  folder.environment.TF_LOG = 'TRACE'
  folder.environment.TF_LOG_PATH = join(folder.path, 'trace.log')
  const address = new URL(database.url)
  address.searchParams.set('application_name', DATABASE)
  folder.environment.TF_VAR_address = address.href
  return { engine, folder }
}

/** Of everything a run leaves: what it printed, and the files in its folder, plans unpacked. */
async function assertNowhere(
  folder: TerraformFolder,
  runs: readonly Run[],
  ...secrets: readonly string[]
): Promise<void> {
  const texts = new Map(runs.map(({ stdout, stderr }, i) => [`what run ${i} printed`, stdout + stderr]))
  for (const name of await readdir(folder.path)) {
    if (name.startsWith('.') || name.endsWith('.tf')) continue
    const bytes = await readFile(join(folder.path, name))
    texts.set(name, name.endsWith('.tfplan') ? unzip(bytes).join('\n') : bytes.toString('latin1'))
  }
  for (const [where, text] of texts)
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} is in ${where}`)
}

/** The files of a zip, by its directory at the end. */
function unzip(bytes: Buffer): readonly string[] {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const files: string[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((offset, i) =>
      i === 0 ? bytes.readUInt32LE(at + offset) : bytes.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    files.push((bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)).toString('latin1'))
    at += 46 + name + extra + comment
  }
  return files
}

test('neither the admin secret nor a write-only address is in a log, a plan, a state or an output', {
  skip,
}, async (t) => {
  const { engine, folder } = await setUp(t)
  const runs = [
    await folder.run('plan', '-no-color', '-out=a.tfplan'),
    await folder.run('show', '-json', 'a.tfplan'),
    await folder.run('apply', '-no-color', 'a.tfplan'),
    await folder.run('plan', '-json', '-detailed-exitcode'),
    await folder.run('apply', '-refresh-only', '-json', '-auto-approve'),
    await folder.run('state', 'pull'),
  ]
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0, 0, 0, 0],
    runs.map(({ stderr }) => stderr).join('\n'),
  )
  assert.ok((await engine.metadata('export_metadata', {})).text.includes(DATABASE), 'the address did not arrive')
  const shown = unzip(await readFile(join(folder.path, 'a.tfplan'))).join('')
  assert.ok(shown.includes('svc_source'), 'the plan was not unpacked')
  const log = await readFile(join(folder.path, 'trace.log'), 'utf8')
  assert.match(log, /\[DEBUG\].*request export_metadata/)
  assert.match(log, /request bulk_keep_going.*pg_add_source/)
  await assertNowhere(folder, runs, ADMIN, DATABASE)
})

test('an address that does not work, and a secret that is refused, are reported without being shown', {
  skip,
}, async (t) => {
  const { folder } = await setUp(t)
  folder.environment.TF_VAR_address = `postgres://somebody:${DATABASE}@127.0.0.1:1/nothing`
  const failed = [
    await folder.run('plan', '-no-color'),
    await folder.run('plan', '-json'),
    await folder.run('apply', '-no-color', '-auto-approve'),
    await folder.run('apply', '-json', '-auto-approve'),
  ]
  assert.match(failed[0]?.stderr ?? '', /Error: /)
  await assertNowhere(folder, failed, ADMIN, DATABASE)
  folder.environment.SVC_GRAPHQL_ADMIN_SECRET = `${ADMIN}-wrong`
  const refused = await folder.run('apply', '-no-color', '-auto-approve')
  assert.match(refused.stderr, /refuses the admin secret/)
  await assertNowhere(folder, [refused], ADMIN)
})

const HOOK = 'canary-of-a-webhook'

test('a password in the address of a webhook is warned of once, shown by no message, and by no plan behind a sensitive variable', {
  skip,
}, async (t) => {
  const { folder } = await setUp(t)
  const trigger = (webhook: string) => `${requiredProvider}
variable "hook" {
  type      = string
  sensitive = true
}
resource "svc_cron_trigger" "report" {
  name     = "report"
  webhook  = ${webhook}
  schedule = "0 5 1 1 *"
}
`
  await folder.write('main.tf', trigger('var.hook'))
  folder.environment.TF_VAR_hook = `http://robot:${HOOK}@localhost:1/report`
  const planned = await folder.run('plan', '-no-color', '-out=a.tfplan')
  assert.match(
    planned.stdout + planned.stderr,
    /Warning: webhook: a password in it is not kept secret[\s\S]*\{\{SHOP_PASSWORD\}\}[\s\S]*`webhook_from_env`[\s\S]*sensitive = true/,
  )
  const applied = await folder.run('apply', '-no-color', 'a.tfplan')
  assert.equal(applied.code, 0, applied.stderr)
  const again = await folder.run('plan', '-no-color', '-detailed-exitcode')
  assert.equal(again.code, 0, again.stdout + again.stderr)
  assert.doesNotMatch(again.stdout + again.stderr, /Warning/)
  for (const { stdout, stderr } of [planned, applied, again]) assert.ok(!(stdout + stderr).includes(HOOK))

  await folder.write('main.tf', trigger('"http://robot:{{HOOK_PASSWORD}}@localhost:1/report"'))
  const named = await folder.run('plan', '-no-color')
  assert.doesNotMatch(named.stdout + named.stderr, /Warning/)
})

const HEADER = 'canary-of-a-header'

const trigger = (version: number) => `${requiredProvider}
variable "token" {
  type      = string
  ephemeral = true
}
resource "svc_cron_trigger" "report" {
  name               = "report"
  webhook            = "http://localhost:1/report"
  schedule           = "0 5 1 1 *"
  headers            = [{ name = "x-who", value = "stack" }]
  headers_wo         = { Authorization = var.token }
  headers_wo_version = ${version}
  request_transform = {
    method = "PUT"
  }
  request_transform_add_headers_wo         = { x-key = var.token }
  request_transform_add_headers_wo_version = ${version}
}
`

test('headers that are written only are sent, in no state, no drift, and sent again with another version', {
  skip,
}, async (t) => {
  const { engine, folder } = await setUp(t)
  const live = async () => (await engine.metadata('export_metadata', {})).body.cron_triggers[0]
  const sent = (token: string) => [
    [
      { name: 'x-who', value: 'stack' },
      { name: 'Authorization', value: token },
    ],
    { 'x-key': token },
  ]
  const there = async () => {
    const { headers, request_transform } = await live()
    return [headers, request_transform.request_headers.add_headers]
  }
  folder.environment.TF_VAR_token = `${HEADER}-1`
  await folder.write('main.tf', trigger(1))
  const runs = [
    await folder.run('plan', '-no-color', '-out=a.tfplan'),
    await folder.run('apply', '-no-color', 'a.tfplan'),
    await folder.run('plan', '-json', '-detailed-exitcode'),
  ]
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0],
    runs.map(({ stderr }) => stderr).join('\n'),
  )
  assert.deepEqual(await there(), sent(`${HEADER}-1`))

  folder.environment.TF_VAR_token = `${HEADER}-2`
  assert.equal(await folder.isChanged(), false, 'nothing but the version says that there is another one')
  await folder.write('main.tf', trigger(2))
  runs.push(await folder.run('apply', '-json', '-auto-approve'))
  assert.deepEqual(await there(), sent(`${HEADER}-2`))
  await assertNowhere(folder, runs, HEADER)

  // what another attribute says is drift, as ever
  const { headers: _, ...others } = await live()
  await engine.metadata('create_cron_trigger', { ...others, headers: [], replace: true })
  assert.deepEqual(await folder.planned(), ['svc_cron_trigger.report update'])

  await folder.write('main.tf', trigger(2).replace('  headers_wo_version = 2\n', ''))
  const { stderr } = await folder.run('validate', '-no-color')
  assert.match(stderr, /headers_wo_version: is required where `headers_wo` is given/)
})
