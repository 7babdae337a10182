import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { expectStatement } from '../../../../../test/sql-server/statement-oracle.ts'
import type { Capture, CapturedOperation } from '../../event-store.ts'
import { systemType } from '../types/known-types.ts'
import { captureTrigger } from './capture-trigger.ts'
import * as cleanups from './cleanup-statements.ts'
import * as delivery from './delivery-statements.ts'

const columns = [
  { name: 'id', type: systemType('int') },
  { name: 'name', type: systemType('varchar') },
  { name: 'price', type: systemType('money') },
]

function trigger(operation: CapturedOperation, more: Partial<Capture> = {}): string {
  const all = { listen: '*', payload: '*' } as const
  const capture: Capture = {
    trigger: 'watch',
    table: { schema: 'dbo', name: 'artist' },
    columns,
    operations: { [operation]: all },
    onReplication: true,
    ...more,
  }
  const text = captureTrigger(capture, operation, ['id'])
  expectStatement(text)
  return text
}

const row = (of: string) =>
  `(SELECT [${of}].[id] AS [id], [${of}].[name] AS [name], CAST([${of}].[price] AS decimal(19, 4)) AS [price] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER)`
const payload = (operation: string, old: string, now: string) =>
  `CAST(N'{"op":' AS nvarchar(max)) + N'"${operation}"' + N',"data":{"old":' + ${old} + N',"new":' + ${now} + N'}}'`
const triggerOf = (operation: string, json: string, rows: string, more = '') =>
  `CREATE TRIGGER [dbo].[notify_svc_watch_${operation}] ON [dbo].[artist] AFTER ${operation}${more} AS
BEGIN
SET NOCOUNT ON;
INSERT INTO [svc_catalog].[event_log] ([schema_name], [table_name], [trigger_name], [payload])
SELECT N'dbo', N'artist', N'watch', ${json}
FROM ${rows};
END`

suite('triggers of SQL Server', () => {
  test('of an insert store each row as new', () => {
    assert.equal(trigger('insert'), triggerOf('INSERT', payload('INSERT', "N'null'", row('n')), 'INSERTED AS [n]'))
  })

  test('of a delete store each row as old', () => {
    assert.equal(trigger('delete'), triggerOf('DELETE', payload('DELETE', row('d'), "N'null'"), 'DELETED AS [d]'))
  })

  test('of an update compare NULL and letters, and take another key for another row', () => {
    const compared = (of: string) =>
      `[${of}].[id] AS [c0], CAST([${of}].[name] AS varbinary(max)) AS [c1], [${of}].[price] AS [c2]`
    assert.equal(
      trigger('update'),
      triggerOf(
        'UPDATE',
        payload('UPDATE', `CASE WHEN [d].[id] IS NULL THEN N'null' ELSE ${row('d')} END`, row('n')),
        `INSERTED AS [n] LEFT OUTER JOIN DELETED AS [d] ON [d].[id] = [n].[id] WHERE [d].[id] IS NULL OR EXISTS (SELECT ${compared('d')} EXCEPT SELECT ${compared('n')})`,
      ),
    )
  })

  test('of an update that listens to no key keep to rows whose key is as it was', () => {
    const operations = { update: { listen: ['price'], payload: ['id'] } }
    const id = (of: string) => `(SELECT [${of}].[id] AS [id] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER)`
    assert.equal(
      trigger('update', { operations }),
      triggerOf(
        'UPDATE',
        payload('UPDATE', id('d'), id('n')),
        'INSERTED AS [n] INNER JOIN DELETED AS [d] ON [d].[id] = [n].[id] WHERE EXISTS (SELECT [d].[price] AS [c0] EXCEPT SELECT [n].[price] AS [c0])',
      ),
    )
  })

  test('are not for replication where metadata says so', () => {
    assert.match(trigger('insert', { onReplication: false }), / AFTER INSERT NOT FOR REPLICATION AS\n/)
  })

  test('leave out what a trigger cannot read', () => {
    const text = trigger('delete', { columns: [...columns.slice(0, 1), { name: 'notes', type: systemType('text') }] })
    assert.doesNotMatch(text, /notes/)
  })

  test('keep a name with a dot in one piece', () => {
    const text = trigger('insert', {
      columns: [
        { name: 'a.b', type: systemType('int') },
        { name: "it's", type: systemType('int') },
      ],
    })
    const value = (name: string) =>
      `(SELECT [n].[${name}] AS [v] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER)`
    const token = (name: string) => `STUFF(LEFT(${value(name)}, LEN(${value(name)} + N'.') - 2), 1, 5, N'')`
    assert.ok(text.includes(`(N'{"a.b":' + ${token('a.b')} + N',"it''s":' + ${token("it's")} + N'}')`), text)
  })

  test('have names of schemas and columns quoted', () => {
    const text = trigger('insert', {
      table: { schema: 'a]b', name: "c'd" },
      columns: [{ name: 'x]y', type: systemType('int') }],
    })
    assert.match(text, /^CREATE TRIGGER \[a\]\]b\]\.\[notify_svc_watch_INSERT\] ON \[a\]\]b\]\.\[c'd\]/)
    assert.ok(text.includes("SELECT N'a]b', N'c''d', N'watch'"))
  })
})

suite('statements of delivery', () => {
  const statements = Object.entries({ ...delivery, ...cleanups }).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[name, value]]
    if (Array.isArray(value)) return value.map((text: string, i) => [`${name} ${i}`, text])
    return []
  })
  for (const [name, text] of [
    ...statements,
    ['claim fresh', delivery.claimText('fresh')],
    ['claim retries', delivery.claimText('retry')],
    ['events', delivery.eventsText({ status: null, since: null })],
    ...(['pending', 'processed', 'delivered', 'error'] as const).map(
      (status) => [`${status} events`, delivery.eventsText({ status, since: '2030' })] as const,
    ),
    ...(['delivered', 'error'] as const).map(
      (status) => [`${status} attempts`, delivery.invocationsText({ status, since: '2030' })] as const,
    ),
  ] as const)
    test(`are T-SQL: ${name}`, () => expectStatement(text, { parameters: ['@p1', '@p2', '@p3', '@p4', '@p5'] }))
})
