import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shorterStatement } from './shorter-statement.ts'
import { checkStatement, expectStatement, type StatementUse } from './statement-oracle.ts'

const json = 'FOR JSON PATH, INCLUDE_NULL_VALUES'
const accepted: readonly (readonly [string, StatementUse?])[] = [
  [
    `SELECT ISNULL((SELECT [t_album1].[id] AS [id], ISNULL(JSON_QUERY([or_artist1].[json]), 'null') AS [artist],
      ISNULL(JSON_QUERY([ar_tracks1].[json]), '[]') AS [tracks]
    FROM [dbo].[album] AS [t_album1]
    OUTER APPLY (SELECT TOP (1) [t_artist1].[name] AS [name] FROM [dbo].[artist] AS [t_artist1]
      WHERE ([t_artist1].[id]) = ([t_album1].[artist_id]) ${json}, WITHOUT_ARRAY_WRAPPER) AS [or_artist1]([json])
    OUTER APPLY (SELECT [t_track1].[name] AS [name] FROM [dbo].[track] AS [t_track1]
      ORDER BY (SELECT NULL) OFFSET 0 ROWS FETCH NEXT 3 ROWS ONLY ${json}) AS [ar_tracks1]([json])
    WHERE (1=1) ORDER BY IIF([t_album1].[title] IS NULL, 0, 1), [t_album1].[title] ASC
      OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY ${json}), '[]') AS [root]`,
  ],
  [
    `SELECT ISNULL(JSON_QUERY((SELECT COUNT(*) AS [count] FROM (SELECT * FROM [dbo].[album] AS [t] WHERE [t].[id] > @1
      ORDER BY (SELECT NULL) OFFSET 0 ROWS) AS [agg_sub] ${json}, WITHOUT_ARRAY_WRAPPER)), 'null') AS [aggregate]
    FROM OPENJSON('[0]') AS [exists_placeholder] ${json}, WITHOUT_ARRAY_WRAPPER`,
    { parameters: ['@1'] },
  ],
  ['SELECT [id] INTO #inserted FROM [dbo].[t] WHERE (1<>1) UNION ALL SELECT [id] FROM [dbo].[t] WHERE (1<>1)'],
  [
    'INSERT INTO [dbo].[t] ([a]) OUTPUT INSERTED.[a] INTO #inserted([a]) VALUES (@1), (DEFAULT)',
    { parameters: ['@1'] },
  ],
  [`WITH [w] AS (SELECT * FROM #inserted AS [i]) SELECT (SELECT COUNT(*) AS [count] FROM [w]) AS [affected_rows]`],
  ['UPDATE [t1] SET [d] = [t1].[d] + 1 OUTPUT INSERTED.[d] INTO #updated([d]) FROM [dbo].[t] AS [t1] WHERE (1=1)'],
  ['DELETE [t1] OUTPUT DELETED.[d] INTO #deleted([d]) FROM [dbo].[t] AS [t1] WHERE [t1].[d] IN (1, 2)'],
  [
    `SELECT [row].[result_id] AS [result_id], [result].[json] AS [result]
    FROM OPENJSON(@cohorts) WITH ([result_id] uniqueidentifier '$[0]', [result_vars] NVARCHAR(MAX) '$[1]' AS JSON) AS [row]
    OUTER APPLY (SELECT 1 AS [a] ${json}, WITHOUT_ARRAY_WRAPPER) AS [result]([json]) ${json}`,
    { parameters: ['@cohorts'] },
  ],
  [`DECLARE @n int; SET @n = 5; INSERT INTO #svc_sp_top EXECUTE [dbo].[top] @n = @n`],
  [`SELECT [t].[g].STIntersects(geometry::STGeomFromText(@1, 0)) AS [x] FROM [dbo].[t] AS [t]`, { parameters: ['@1'] }],
  ['SET TRANSACTION ISOLATION LEVEL SNAPSHOT'],
  ['CREATE TABLE #x (a nvarchar(max) COLLATE DATABASE_DEFAULT NULL, b int)'],
  ['SELECT a FROM b ORDER BY IIF(a IS NULL, 1, 0), a ASC, IIF(c IS NULL, 1, 0), c'],
  ['SELECT [x].[v] FROM (SELECT CASE WHEN (1=1) THEN 1 ELSE NULL END AS [v]) AS [x]'],
  [`SELECT N'Москва' AS [city], [t].[limit], [t].[true] FROM [dbo].[t] AS [t]`],
]

/** Each of these is the least that shows its rule. */
const refused: readonly (readonly [string, RegExp, StatementUse?])[] = [
  ['SELECT 1 FROM', /EOF/],
  ['SELECT `a` FROM b', /no token|recognition/],
  ["SELECT 'a", /unclosed/],
  ['SELECT [a].[b]::int AS [x] FROM [a]', /:: is no cast/],
  ["SELECT 'a' || 'b' AS [x]", /\|\|/],
  ['SELECT 1 AS [x] WHERE TRUE', /TRUE is no literal/],
  ['SELECT a FROM b WHERE c = FALSE', /FALSE is no literal/],
  ['SELECT a FROM b LIMIT 3', /LIMIT/],
  ['SELECT a FROM b ORDER BY a NULLS LAST', /NULLS/],
  ['SELECT a FROM b WHERE a ILIKE 1', /ILIKE/],
  ['SELECT a FROM b WHERE a IS DISTINCT FROM 1', /DISTINCT FROM/],
  ['SELECT STDDEV(a) AS x FROM b', /STDDEV is no function/],
  ['SELECT VARIANCE(a) AS x FROM b', /VARIANCE is no function/],
  ['SELECT VAR_SAMP(a) AS x FROM b', /VAR_SAMP is no function/],
  ['SELECT a FROM b ORDER BY a OFFSET 0 ROWS FETCH NEXT 0 ROWS ONLY', /10744/],
  ['SELECT a FROM b ORDER BY a FETCH NEXT 1 ROWS ONLY', /without OFFSET/],
  ['SELECT a FROM b WHERE a IN ()', /empty list/],
  ["SELECT 'Москва' AS x", /needs N'…'/],
  [`SELECT 1 AS [${'x'.repeat(129)}]`, /128/],
  ['SELECT CAST(1 AS nvarchar) AS x', /without a length/],
  ['SELECT @x AS x', /137/],
  ['SELECT @x AS x', /137/, { parameters: ['@y'] }],
  ['SELECT 1 AS x', /8003/, { parameters: Array.from({ length: 2101 }, (_, index) => `@p${index}`) }],
  [`INSERT INTO t (a) VALUES ${Array.from({ length: 1001 }, () => '(1)').join(', ')}`, /10738/],
  ['SELECT a INTO #x FROM b', /sp_executesql/, { parameters: [] }],
  ['CREATE TABLE #x (a int)', /sp_executesql/, { parameters: [] }],
  [`SELECT COUNT(*) FROM b ${json}`, /13605/],
  [`SELECT ISNULL([a].[b], 0) FROM [a] ${json}`, /13605/],
  [`SELECT a AS [x], b AS [x] FROM c ${json}`, /13601/],
  [`SELECT a AS [x], b AS [x.y] FROM c ${json}`, /13601/],
  ['SELECT x.a FROM (SELECT COUNT(*) FROM b) AS x', /8155/],
  ['SELECT x.a FROM (SELECT a, b AS a FROM b) AS x', /8156/],
  [`SELECT x.a FROM (SELECT a FROM b ${json}) AS x`, /8155/],
  ['SELECT x.a FROM (SELECT a FROM b) AS x(a, b)', /8158/],
  ['WITH x AS (SELECT COUNT(*) FROM b) SELECT * FROM x', /8155/],
  ['SELECT a FROM (SELECT a FROM b) WHERE 1=1', /alias|:/],
  ['SELECT x.a FROM (SELECT a FROM b ORDER BY a) AS x', /1033/],
  ['SELECT a FROM b OFFSET 1 ROWS', /OFFSET|:/],
  ['SELECT TOP (1) a FROM b ORDER BY a OFFSET 1 ROWS', /10741/],
  ['SELECT a FROM b ORDER BY a ASC, c, a DESC', /169/],
  ['UPDATE b SET a = 1, c = 2, a = 3 WHERE 1=1', /264/],
  ['CREATE TABLE #x (a nvarchar(10) NULL, b int)', /468/],
  ['SELECT SUM(CASE WHEN EXISTS (SELECT 1 AS x) THEN 0 ELSE 1 END) AS y FROM b', /130/],
  ['SELECT SUM(COUNT(*)) AS x FROM b', /130/],
  ['INSERT INTO t (a) OUTPUT INSERTED.a VALUES (1)', /334/],
  ['SELECT 1 AS x WITH y AS (SELECT 1 AS z) SELECT z FROM y', /319/],
  ['MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE', /10713/],
  ['SELECT 1 AS x; CREATE VIEW v AS SELECT 1 AS y', /111/],
  ['SELECT (1 FROM b', /:|parenthesis/],
]

suite('the statement oracle', () => {
  for (const [sql, use] of accepted)
    test(`accepts ${sql.replaceAll(/\s+/g, ' ').slice(0, 70)}`, () => {
      expectStatement(sql, use)
    })
  test('reads every shape of a long statement', () => {
    const rows = (odd: string, at: number) =>
      Array.from({ length: 900 }, (_, i) => (i === at ? odd : `(${i}, N'${i}', CAST(@p${i} AS money))`)).join(', ')
    const insert = (list: string) =>
      `DECLARE ${Array.from({ length: 900 }, (_, i) => `@p${i} nvarchar(max)`).join(', ')};\nINSERT INTO t (a, b, c) VALUES ${list}`
    assert.ok(shorterStatement(insert(rows('', -1))).length < 400)
    expectStatement(insert(rows('', -1)))
    expectStatement(insert(rows('(DEFAULT, NULL, -1)', 700)))
    for (const odd of ['(1, , 3)', '(1, 2 3)', "(1, N'2', CAST(3 money))"])
      for (const at of [0, 450, 899]) assert.match(checkStatement(insert(rows(odd, at))).join(), /:/, `${odd} ${at}`)
  })
  for (const [sql, reason, use] of refused)
    test(`refuses ${sql.slice(0, 70)} (${reason.source})`, () => {
      assert.match(checkStatement(sql, use).join('\n'), reason)
    })
})
