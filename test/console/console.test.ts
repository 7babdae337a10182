/** The console in a real browser, on a real engine. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { tableViews, views } from '../../console/src/navigate/views.ts'
import { prepareConsole } from '../../tools/start/build-console.ts'
import { type Engine, startEngine } from '../engine.ts'
import { openPage, picture, signIn, skip, startBrowser, write } from './open-page.ts'

/** What stands in names and rows; pictures for the docs have a text that people write. */
const hostile = process.env.SVC_SCREENSHOTS ? 'see the annex' : '<img src=x onerror="alert(1)">'
interface Report {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

let engine: Engine
let browser: Browser

before(async () => {
  if (skip !== false) return
  await prepareConsole(process.cwd())
  engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_CONSOLE: 'true', SVC_GRAPHQL_DISABLE_EVENTING: 'true' } })
  browser = await startBrowser()
  const sql = `CREATE TABLE customer (id int PRIMARY KEY, name text NOT NULL);
    CREATE TABLE invoice (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, total numeric NOT NULL, note text);
    CREATE TABLE "${hostile.replaceAll('"', '""')}" (id int CONSTRAINT odd_pkey PRIMARY KEY);
    CREATE TABLE left_out (id int PRIMARY KEY);
    INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bo');
    INSERT INTO invoice SELECT n, 1 + n % 2, n, '${hostile}' FROM generate_series(1, 120) AS n;
    DO $$ BEGIN FOR n IN 1..1000 LOOP EXECUTE format('CREATE TABLE many_%s (id int PRIMARY KEY, c_%s text)', n, n); END LOOP; END $$`
  await ask('/v2/query', { type: 'run_sql', args: { sql } })
  const customer = { _eq: 'X-Svc-Customer-Id' }
  const operations = [
    ['pg_track_tables', { tables: ['customer', 'invoice', ...Array.from({ length: 1000 }, (_, n) => `many_${n + 1}`)] }],
    ['pg_track_table', { table: hostile, configuration: { custom_name: 'odd', comment: hostile } }],
    ['pg_create_object_relationship', { table: 'invoice', name: 'customer', using: { foreign_key_constraint_on: 'customer_id' } }],
    ['pg_create_select_permission', { table: 'invoice', role: 'customer', comment: hostile, permission: { columns: ['id', 'total', 'note'], filter: { customer_id: customer, total: { _gt: 5 } }, limit: 500 } }],
    ['pg_create_select_permission', { table: 'many_777', role: 'auditor', permission: { columns: ['c_777'], filter: {} } }],
    ['add_inherited_role', { role_name: 'manager', role_set: ['customer', 'auditor'] }],
    ['pg_create_event_trigger', { name: 'on_invoice', table: 'invoice', insert: { columns: '*' }, webhook: 'http://127.0.0.1:9/', cleanup_config: { schedule: '0 3 * * *', clear_older_than: 168, paused: true } }],
    ['create_scheduled_event', { webhook: 'http://127.0.0.1:9/', schedule_at: '2060-01-01T00:00:00Z', event_id: 'to-come' }],
    ['create_scheduled_event', { webhook: 'http://127.0.0.1:9/', schedule_at: '2060-01-02T00:00:00Z', event_id: 'over' }],
    ['create_query_collection', { name: 'stored', definition: { queries: [{ name: 'one', query: '{ invoice { id } }' }] } }],
    ['create_rest_endpoint', { name: 'all_invoices', url: 'invoices', methods: ['GET'], definition: { query: { collection_name: 'stored', query_name: 'one' } } }],
  ] // biome-ignore format: one operation a line
  for (const [type, args] of operations) await ask('/v1/metadata', { type, args })
  const invoices = { comment: 'What customers owe' }
  await ask('/v1/metadata', { type: 'pg_set_table_customization', args: { table: 'invoice', configuration: invoices } }, { 'x-svc-owner': 'terraform shop' }) // biome-ignore format: one
  const events = `INSERT INTO invoice SELECT n, 1, 1, 'sent' FROM generate_series(1000, 1100) AS n;
    UPDATE svc_catalog.event_log SET delivered = true;
    UPDATE svc_catalog.svc_scheduled_events SET status = 'delivered' WHERE id = 'over'`
  await ask('/v2/query', { type: 'run_sql', args: { sql: events } })
})

after(async () => {
  await browser?.close()
  await engine?.stop()
})

async function ask(path: string, body: unknown, headers = {}) {
  const answer = await engine.post(path, body, headers)
  assert.equal(answer.status, 200, answer.text)
}

async function signedIn(t: { after(cleanUp: () => Promise<void>): void }, scheme?: 'light' | 'dark') {
  const opened = await openPage(browser, engine.url, scheme)
  t.after(() => opened.context.close())
  await signIn(opened.page, engine.secret)
  await opened.page.getByRole('button', { name: 'Run' }).waitFor()
  return opened
}

const go = (page: Page, view: string) =>
  page.getByRole('navigation', { name: 'Views', exact: true }).getByRole('link', { name: view }).click()

test('the secret is requested, stored for the tab only, and is in no address', { skip }, async (t) => {
  const { context, page, sent } = await openPage(browser, engine.url)
  t.after(() => context.close())
  await signIn(page, 'wrong')
  await page.getByRole('alert').getByText('invalid').waitFor()
  await signIn(page, engine.secret)
  await page.getByRole('button', { name: 'Run' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Run' }).waitFor()
  assert.deepEqual(
    sent.filter(({ url }) => url.includes(engine.secret)),
    [],
  )
  assert.equal(await page.evaluate('JSON.stringify(localStorage) + document.cookie'), '{}')
  const other = await context.newPage()
  await other.goto(`${engine.url}/console`)
  await other.getByLabel('Admin secret').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Admin secret').waitFor()
})

test('an operation is sent as a role with its session variables, and explained', { skip }, async (t) => {
  const { page, complaints } = await signedIn(t)
  await page.getByLabel('As', { exact: true }).selectOption('customer')
  await page.getByLabel('x-svc-customer-id').fill('2')
  await page.getByRole('button', { name: 'Use' }).click()
  await write(page, 'Operation', 'query Mine($n: Int) { invoice(limit: $n, order_by: {id: asc}) { id total } }')
  await page.getByText('Variables').click()
  await write(page, 'Variables', '{"n": 1}')
  await page.getByRole('button', { name: 'Run' }).click()
  const answer = page.getByRole('textbox', { name: 'Answer' })
  await answer.getByText('"id": 7').waitFor()
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByRole('region', { name: 'SQL of invoice' }).getByText('"customer_id"').waitFor()
  await page.reload()
  await page.getByRole('textbox', { name: 'Operation' }).getByText('query').first().waitFor()
  assert.match(
    await page.getByRole('textbox', { name: 'Operation' }).innerText(),
    /query Mine/,
    'a reload loses nothing',
  )
  await write(page, 'Operation', 'subscription { invoice(limit: 1) { id } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Running: 1 answers').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  assert.deepEqual(complaints, [])
})

test('a table shows who may do what with it, and its rows as a role sees them', { skip }, async (t) => {
  const { page, complaints, sent } = await signedIn(t)
  await go(page, 'Data')
  await page.getByLabel('Find a table, column, role').fill('invoice')
  await page.getByRole('link', { name: 'invoice', exact: true }).click()
  const manager = page.getByRole('row', { name: /^manager/ })
  await manager.getByText('where customer_id = X-Svc-Customer-Id and total > 5').waitFor()
  await manager.getByText('inherited from customer').waitFor()
  await page.getByRole('link', { name: 'rows' }).click()
  await page.getByLabel('As', { exact: true }).selectOption('customer')
  await page.getByLabel('x-svc-customer-id').fill('1')
  await page.getByRole('button', { name: 'Use' }).click()
  await page.getByRole('button', { name: 'total' }).click()
  await page.getByRole('cell', { name: '6', exact: true }).first().waitFor()
  assert.equal(await page.getByRole('columnheader').count(), 3, 'columns that the role may see')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('rows 51 to 58').waitFor()
  await page.goBack()
  await page.getByRole('row', { name: /^customer/ }).waitFor()
  await page.getByLabel('Find a table, column, role').fill(hostile.slice(1, 8))
  await page.getByRole('link', { name: hostile }).click()
  await page.getByRole('heading', { name: hostile }).waitFor()
  assert.deepEqual(complaints, [], 'no script of a name or row has run')
  const reads = /^(export_metadata|get_.*|pg_get_.*|pg_suggest_relationships)$/
  for (const { method, url, body } of sent) {
    if (method === 'GET') continue
    const { type, query } = body as { type?: string; query?: string }
    assert.ok(reads.test(type ?? '') || /^\s*(\{|query )/.test(query ?? ''), `${url} got ${JSON.stringify(body)}`)
  }
})

test('events are sent again, cancelled and deleted once what that does was said and wanted', { skip }, async (t) => {
  const { page, complaints, sent } = await signedIn(t)
  const changes = () =>
    sent.flatMap(({ body }) => {
      const { type = '' } = (body ?? {}) as { type?: string }
      return /redeliver|delete/.test(type) ? [type] : []
    })
  await go(page, 'Events')
  await page.getByText('Paused: no events are sent: the engine runs with --disable-eventing.').waitFor()
  await page.getByRole('link', { name: /on_invoice/ }).click()
  await page.getByText('The clean-up of its logs is paused.').waitFor()
  await page.getByText('events 1 to 100').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('events 101 to 101').waitFor()
  await page.getByRole('cell', { name: 'delivered', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Redeliver/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Redeliver/ })
  await dialog.getByText('has got it already and gets it once more').waitFor()
  await page.evaluate(axe.source)
  assert.deepEqual((await page.evaluate<Report>('axe.run()')).violations, [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(changes(), [], 'to ask is to change nothing')
  await page.getByRole('button', { name: /^Redeliver/ }).click()
  await dialog.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('cell', { name: 'pending', exact: true }).waitFor()
  await page.getByRole('link', { name: 'One-off events' }).click()
  await page.getByRole('button', { name: 'Cancel to-come' }).click()
  await page.getByRole('dialog').getByText('not sent at 2060-01-01').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click()
  assert.deepEqual(changes(), ['pg_redeliver_event'])
  await page.getByRole('button', { name: 'Cancel to-come' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Event to-come is cancelled.').waitFor()
  await page.getByRole('button', { name: 'Delete over' }).click()
  await page.getByRole('dialog').getByText('Nothing is sent.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No events are kept.').waitFor()
  assert.deepEqual(changes(), ['pg_redeliver_event', 'delete_scheduled_event', 'delete_scheduled_event'])
  assert.deepEqual(complaints, [])
})

test('of a thousand tables only those in sight stand in the page, and the arrows walk through all', {
  skip,
}, async (t) => {
  const { page } = await signedIn(t)
  await go(page, 'Data')
  await page.getByText('1003 of 1003 tables').waitFor()
  const items = page.getByRole('list', { name: 'Tables' }).getByRole('listitem')
  assert.ok((await items.count()) < 80)
  await page.getByText('1 tables of the database are not tracked').click()
  await page.getByText('left_out').waitFor()
  await page.getByRole('link', { name: 'customer', exact: true }).focus()
  for (let n = 0; n < 60; n++) await page.keyboard.press('ArrowDown')
  const focused = page.locator('[role=listitem] a:focus')
  assert.notEqual(await focused.innerText(), 'customer')
  await page.getByLabel('Find a table, column, role').fill('auditor c_777')
  await page.getByText('1 of 1003 tables').waitFor()
  await page.getByRole('link', { name: 'many_777' }).waitFor()
})

/** What is seen in each view of the table `invoice`. */
const seenIn: Readonly<Record<(typeof tableViews)[number], string>> = {
  permissions: 'inherited from customer',
  rows: 'rows 1 to 50',
  relationships: 'one row',
  dependencies: 'object_relation customer',
  metadata: 'metadata',
}

/** Brings each view to where there is something to see. */
const prepare: Readonly<Record<(typeof views)[number][0], (page: Page) => Promise<unknown>>> = {
  api: async (page) => {
    await write(page, 'Operation', 'query Newest {\n  invoice(limit: 3, order_by: {id: desc}) {\n    id\n    total\n    customer {\n      name\n    }\n  }\n}') // biome-ignore format: one
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('textbox', { name: 'Answer' }).getByText('"total"').first().waitFor()
  },
  data: async (page) => {
    await page.getByLabel('Find a table, column, role').fill('invoice')
    await page.getByRole('link', { name: 'invoice', exact: true }).click()
    await page.getByText('Owned by terraform shop').waitFor()
  },
  change: async (page) => {
    await page.getByLabel('Add', { exact: true }).selectOption('SelectPermission')
    await page.getByLabel('Name of table').fill('customer')
    await page.getByLabel('role', { exact: true }).fill('auditor')
    await page.getByRole('checkbox', { name: 'name' }).check()
    await write(page, 'filter', '{"id": {"_eq": "X-Svc-Customer-Id"}}')
    await page.getByText('select of customer: permission granted').first().waitFor()
  },
  events: async (page) => {
    await page.getByRole('link', { name: /on_invoice/ }).click()
    await page.getByRole('columnheader', { name: 'State' }).waitFor()
    await page.getByRole('link', { name: 'table invoice in source default' }).waitFor()
  },
  objects: async (page) => {
    await page.getByText('rest endpoints').click()
    await page.getByRole('link', { name: 'all_invoices' }).click()
    await page.getByText('Every role that may run its query "one" may use it.').waitFor()
    await page.getByRole('link', { name: 'query_collection stored' }).waitFor()
  },
  drift: async (page) => {
    const resources = [
      stateOf('svc_select_permission', { table: { schema: 'public', name: 'invoice' }, role: 'customer', columns: ['id', 'total'], filter: '{"customer_id": {"_eq": "X-Svc-Customer-Id"}}', limit: 100 }),
      stateOf('svc_query_collection', { name: 'reports' }),
    ] // biome-ignore format: one resource a line
    const state = { version: 4, terraform_version: '1.11.0', resources }
    const file = { name: 'terraform.tfstate', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(state)) }
    await page.getByLabel('Zip, state or export').setInputFiles(file)
    await page.getByText('2 objects differ from the Terraform state terraform.tfstate.').waitFor()
  },
  history: (page) => page.getByRole('button', { name: /stored/ }).first().click(),
  inconsistent: (page) => page.getByText('All that is declared is served.').waitFor(),
} // biome-ignore format: a view each

const stateOf = (type: string, attributes: object) => ({
  mode: 'managed',
  type,
  name: 'shop',
  instances: [{ schema_version: 0, attributes: { source: 'default', ...attributes } }],
})

for (const scheme of ['light', 'dark'] as const)
  test(`every view can be used without eyes or mouse, and is drawn, in ${scheme}`, { skip }, async (t) => {
    const opened = await openPage(browser, engine.url, scheme)
    const { page, complaints } = opened
    t.after(() => opened.context.close())
    await page.getByLabel('Admin secret').waitFor()
    await page.evaluate(axe.source)
    const look = async (name: string) => {
      const { violations } = await page.evaluate<Report>('axe.run()')
      const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
      assert.deepEqual(found, [], name)
      await picture(opened, `${name}-${scheme}`)
    }
    await look('sign-in')
    await signIn(page, engine.secret)
    await page.getByRole('button', { name: 'Run' }).waitFor()
    for (const [view, title] of views) {
      await go(page, title)
      await prepare[view](page)
      if (view === 'data')
        for (const one of tableViews) {
          await page.getByRole('link', { name: one, exact: true }).click()
          await page.getByText(seenIn[one], { exact: true }).first().waitFor()
          await look(`data-${one}`)
        }
      else await look(view)
    }
    await go(page, 'Objects')
    await page.getByRole('link', { name: 'manager' }).click()
    await page.getByRole('link', { name: 'table invoice in source default' }).waitFor()
    await look('objects-roles')
    assert.deepEqual(complaints, [])
  })

test('an engine that is gone is said so in words, and found again', { skip }, async (t) => {
  const { page, context } = await signedIn(t)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('alert').getByText('The engine does not answer.').waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Run' }).waitFor()
})
