/** Changes as code, in a real browser on a real engine. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import axe from 'axe-core'
import { strToU8, zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { filesWithoutSchemas } from '../../provider/src/directory/index.ts'
import { prepareConsole } from '../../tools/start/build-console.ts'
import { type Engine, startEngine } from '../engine.ts'
import { openPage, signIn, skip, startBrowser, write } from './open-page.ts'
import { tenDrafts, tenTables, trackedBefore } from './ten-kinds.ts'

const hostile = '<img src=x onerror="alert(1)">'

/** Operations that change nothing. */
const reads = /^(export_metadata|get_.*|pg_get_.*)$/

let engine: Engine
let browser: Browser

before(async () => {
  if (skip !== false) return
  await prepareConsole(process.cwd())
  engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_CONSOLE: 'true' } })
  browser = await startBrowser()
  await ask('/v2/query', {
    type: 'run_sql',
    args: {
      sql: `${tenTables}; CREATE TABLE "${hostile.replaceAll('"', '""')}" (id int CONSTRAINT odd_pkey PRIMARY KEY)`,
    },
  })
  await ask('/v1/metadata', trackedBefore)
})

after(async () => {
  await browser?.close()
  await engine?.stop()
})

async function ask(path: string, body: unknown, headers = {}) {
  const answer = await engine.post(path, body, headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function open(t: { after(cleanUp: () => Promise<void>): void }, address = '#/change') {
  const opened = await openPage(browser, engine.url)
  t.after(() => opened.context.close())
  await signIn(opened.page, engine.secret)
  await opened.page.getByRole('button', { name: 'Run' }).waitFor()
  await opened.page.evaluate(`location.hash = ${JSON.stringify(address)}`)
  await opened.page.getByRole('heading', { name: 'Change', exact: true }).waitFor()
  return opened
}

const textOf = (page: Page, file: string) => page.getByRole('region', { name: `Text of ${file}` }).innerText()

test('what a form declares is shown as code of each tool, and nothing is sent but reads and dry runs until it is applied', {
  skip,
}, async (t) => {
  const { page, complaints, sent } = await open(t)
  await page.getByLabel('Add', { exact: true }).selectOption('SelectPermission')
  await page.getByLabel('Name of table').fill('genre')
  await page.getByLabel('role', { exact: true }).fill('listener')
  await page.getByRole('checkbox', { name: 'id', exact: true }).check()
  await write(page, 'filter', '{"id": {"_gt": "many"}}')
  const refused = page.getByRole('alert').getByText('The engine would refuse it:')
  await refused.waitFor()
  await write(page, 'filter', '{"id": {"_gt": 5}}')
  await page.getByText('For listener:').waitFor()
  await page.getByText('select of genre: permission granted').waitFor()
  const changed = page.getByRole('region', { name: 'Changes of metadata/databases/default/tables/public_genre.yaml' })
  await changed.getByText('+ select_permissions:').waitFor()
  await page.getByRole('button', { name: 'Terraform' }).click()
  assert.match(
    await textOf(page, 'select_permission.tf'),
    /^resource "svc_select_permission" "genre_listener" \{\n {2}table {3}= \{ name = "genre" \}\n {2}role/,
  )
  await page.getByRole('button', { name: 'Pulumi TypeScript' }).click()
  assert.match(await textOf(page, 'index.ts'), /new svc\.SelectPermission\('genreListenerSelectPermission', \{/)
  await page.getByRole('button', { name: 'Pulumi YAML' }).click()
  assert.match(await textOf(page, 'Pulumi.yaml'), /type: "svc:SelectPermission"/)
  await page.getByRole('button', { name: 'JSON request' }).click()
  const request = JSON.parse(await textOf(page, 'request.json'))
  assert.equal(request.type, 'pg_create_select_permission')
  await page.reload()
  await page.getByText('For listener:').waitFor()
  assert.equal(await page.getByLabel('role', { exact: true }).inputValue(), 'listener', 'a reload loses nothing')
  for (const { method, body } of sent) {
    const { type = '', query = '', dry_run } = (body ?? {}) as { type?: string; query?: string; dry_run?: unknown }
    assert.ok(
      method === 'GET' ||
        reads.test(type) ||
        query.startsWith('{') ||
        query.startsWith('query ') ||
        query.includes('IntrospectionQuery') ||
        dry_run !== undefined,
      JSON.stringify(body),
    )
  }
  assert.deepEqual(
    (await ask('/v1/metadata', { type: 'export_metadata', args: {} })).sources[0].tables[0].select_permissions,
    undefined,
  )
  await page.getByRole('button', { name: 'Apply now' }).click()
  await page.getByText('Nothing is changed yet.').waitFor()
  const { changes } = await ask('/v1/metadata', { type: 'get_metadata_changes', args: { since_resource_version: 1 } })
  assert.deepEqual([changes.at(-1).object.type, changes.at(-1).by.actor], ['select_permission', 'console'])
  assert.deepEqual(complaints, [])
})

test('drafts of ten kinds are one change; what a tool declares is not applied from here unless the user says so', {
  skip,
}, async (t) => {
  const { page, complaints } = await open(t)
  await ask(
    '/v1/metadata',
    { type: 'pg_set_table_customization', args: { table: 'genre', configuration: { comment: 'By Terraform' } } },
    { 'user-agent': 'terraform-provider-svc/0.2.0', 'x-svc-actor': 'ada@host' },
  )
  await page.evaluate(`sessionStorage.setItem('svc-drafts', ${JSON.stringify(JSON.stringify(tenDrafts))})`)
  await page.reload()
  await page.getByText('11 changed').waitFor()
  await page.getByText('Terraform has declared what this engine has, last as ada@host').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Apply now' }).count(), 0)
  await page.getByLabel('Let this page apply changes').check()
  await page.getByRole('button', { name: 'Apply now' }).waitFor()
  await page.getByRole('button', { name: 'Terraform' }).click()
  await page.getByRole('region', { name: 'File event_trigger.tf' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('who owns what is changed is said before it is applied', { skip }, async (t) => {
  const configuration = { comment: 'Of the shop' }
  const tracked = { type: 'pg_set_table_customization', args: { table: 'genre', configuration } }
  await ask('/v1/metadata', tracked, { 'x-svc-owner': 'terraform shop' })
  t.after(() => ask('/v1/metadata', { type: 'set_object_owners', args: { owner: null } }))
  const values = JSON.stringify({ source: 'default', table: { schema: 'public', name: 'genre' } })
  const { page } = await open(t, `#/change?${new URLSearchParams({ add: 'Table', values })}`)
  await page.getByLabel('comment', { exact: true }).first().fill('Of the console')
  await page.getByText('What this engine has is owned by terraform shop').waitFor()
  await page.getByText('table genre in source default is owned by "terraform shop"').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Apply now' }).count(), 0)
})

test('all tables of a database are tracked by one change, whatever they are called', { skip }, async (t) => {
  const { page, complaints } = await open(t, '#/change?track=default')
  await page.getByText('3 changed').waitFor()
  await page.getByRole('link', { name: `table ${hostile}` }).click()
  await page.getByText('It is new.').waitFor()
  await page.getByText('More: is_enum').click()
  await page.getByLabel('custom_name', { exact: true }).fill('odd')
  await page.getByRole('button', { name: 'JSON request' }).click()
  await page.getByRole('region', { name: 'Text of request.json' }).getByText('"custom_name": "odd"').waitFor()
  await page.getByRole('button', { name: 'Forget all' }).click()
  await page.getByText('Nothing is changed yet.').waitFor()
  await page.evaluate("location.hash = '#/change?track=missing'")
  await page.waitForURL(/#\/change$/)
  assert.deepEqual(complaints, [])
})

test('an object that is there is changed or removed', { skip }, async (t) => {
  const values = JSON.stringify({ source: 'default', table: { schema: 'public', name: 'genre' } })
  const { page } = await open(t, `#/change?${new URLSearchParams({ add: 'Table', values })}`)
  await page.getByText('It is there already and is changed.').waitFor()
  await page.getByRole('button', { name: 'Remove it from the engine' }).click()
  await page.getByText('delete table genre').first().waitFor()
  await page.getByRole('button', { name: 'Terraform' }).click()
  await page.getByText('Delete from the program: Table default/public/genre.').waitFor()
})

test('what differs from a directory, a zip of it, a Terraform state or a Pulumi stack is found in the page, which sends nothing of it', {
  skip,
}, async (t) => {
  const { page, complaints, sent } = await open(t)
  const configuration = { custom_name: 'style', comment: 'Live' }
  await ask('/v1/metadata', { type: 'pg_set_table_customization', args: { table: 'genre', configuration } })
  const permission = { columns: ['id'], filter: { id: { _gt: 5 } } }
  await ask('/v1/metadata', {
    type: 'pg_create_select_permission',
    args: { table: 'genre', role: 'reader', permission },
  })
  await page.reload()
  await page.getByRole('navigation', { name: 'Views', exact: true }).getByRole('link', { name: 'Drift' }).click()
  const live = await ask('/v1/metadata', { type: 'export_metadata', args: {} })
  const files = new Map(filesWithoutSchemas(live))
  const folder = await mkdtemp(join(tmpdir(), 'svc-console-'))
  t.after(() => rm(folder, { recursive: true }))
  const take = async (chosen: Parameters<Page['setInputFiles']>[1], label = 'Zip, state or export') => {
    await page.getByLabel(label).setInputFiles(chosen)
  }
  const packed = (name: string) => ({
    name: 'shop.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(zipSync({ ...Object.fromEntries([...files].map(([path, text]) => [`shop/${name}/${path}`, strToU8(text)])), 'shop/README.md': strToU8('x') })), // biome-ignore format: one
  })
  await take(packed('metadata'))
  await page.getByText('Nothing differs from the metadata directory shop/metadata.').waitFor()

  const genre = 'databases/default/tables/public_genre.yaml'
  files.set(genre, '# as people write it\ntable: genre\nconfiguration: {custom_name: style, comment: "By whom?"}\n')
  files.set('databases/databases.yaml', `- name: default
  kind: postgres
  configuration:
    connection_info: { database_url: "postgres://svc:never-shown@db/music" }
  tables:
    - "!include default/tables/public_genre.yaml"
    - table: ${JSON.stringify(hostile)}
`) // biome-ignore format: a file
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await take(folder, 'Directory')
  const region = page.getByRole('main')
  await region.getByRole('heading', { name: `− table ${hostile} in source default is not in the engine` }).waitFor()
  await region.getByRole('row', { name: 'configuration.comment "By whom?" "Live"' }).waitFor()
  await region.getByRole('row', { name: /database_url "\*\*\*"/ }).waitFor()

  const attributes = { id: 'x', table: { schema: 'public', name: 'genre' }, source: 'default', role: 'reader', columns: ['id', 'name'], filter: '{"id":{"_gt":5}}' } // biome-ignore format: one
  const resource = (type: string, more: object) => ({
    mode: 'managed', type, name: 'one', provider: 'x', instances: [{ schema_version: 0, attributes: more }],
  }) // biome-ignore format: one
  const state = {
    version: 4,
    terraform_version: '1.11.0',
    resources: [
      resource('svc_select_permission', attributes),
      resource('svc_source', { id: 'default', name: 'default', database_url: 'postgres://svc:never-shown@db/music' }),
      resource('svc_access_token', { id: 'a', name: 'b' }),
    ],
  }
  const json = (name: string, content: object) => ({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) }) // biome-ignore format: one
  await take(json('terraform.tfstate', state))
  await region.getByText('differ from the Terraform state terraform.tfstate').waitFor()
  await region.getByText('declared as svc_select_permission.one').waitFor()
  await region.getByRole('row', { name: 'columns ["id","name"] ["id"]' }).waitFor()
  await region.getByRole('row', { name: 'database_url "***"' }).waitFor()
  assert.equal(await region.getByText('too old').count(), 0)

  const outputs = { source: 'default', table: attributes.table, role: 'nobody', columns: ['id'], filter: {} }
  const stack = { version: 3, deployment: { resources: [{ urn: 'urn:pulumi:a::b::svc:index:SelectPermission::theirs', custom: true, type: 'svc:index:SelectPermission', outputs }] } } // biome-ignore format: one
  await take(json('stack.json', stack))
  await region.getByText('declared as theirs').waitFor()
  await page.evaluate(axe.source)
  assert.deepEqual((await page.evaluate<{ violations: unknown[] }>('axe.run()')).violations, [])
  await region.getByRole('link', { name: 'select_permission nobody in table genre in source default' }).click()
  await page.getByRole('heading', { name: 'genre', exact: true }).waitFor()
  await page.goBack()
  await take(json('other.json', { a: 1 }))
  await page.getByRole('alert').waitFor()

  const secret = await page.evaluate('document.body.innerHTML + JSON.stringify({ ...sessionStorage })')
  assert.ok(!String(secret).includes('never-shown'))
  assert.ok(!JSON.stringify(sent).includes('never-shown') && !JSON.stringify(sent).includes('By whom?'))
  for (const { method, body } of sent) {
    const { type = '', query = '' } = (body ?? {}) as { type?: string; query?: string }
    assert.ok(method === 'GET' || reads.test(type) || query.startsWith('{') || query.includes('IntrospectionQuery'))
  }
  assert.deepEqual(complaints, [])
})
