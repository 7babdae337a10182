/** The statements of what schedules clean-ups: parameters are texts, lists are JSON. */
import { COMMITTED, SKIPPING } from './skipping.ts'

const NOW = 'SYSDATETIMEOFFSET()'
const cleanups = '[svc_catalog].[svc_event_log_cleanups]'
const named = (parameter: string) => `(SELECT [value] FROM OPENJSON(${parameter}))`

/** @p1 the trigger: how many, and when the last of them is due. */
export const pendingText = `SELECT COUNT(*) AS [count],
  CONVERT(nvarchar(40), SWITCHOFFSET(MAX([scheduled_at]), '+00:00'), 126) AS [latest]
FROM ${cleanups} WHERE [trigger_name] = @p1 AND [status] = N'scheduled'`

/** @p1 the trigger, @p2 moments as texts. */
export const scheduleText = `INSERT INTO ${cleanups} ([trigger_name], [scheduled_at])
SELECT @p1, [t].[at] FROM OPENJSON(@p2) WITH ([at] datetimeoffset '$') AS [t]
WHERE NOT EXISTS (SELECT 1 AS [x] FROM ${cleanups} AS [c] WITH (UPDLOCK, HOLDLOCK)
  WHERE [c].[trigger_name] = @p1 AND [c].[scheduled_at] = [t].[at])`

/** @p1 triggers: what is due, the newest first. */
export const dueText = `${COMMITTED}SELECT CONVERT(nvarchar(36), [id]) AS [id], [trigger_name]
FROM ${cleanups} ${SKIPPING}
WHERE [status] = N'scheduled' AND [scheduled_at] <= ${NOW} AND [trigger_name] IN ${named('@p1')}
ORDER BY [scheduled_at] DESC`

/** @p1 clean-ups: no other instance takes them. */
export const takeText = `UPDATE ${cleanups} SET [status] = N'dead'
WHERE [id] IN (SELECT CAST([value] AS uniqueidentifier) FROM OPENJSON(@p1))`

/** @p1 the clean-up, @p2 its status, @p3 events, @p4 invocation logs. */
export const finishText = `UPDATE ${cleanups} SET [status] = @p2, [deleted_event_logs] = CAST(@p3 AS int),
  [deleted_event_invocation_logs] = CAST(@p4 AS int) WHERE [id] = CAST(@p1 AS uniqueidentifier)`

/** @p1 triggers. */
export const forgetText = `DELETE FROM ${cleanups}
WHERE [status] IN (N'scheduled', N'paused') AND [trigger_name] IN ${named('@p1')}`
