/** Metadata of sources on SQL Server: every operation of theirs, and what `svc` says of a project. */
import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { contractOperations } from '../../admin/contract-operations.ts'
import { createSvcFolder } from '../../cli/svc.ts'
import { type Engine, startEngine } from '../../engine.ts'
import { openSqlServerDouble, type SqlServerDouble } from '../sql-server-double.ts'
import { callsAfterEvent, callsUntilEvent, type ValidCall } from './valid-operations.ts'

const example = fileURLToPath(new URL('../../../examples/sqlserver-store', import.meta.url))
const isReal = process.env.SVC_TEST_MSSQL_URL !== undefined

suite('metadata of SQL Server', () => {
  const ends: (() => Promise<void>)[] = []
  const t = { after: (end: () => Promise<void>) => void ends.push(end) }
  let double: SqlServerDouble
  let engine: Engine
  before(async () => {
    double = await openSqlServerDouble({ isStrict: false })
    t.after(() => double.stop())
    const env = { SHOP_MSSQL: double.connectionString, ORDERS_WEBHOOK: 'http://127.0.0.1:1/orders' }
    engine = await startEngine({ env }, t)
    await engine.metadata('replace_metadata', { version: 3, sources: [] })
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  test('one valid call of every operation does what it says', async () => {
    const own = contractOperations.filter(({ kinds }) => kinds.includes('mssql'))
    const at = new Map(own.map((operation) => [operation.name, operation.at]))
    const failed: string[] = []
    const run = async (calls: readonly ValidCall[]) => {
      for (const { name, args, refusal } of calls) {
        const { status, body, text } = await engine.post(at.get(name) ?? name, { type: `mssql_${name}`, args })
        const isRight = refusal === undefined ? status === 200 : status === 400 && body.error === refusal
        if (!isRight) failed.push(`mssql_${name} ${JSON.stringify(args)}: ${status} ${text.slice(0, 300)}`)
      }
    }
    const first = callsUntilEvent(process.env.SVC_TEST_MSSQL_URL ?? double.connectionString, 'http://127.0.0.1:1')
    await run(first)
    const { body } = await engine.metadata('mssql_get_event_logs', { source: 'op', name: 'written' })
    const later = callsAfterEvent(body[0]?.id)
    await run(later)
    assert.deepEqual(failed, [])
    const called = new Set([...first, ...later].map(({ name }) => name))
    assert.deepEqual([...called].sort(), [...at.keys()].sort())
    assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources, [])
  })

  test('a project is applied, previewed, compared and written for Terraform', { skip: isReal }, async () => {
    const schema = await readFile(join(example, 'schema.sql'), 'utf8')
    for (const batch of schema.split(/^GO$/m)) if (batch.trim() !== '') await double.run(batch)
    const folder = await createSvcFolder(engine, t)
    await cp(join(example, 'metadata'), join(folder.path, 'metadata'), { recursive: true })
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await folder.svc(...args)
      assert.ok(code === 0 || code === 2, `${args.join(' ')}: ${stdout}${stderr}`)
      return stdout
    }
    await run('metadata', 'apply', '--state', 'state.json')
    assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
    assert.equal(await run('drift', '--state', 'state.json'), 'no drift\n')
    await run('adopt', '--terraform', 'adopted')
    const permissions = await readFile(join(folder.path, 'adopted', 'select_permission.tf'), 'utf8')
    assert.match(permissions, /resource "svc_select_permission" "[a-z_]*order_customer" \{\n {2}source +=/)
    assert.match(await readFile(join(folder.path, 'adopted', 'mssql_source.tf'), 'utf8'), /resource "svc_mssql_source"/)

    const file = join(folder.path, 'metadata/databases/shop/tables/sales_order.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('        - state\n', '').replace('_eq: X-Svc-User-Id', '_gt: X-Svc-User-Id'))
    const preview = await run('plan', '--preview')
    assert.match(preview, /Role customer/)
    assert.match(preview, /select on sales\.order in source shop: filter/)
    await writeFile(file, text)

    const dropped = { source: 'shop', table: { schema: 'sales', name: 'order' }, role: 'customer' }
    const behind = await engine.post(
      '/v1/metadata',
      { type: 'mssql_drop_select_permission', args: dropped },
      { 'x-svc-actor': 'mia@laptop' },
    )
    assert.equal(behind.status, 200, behind.text)
    assert.match(
      await run('drift', '--state', 'state.json'),
      /- select_permission customer in table sales\.order in source shop\n {6}mssql_drop_select_permission by mia@laptop/,
    )
    assert.match(await run('plan'), /select_permission/)
  })
})
