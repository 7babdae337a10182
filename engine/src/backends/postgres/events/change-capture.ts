import {
  type Capture,
  type CaptureChange,
  type CapturedOperation,
  type CaptureOptions,
  capturedOperations,
  type RunStatement,
} from '../../event-store.ts'
import { ident, print, type Sql, sql } from '../../sql.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { captureFunction, captureName, captureTrigger, tableName } from './capture-function.ts'
import { dropUnusedTables, hasEventTables, prepareEventTables } from './catalogue.ts'

/**
 * Carries out what becomes of a source's triggers, inside the caller's transaction
 * (reference/event-triggers#in-the-database, reference/event-triggers#what-goes-with-it). Triggers that are there stay,
 * functions are replaced: only a new trigger has to wait for writers of its table, for at most 30 seconds.
 */
export async function changeCapture(run: RunStatement, change: CaptureChange, options: CaptureOptions): Promise<void> {
  await run({ text: `SELECT set_config('lock_timeout', '30s', true)`, slots: [] })
  await leave(run, change)
  if (change.forget && change.install.length === 0) await dropUnusedTables(run)
  if (change.install.length === 0) return
  await prepareEventTables(run)
  for (const capture of change.install) await install(run, capture, options)
}

async function leave(run: RunStatement, { drop, archive }: CaptureChange): Promise<void> {
  if (drop.length + archive.length === 0 || !(await hasEventTables(run))) return
  for (const { trigger, operations } of drop)
    for (const operation of operations) await runSql(run, dropFunction(trigger, operation))
  if (archive.length === 0) return
  const names = arrayLiteral(archive)
  await run({
    text: 'UPDATE svc_catalog.event_log SET archived = true WHERE trigger_name = ANY ($1::text[]) AND NOT archived',
    slots: [names],
  })
  await run({
    text: `DELETE FROM svc_catalog.svc_event_log_cleanups WHERE trigger_name = ANY ($1::text[]) AND status IN ('scheduled', 'paused')`,
    slots: [names],
  })
}

const dropFunction = (trigger: string, operation: CapturedOperation): Sql =>
  sql`DROP FUNCTION IF EXISTS svc_catalog.${ident(captureName(trigger, operation))} CASCADE`

async function install(run: RunStatement, capture: Capture, options: CaptureOptions): Promise<void> {
  const there = await existing(run, capture)
  for (const operation of capturedOperations) {
    const found = there.get(captureName(capture.trigger, operation))
    if (!capture.operations[operation]) {
      if (found) await runSql(run, dropFunction(capture.trigger, operation))
      continue
    }
    // one of the same name on another table
    if (found?.triggers.some((one) => !one.here)) await runSql(run, dropFunction(capture.trigger, operation))
    await runSql(run, captureFunction(capture, operation, options))
    const trigger = found?.triggers.every((one) => one.here) ? found.triggers[0] : undefined
    if (!trigger) await runSql(run, captureTrigger(capture, operation))
    if (capture.onReplication !== (trigger?.always ?? false)) {
      const name = ident(captureName(capture.trigger, operation))
      const mode = capture.onReplication ? sql`ENABLE ALWAYS` : sql`ENABLE`
      await runSql(run, sql`ALTER TABLE ${tableName(capture)} ${mode} TRIGGER ${name}`)
    }
  }
}

interface ExistingFunction {
  readonly triggers: readonly { readonly here: boolean; readonly always: boolean }[]
}

/** The trigger's functions that there are, and the triggers that call them; those of partitions go with their parent's. */
async function existing(run: RunStatement, capture: Capture): Promise<ReadonlyMap<string, ExistingFunction>> {
  const names = capturedOperations.map((operation) => captureName(capture.trigger, operation))
  const rows = await run({
    text: `SELECT p.proname, t.oid IS NOT NULL, t.tgrelid = $2::regclass, t.tgenabled = 'A'
      FROM pg_proc p LEFT JOIN pg_trigger t ON t.tgfoid = p.oid AND t.tgparentid = 0
      WHERE p.pronamespace = 'svc_catalog'::regnamespace AND p.proname = ANY ($1::text[])`,
    slots: [arrayLiteral(names), print(tableName(capture)).text],
  })
  const found = new Map<string, { here: boolean; always: boolean }[]>()
  for (const [name, hasTrigger, here, always] of rows) {
    const triggers = found.get(name ?? '') ?? []
    if (hasTrigger === 't') triggers.push({ here: here === 't', always: always === 't' })
    found.set(name ?? '', triggers)
  }
  return new Map([...found].map(([name, triggers]) => [name, { triggers }]))
}

async function runSql(run: RunStatement, statement: Sql): Promise<void> {
  await run({ text: print(statement).text, slots: [] })
}
