import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { expectStatement } from '../../../../../test/sql-server/statement-oracle.ts'
import { ApiError, Path } from '../../../errors.ts'
import {
  always,
  type Conflict,
  type InsertRow,
  type InsertTarget,
  type Value,
  type WriteAnswer,
} from '../../../ir/index.ts'
import { finish } from '../../../long-work.ts'
import type { RequestValues, WriteProgram } from '../../backend.ts'
import { albumsOfArtist, all, compare, field, id, name, table, title, type, value } from '../compile/shop.fixture.ts'
import type { ProgramStep } from './mssql-program.ts'
import { prepareInserts } from './prepare-inserts.ts'
import { prepareWrite } from './prepare-write.ts'

const text = (of: Value): string | null => {
  if (of.kind === 'constant') return of.text
  throw new Error(`${of.kind} is no value of these tests`)
}

const values: RequestValues = {
  short: text,
  // biome-ignore lint/correctness/useYield: nothing is long
  *long(of) {
    return text(of)
  },
  counted: (own) => own,
  // biome-ignore lint/correctness/useYield: nothing is long
  *list(texts) {
    return JSON.stringify(texts)
  },
  number: () => 0,
  again: () => values,
}

const options = { stringifyNumericTypes: false }
const varchar = type('varchar')
const answer: WriteAnswer = {
  kind: 'response',
  fields: [
    { kind: 'affected-rows', as: 'affected_rows' },
    {
      kind: 'returning',
      as: 'returning',
      fields: [field(id), { kind: 'array', as: 'albums', join: albumsOfArtist, rows: all, fields: [field(title)] }],
    },
  ],
}
const counted: WriteAnswer = { kind: 'response', fields: [{ kind: 'affected-rows', as: 'n' }] }

const artists: InsertTarget = {
  table: table('artist'),
  columns: [
    { name: 'id', type: id.type },
    { name: 'name', type: name.type },
    { name: 'code', type: varchar },
  ],
  presets: [],
  check: always,
  reads: null,
  isPlain: false,
  changesAlone: false,
  refersTo: [],
}
const rowOf = (given: Readonly<Record<string, unknown>>): InsertRow => ({
  values: new Map(
    Object.entries(given).map(([key, json]) => [
      key,
      value(json, artists.columns.find((column) => column.name === key)?.type ?? name.type),
    ]),
  ),
  before: [],
  after: [],
  path: [],
})

function inserted(rows: readonly object[], target = artists, conflict: Conflict | null = null, of = answer) {
  const list = { into: target, conflict, rows: rows.map((row) => rowOf({ ...row })), path: [] }
  return stepsOf(finish(prepareInserts(of, options).bind(list, values)))
}

function stepsOf({ statements }: WriteProgram): readonly ProgramStep[] {
  const steps = statements as readonly ProgramStep[]
  // the oracle's parser takes a minute for a thousand rows, which are like ten
  for (const { kind, plan, parameters } of steps.filter((step) => step.parameters.length < 50))
    expectStatement(plan.text, kind === 'batch' ? {} : { parameters: parameters.map((_, i) => `@p${i + 1}`) })
  return steps
}

const shown = (steps: readonly ProgramStep[]) =>
  steps.map(({ kind, plan: { text: sql }, parameters }) => [kind, sql, ...(parameters.length > 0 ? [parameters] : [])])

suite('programs of SQL Server', () => {
  test('an insert keeps its rows, answers, and drops what it kept', () => {
    assert.deepEqual(
      shown(inserted([{ id: 1, name: 'Ann' }, { id: 2 }], { ...artists, check: compare(name, 'neq', 'x') })),
      [
        [
          'batch',
          'SELECT [id] AS [id], [name] AS [name] INTO [#inserted] FROM [dbo].[artist] WHERE (1<>1) UNION ALL SELECT [id] AS [id], [name] AS [name] FROM [dbo].[artist] WHERE (1<>1)',
        ],
        [
          'write',
          'INSERT INTO [dbo].[artist] ([id], [name]) OUTPUT INSERTED.[id], INSERTED.[name] INTO [#inserted]([id], [name]) VALUES (@p1, @p2), (@p3, DEFAULT)',
          ['1', 'Ann', '2'],
        ],
        [
          'answer',
          "SELECT (SELECT (SELECT COUNT(*) AS [count] FROM [#inserted]) AS [affected_rows], JSON_QUERY(ISNULL((SELECT [t_artist1].[id] AS [id], JSON_QUERY(ISNULL([ar_albums2].[json], '[]')) AS [albums] FROM [#inserted] AS [t_artist1] OUTER APPLY (SELECT [t_album3].[title] AS [title] FROM [dbo].[album] AS [t_album3] WHERE ([t_album3].[artist_id] = [t_artist1].[id]) FOR JSON PATH, INCLUDE_NULL_VALUES) AS [ar_albums2]([json]) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]')) AS [returning] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER) AS [mutation_response], ISNULL((SELECT SUM([c].[e]) AS [check] FROM (SELECT (CASE WHEN ([t_check4].[name] <> @p1) THEN 0 ELSE 1 END) AS [e] FROM [#inserted] AS [t_check4]) AS [c]), 0) AS [check_constraint_select]",
          ['x'],
        ],
        ['batch', 'DROP TABLE [#inserted]'],
      ],
    )
  })

  test('rows without any column take all defaults, each by itself', () => {
    const steps = shown(inserted([{}, {}], artists, null, counted))
    const one = ['write', 'INSERT INTO [dbo].[artist] OUTPUT 0 INTO [#inserted]([svc.updated]) DEFAULT VALUES']
    assert.deepEqual(steps.slice(1, 3), [one, one])
  })

  test('more rows or cells than a statement takes are sent in parts', () => {
    const many = Array.from({ length: 2500 }, (_, i) => ({ id: i }))
    const counts = inserted(many).flatMap(({ kind, parameters }) => (kind === 'write' ? [parameters.length] : []))
    assert.deepEqual(counts, [1000, 1000, 500])
    const wide = Array.from({ length: 1000 }, (_, i) => ({ id: i, name: 'n', code: 'c' }))
    const cells = inserted(wide).flatMap(({ kind, parameters }) => (kind === 'write' ? [parameters.length] : []))
    assert.deepEqual(cells, [1998, 1002])
  })

  test('presets replace what a row says', () => {
    const target = { ...artists, presets: [{ column: 'code', value: value('P', varchar) }] }
    const [, write] = shown(inserted([{ name: 'Ann' }], target))
    assert.deepEqual(write?.slice(2), [['Ann', 'P']])
  })

  test('an update sets and increments, and checks the rows as they are then', () => {
    const plays = { ...id, name: 'plays', type: type('bigint') }
    const program = finish(
      prepareWrite(
        {
          kind: 'update',
          table: table('artist'),
          assignments: [
            { column: 'name', operator: 'set', value: value('Ann', name.type) },
            { column: 'plays', operator: 'inc', value: value('9007199254740993', plays.type) },
          ],
          where: compare(id, 'eq', 1),
          check: compare(plays, 'gt', 0),
          isPlain: false,
          answer: counted,
        },
        options,
      ).bind(values),
    )
    assert.deepEqual(shown(stepsOf(program)).slice(0, 2), [
      [
        'batch',
        'SELECT [plays] AS [plays] INTO [#updated] FROM [dbo].[artist] WHERE (1<>1) UNION ALL SELECT [plays] AS [plays] FROM [dbo].[artist] WHERE (1<>1)',
      ],
      [
        'write',
        'UPDATE [t_artist1] SET [name] = @p1, [plays] = [t_artist1].[plays] + CAST(@p2 AS bigint) OUTPUT INSERTED.[plays] INTO [#updated]([plays]) FROM [dbo].[artist] AS [t_artist1] WHERE ([t_artist1].[id] = CAST(@p3 AS int))',
        ['Ann', '9007199254740993', '1'],
      ],
    ])
  })

  test('an update of no column asks nothing', () => {
    const update = { kind: 'update', table: table('artist'), assignments: [], where: always, check: always } as const
    const program = finish(prepareWrite({ ...update, isPlain: false, answer }, options).bind(values))
    assert.deepEqual({ ...program }, { statements: [], known: '{"affected_rows":0,"returning":[]}' })
  })

  test('a delete returns the rows as they were', () => {
    const program = finish(
      prepareWrite(
        {
          kind: 'delete',
          table: table('artist'),
          where: compare(id, 'eq', 3),
          isPlain: false,
          answer: { kind: 'row', fields: [field(name)] },
        },
        options,
      ).bind(values),
    )
    assert.deepEqual(
      shown(stepsOf(program)).map(([, sql]) => sql),
      [
        'SELECT [name] AS [name] INTO [#deleted] FROM [dbo].[artist] WHERE (1<>1) UNION ALL SELECT [name] AS [name] FROM [dbo].[artist] WHERE (1<>1)',
        'DELETE [t_artist1] OUTPUT DELETED.[name] INTO [#deleted]([name]) FROM [dbo].[artist] AS [t_artist1] WHERE ([t_artist1].[id] = CAST(@p1 AS int))',
        "SELECT ISNULL((SELECT TOP (1) [t_artist1].[name] AS [name] FROM [#deleted] AS [t_artist1] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER), 'null') AS [mutation_response], 0 AS [check_constraint_select]",
        'DROP TABLE [#deleted]',
      ],
    )
  })

  test('what a server does not store of a text by itself is converted', () => {
    const columns = ['money', 'varbinary', 'geography', 'sql_variant', 'decimal', 'timestamp'].map((own) => ({
      name: own,
      type: type(own),
    }))
    const target = { ...artists, columns }
    const row: InsertRow = {
      values: new Map(
        columns.map((column) => [
          column.name,
          value(
            column.name === 'money' || column.name === 'decimal'
              ? '1.5'
              : column.name === 'timestamp'
                ? '2020-01-01T00:00:00'
                : 'POINT(1 2)',
            column.type,
          ),
        ]),
      ),
      before: [],
      after: [],
      path: [],
    }
    const all: WriteAnswer = { kind: 'row', fields: [field({ ...id, name: 'timestamp', type: type('timestamp') })] }
    const [create, write] = stepsOf(
      finish(prepareInserts(all, options).bind({ into: target, conflict: null, rows: [row], path: [] }, values)),
    )
    assert.match(create?.plan.text ?? '', /^SELECT CAST\(\[timestamp\] AS binary\(8\)\) AS \[timestamp\] INTO/)
    assert.match(
      write?.plan.text ?? '',
      /VALUES \(CAST\(@p1 AS money\), CONVERT\(varbinary\(max\), @p2, 1\), CAST\(@p3 AS geography\), CAST\(@p4 AS nvarchar\(4000\)\), @p5, @p6\)$/,
    )
  })

  test('an upsert finds rows under locks, updates them and inserts those that it did not find', () => {
    const conflict: Conflict = {
      target: { kind: 'matched', of: ['id'] },
      update: {
        columns: ['name', 'code'],
        presets: [],
        where: compare(name, 'neq', 'kept'),
        check: compare(id, 'gt', 0),
        knownBy: null,
      },
    }
    const steps = inserted(
      [{ id: 1, name: 'Ann' }, { id: 2, name: 'Bob', code: 'b' }, { name: 'Cid' }],
      artists,
      conflict,
      counted,
    )
    assert.deepEqual(shown(steps), [
      [
        'batch',
        'SELECT [id] AS [id], 0 AS [svc.updated] INTO [#inserted] FROM [dbo].[artist] WHERE (1<>1) UNION ALL SELECT [id] AS [id], 0 AS [svc.updated] FROM [dbo].[artist] WHERE (1<>1)',
      ],
      ['batch', 'CREATE TABLE [#matched] ([group] int NOT NULL, [row] int NOT NULL)'],
      [
        'write',
        "INSERT INTO [#matched] ([group], [row]) SELECT 0, [v].[row] FROM OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]') AS [v] INNER JOIN [dbo].[artist] AS [target] WITH (UPDLOCK, HOLDLOCK) ON ([target].[id]) = (CAST([v].[c0] AS int))",
        ['[[0,"1","Ann"]]'],
      ],
      [
        'write',
        "INSERT INTO [#matched] ([group], [row]) SELECT 1, [v].[row] FROM OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]', [c2] nvarchar(max) '$[3]') AS [v] INNER JOIN [dbo].[artist] AS [target] WITH (UPDLOCK, HOLDLOCK) ON ([target].[id]) = (CAST([v].[c0] AS int))",
        ['[[0,"2","Bob","b"]]'],
      ],
      [
        'duplicates',
        "SELECT (SELECT COUNT(*) AS [count] FROM [#matched]) AS [pairs], (SELECT COUNT(*) AS [count] FROM [dbo].[artist] AS [target] WHERE EXISTS (SELECT 1 AS [x] FROM OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]') AS [v] WHERE ([target].[id]) = (CAST([v].[c0] AS int))) OR EXISTS (SELECT 1 AS [x] FROM OPENJSON(@p2) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]', [c2] nvarchar(max) '$[3]') AS [v] WHERE ([target].[id]) = (CAST([v].[c0] AS int)))) AS [rows]",
        ['[[0,"1","Ann"]]', '[[0,"2","Bob","b"]]'],
      ],
      [
        'write',
        "UPDATE [target] SET [name] = [v].[c1], [code] = DEFAULT OUTPUT INSERTED.[id], 1 INTO [#inserted]([id], [svc.updated]) FROM [dbo].[artist] AS [target] INNER JOIN OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]') AS [v] ON ([target].[id]) = (CAST([v].[c0] AS int)) WHERE ([target].[name] <> @p2)",
        ['[[0,"1","Ann"]]', 'kept'],
      ],
      [
        'write',
        "UPDATE [target] SET [name] = [v].[c1], [code] = [v].[c2] OUTPUT INSERTED.[id], 1 INTO [#inserted]([id], [svc.updated]) FROM [dbo].[artist] AS [target] INNER JOIN OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]', [c2] nvarchar(max) '$[3]') AS [v] ON ([target].[id]) = (CAST([v].[c0] AS int)) WHERE ([target].[name] <> @p2)",
        ['[[0,"2","Bob","b"]]', 'kept'],
      ],
      [
        'write',
        "INSERT INTO [dbo].[artist] ([id], [name]) OUTPUT INSERTED.[id], 0 INTO [#inserted]([id], [svc.updated]) SELECT [v].[c0], [v].[c1] FROM OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]') AS [v] WHERE NOT EXISTS (SELECT 1 AS [x] FROM [#matched] AS [m] WHERE [m].[group] = 0 AND [m].[row] = [v].[row]) ORDER BY [v].[row]",
        ['[[0,"1","Ann"]]'],
      ],
      [
        'write',
        "INSERT INTO [dbo].[artist] ([id], [name], [code]) OUTPUT INSERTED.[id], 0 INTO [#inserted]([id], [svc.updated]) SELECT [v].[c0], [v].[c1], [v].[c2] FROM OPENJSON(@p1) WITH ([row] int '$[0]', [c0] nvarchar(max) '$[1]', [c1] nvarchar(max) '$[2]', [c2] nvarchar(max) '$[3]') AS [v] WHERE NOT EXISTS (SELECT 1 AS [x] FROM [#matched] AS [m] WHERE [m].[group] = 1 AND [m].[row] = [v].[row]) ORDER BY [v].[row]",
        ['[[0,"2","Bob","b"]]'],
      ],
      [
        'write',
        'INSERT INTO [dbo].[artist] ([name]) OUTPUT INSERTED.[id], 0 INTO [#inserted]([id], [svc.updated]) VALUES (@p1)',
        ['Cid'],
      ],
      ['batch', 'DROP TABLE [#matched]'],
      [
        'answer',
        'SELECT (SELECT (SELECT COUNT(*) AS [count] FROM [#inserted]) AS [n] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER) AS [mutation_response], ISNULL((SELECT SUM([c].[e]) AS [check] FROM (SELECT (CASE WHEN (1=1) AND ([t_check1].[svc.updated] = 0 OR ([t_check1].[id] > CAST(@p1 AS int))) THEN 0 ELSE 1 END) AS [e] FROM [#inserted] AS [t_check1]) AS [c]), 0) AS [check_constraint_select]',
        ['0'],
      ],
      ['batch', 'DROP TABLE [#inserted]'],
    ])
  })

  test('an upsert that updates nothing leaves what is there', () => {
    const steps = inserted([{ id: 1 }], artists, { target: { kind: 'matched', of: ['id'] }, update: null }, counted)
    assert.deepEqual(
      steps.map(({ kind, plan }) => [kind, plan.text.slice(0, 30)]),
      [
        ['batch', 'SELECT 0 AS [svc.updated] INTO'],
        ['batch', 'CREATE TABLE [#matched] ([grou'],
        ['write', 'INSERT INTO [#matched] ([group'],
        ['write', 'INSERT INTO [dbo].[artist] ([i'],
        ['batch', 'DROP TABLE [#matched]'],
        ['answer', 'SELECT (SELECT (SELECT COUNT(*'],
        ['batch', 'DROP TABLE [#inserted]'],
      ],
    )
  })

  test('a function is no field of such a source', () => {
    const call = { kind: 'call', query: { kind: 'row', from: table('artist'), where: always, fields: [] } } as const
    assert.throws(
      () => prepareWrite(call, options),
      (error) => error instanceof ApiError && error.code === 'not-supported' && error.path === Path.root,
    )
  })
})
