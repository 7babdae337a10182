/** The statements of delivery (docs/sql-server.md#events): parameters are texts, lists are JSON. */
import { type InvocationFilter, type LogFilter, type LogStatus, mostCounted } from '../../event-store.ts'
import { COMMITTED, SKIPPING } from './skipping.ts'

const NOW = 'SYSDATETIMEOFFSET()'
const utc = (column: string) => `CONVERT(nvarchar(40), SWITCHOFFSET(${column}, '+00:00'), 126)`
const id = (column: string) => `CONVERT(nvarchar(36), ${column})`

export type Due = 'fresh' | 'retry'

/**
 * @p1 the instance, @p2 triggers, @p3 how many: events that have never been tried, or whose next attempt is due. An instance that
 * other instances consider dead gets nothing.
 */
export const claimText = (due: Due): string => `${COMMITTED}UPDATE [e] SET [locked] = ${NOW}, [locked_by] = @p1
OUTPUT ${id('INSERTED.[id]')} AS [id], ${utc('INSERTED.[created_at]')} AS [created_at],
  INSERTED.[trigger_name] AS [trigger_name], INSERTED.[schema_name] AS [schema_name],
  INSERTED.[table_name] AS [table_name], INSERTED.[tries] AS [tries],
  JSON_VALUE(INSERTED.[payload], '$.op') AS [op], JSON_QUERY(INSERTED.[payload], '$.data') AS [data]
FROM [svc_catalog].[event_log] AS [e]
WHERE [e].[id] IN (
  SELECT TOP (CAST(@p3 AS int)) [w].[id] FROM [svc_catalog].[event_log] AS [w] ${SKIPPING}
  WHERE [w].[delivered] = 0 AND [w].[error] = 0 AND [w].[archived] = 0 AND [w].[locked] IS NULL
    AND ${due === 'fresh' ? '[w].[next_retry_at] IS NULL' : `[w].[next_retry_at] <= ${NOW}`}
    AND [w].[trigger_name] IN (SELECT [value] FROM OPENJSON(@p2))
    AND EXISTS (SELECT 1 AS [x] FROM [svc_catalog].[svc_event_instances] AS [i] WHERE [i].[id] = @p1)
  ORDER BY [w].[next_retry_at], [w].[created_at])`

const outcomes = `OPENJSON(@p2) WITH ([id] uniqueidentifier '$[0]', [trigger_name] nvarchar(850) '$[1]',
  [next] nvarchar(20) '$[2]', [seconds] int '$[3]', [attempted] int '$[4]', [status] int '$[5]',
  [request] nvarchar(max) '$[6]', [response] nvarchar(max) '$[7]') AS [o]`

/** @p1 the instance, @p2 outcomes: logs the attempts at events that are still claimed by it. */
export const logAttemptsText = `INSERT INTO [svc_catalog].[event_invocation_logs]
  ([trigger_name], [event_id], [status], [request], [response])
SELECT [o].[trigger_name], [o].[id], [o].[status], [o].[request], [o].[response]
FROM ${outcomes}
INNER JOIN [svc_catalog].[event_log] AS [e] WITH (UPDLOCK) ON [e].[id] = [o].[id]
WHERE [e].[locked_by] = @p1 AND [o].[attempted] = 1`

/** The same parameters: what becomes of these events. */
export const recordText = `UPDATE [e] SET [tries] = [e].[tries] + [o].[attempted],
  [delivered] = CASE WHEN [o].[next] = N'delivered' THEN 1 ELSE 0 END,
  [error] = CASE WHEN [o].[next] IN (N'failed', N'undeliverable') THEN 1 ELSE 0 END,
  [next_retry_at] = CASE WHEN [o].[next] IN (N'retry', N'postponed') THEN DATEADD(second, [o].[seconds], ${NOW}) END,
  [locked] = NULL, [locked_by] = NULL
FROM [svc_catalog].[event_log] AS [e]
INNER JOIN ${outcomes} ON [o].[id] = [e].[id]
WHERE [e].[locked_by] = @p1`

const COUNTED = '\nSELECT @@ROWCOUNT AS [count]'

/** @p1 the instance, @p2 events that it is busy with. */
export const releaseText = `UPDATE [svc_catalog].[event_log] SET [locked] = NULL, [locked_by] = NULL
WHERE [locked_by] = @p1 AND [id] NOT IN (SELECT CAST([value] AS uniqueidentifier) FROM OPENJSON(@p2));${COUNTED}`

/** @p1 the instance. */
export const beatTexts: readonly string[] = [
  `UPDATE [svc_catalog].[svc_event_instances] SET [beats] = [beats] + 1, [heard_at] = ${NOW} WHERE [id] = @p1`,
  `INSERT INTO [svc_catalog].[svc_event_instances] ([id], [beats], [heard_at])
SELECT @p1, 1, ${NOW} WHERE NOT EXISTS (
  SELECT 1 AS [x] FROM [svc_catalog].[svc_event_instances] AS [i] WITH (UPDLOCK, HOLDLOCK) WHERE [i].[id] = @p1)`,
]

/** @p1 the instance: returns the other instances. */
export const othersText = `SELECT [id], CAST([beats] AS nvarchar(20)) AS [beats],
  DATEDIFF(second, [heard_at], ${NOW}) AS [silent]
FROM [svc_catalog].[svc_event_instances] WHERE [id] <> @p1`

/** @p1 instances with their beats: one that has reported since remains. */
export const buryText = `DELETE [i] FROM [svc_catalog].[svc_event_instances] AS [i]
INNER JOIN OPENJSON(@p1) WITH ([id] nvarchar(100) '$[0]', [beats] bigint '$[1]') AS [d]
  ON [d].[id] = [i].[id] AND [d].[beats] = [i].[beats]`

/** Events without an instance. */
export const freeText = `UPDATE [e] SET [locked] = NULL, [locked_by] = NULL FROM [svc_catalog].[event_log] AS [e]
WHERE [e].[locked] IS NOT NULL AND (
  ([e].[locked_by] IS NULL AND [e].[locked] < DATEADD(minute, -30, ${NOW}) AND [e].[delivered] = 0 AND [e].[error] = 0)
  OR ([e].[locked_by] IS NOT NULL AND NOT EXISTS (
    SELECT 1 AS [x] FROM [svc_catalog].[svc_event_instances] AS [i] WHERE [i].[id] = [e].[locked_by])));${COUNTED}`

/** @p1 the instance. */
export const leaveText = 'DELETE FROM [svc_catalog].[svc_event_instances] WHERE [id] = @p1'

const isBusy = `([locked] IS NOT NULL AND ([locked_by] IS NOT NULL OR [locked] > DATEADD(minute, -30, ${NOW})))`

/** @p1 the event: how many there are, and how many of them are being delivered. */
export const findEventText = `SELECT COUNT(*) AS [found], SUM(CASE WHEN ${isBusy} THEN 1 ELSE 0 END) AS [busy]
FROM [svc_catalog].[event_log] WHERE [id] = CAST(@p1 AS uniqueidentifier)`

/** @p1 the event. One that is being delivered is unchanged. */
export const redeliverText = `UPDATE [svc_catalog].[event_log] SET [delivered] = 0, [error] = 0, [tries] = 0
WHERE [id] = CAST(@p1 AS uniqueidentifier) AND NOT ${isBusy};${COUNTED}`

/** @p1 the id, @p2 schema, @p3 table, @p4 trigger, @p5 payload. */
export const invokeText = `INSERT INTO [svc_catalog].[event_log]
  ([id], [schema_name], [table_name], [trigger_name], [payload])
VALUES (CAST(@p1 AS uniqueidentifier), @p2, @p3, @p4, @p5)`

const EVENT = `${id('[id]')} AS [id], [schema_name], [table_name], [trigger_name], [payload], [delivered], [error], [tries],
  ${utc('[created_at]')} AS [created_at], ${utc('[locked]')} AS [locked], ${utc('[next_retry_at]')} AS [next_retry_at],
  [archived]`
const INVOCATION = `${id('[id]')} AS [id], [trigger_name], ${id('[event_id]')} AS [event_id], [status], [request],
  [response], ${utc('[created_at]')} AS [created_at]`
const PAGE = `ORDER BY [created_at] DESC, [id] OFFSET CAST(@p3 AS bigint) ROWS FETCH NEXT CAST(@p2 AS bigint) ROWS ONLY`

const eventsOf: Readonly<Record<LogStatus, string>> = {
  pending: ' AND [delivered] = 0 AND [error] = 0 AND [archived] = 0',
  processed: ' AND ([delivered] = 1 OR [error] = 1) AND [archived] = 0',
  delivered: ' AND [delivered] = 1 AND [archived] = 0',
  error: ' AND [error] = 1 AND [archived] = 0',
}

const invocationsOf = {
  delivered: ' AND [status] >= 200 AND [status] < 300',
  error: ' AND ([status] IS NULL OR [status] < 200 OR [status] >= 300)',
}

const sinceFourth = (since: string | null) => (since === null ? '' : ' AND [created_at] >= CAST(@p4 AS datetimeoffset)')

/** @p1 the trigger, @p2 limit, which is not 0, @p3 offset, @p4 since where there is one. */
export const eventsText = ({ status, since }: LogFilter<LogStatus>): string =>
  `SELECT ${EVENT} FROM [svc_catalog].[event_log] WHERE [trigger_name] = @p1${status === null ? '' : eventsOf[status]}${sinceFourth(since)} ${PAGE}`

/** The same parameters. */
export const invocationsText = ({ status, since }: InvocationFilter): string =>
  `SELECT ${INVOCATION} FROM [svc_catalog].[event_invocation_logs]
WHERE [trigger_name] = @p1${status === null ? '' : invocationsOf[status]}${sinceFourth(since)} ${PAGE}`

/** What waits by trigger, and since when in seconds: of the index that finds it, and no more than is counted. */
export const waitingText = `SELECT [w].[trigger_name] AS [trigger_name], COUNT(*) AS [pending],
  MAX(DATEDIFF(second, [w].[created_at], ${NOW})) AS [oldest]
FROM (SELECT TOP (${mostCounted}) [e].[trigger_name] AS [trigger_name], [e].[created_at] AS [created_at]
  FROM [svc_catalog].[event_log] AS [e] WHERE [e].[delivered] = 0 AND [e].[error] = 0 AND [e].[archived] = 0) AS [w]
GROUP BY [w].[trigger_name]`

/** The same of what failed for good. */
export const failedText = `SELECT [w].[trigger_name] AS [trigger_name], COUNT(*) AS [dead]
FROM (SELECT TOP (${mostCounted}) [e].[trigger_name] AS [trigger_name]
  FROM [svc_catalog].[event_log] AS [e] WHERE [e].[delivered] = 0 AND [e].[error] = 1 AND [e].[archived] = 0) AS [w]
GROUP BY [w].[trigger_name]`

/** @p1 the event. */
export const eventText = `SELECT ${EVENT} FROM [svc_catalog].[event_log] WHERE [id] = CAST(@p1 AS uniqueidentifier)`

/** @p1 the event, @p2 limit, which is not 0, @p3 offset. */
export const invocationsOfText = `SELECT ${INVOCATION} FROM [svc_catalog].[event_invocation_logs]
WHERE [event_id] = CAST(@p1 AS uniqueidentifier) ${PAGE}`

/** @p1 the trigger, @p2 hours, @p3 how many: always the same ones in a transaction. */
const old = `SELECT TOP (CAST(@p3 AS int)) [w].[id] FROM [svc_catalog].[event_log] AS [w] WITH (UPDLOCK)
  WHERE [w].[trigger_name] = @p1 AND ([w].[delivered] = 1 OR [w].[error] = 1) AND [w].[locked] IS NULL
    AND [w].[created_at] < DATEADD(hour, -CAST(@p2 AS int), ${NOW})
  ORDER BY [w].[created_at], [w].[id]`

export const cleanInvocationsText = `DELETE FROM [svc_catalog].[event_invocation_logs]
WHERE [event_id] IN (${old});${COUNTED}`
export const cleanEventsText = `DELETE FROM [svc_catalog].[event_log] WHERE [id] IN (${old});${COUNTED}`
