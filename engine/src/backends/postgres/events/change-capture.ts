import {
  type Capture,
  type CaptureChange,
  type CapturedOperation,
  type CaptureOptions,
  capturedOperations,
  type RunStatement,
  type RunStatements,
  type TextStatement,
} from '../../event-store.ts'
import { ident, print, type Sql, sql, tableName } from '../../sql.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { captureFunction, captureName, captureTrigger } from './capture-function.ts'
import { askTables, askVersion, currentVersion, dropUnusedTables, prepareEventTables } from './catalogue.ts'

/**
 * Creates, replaces and drops a source's triggers, inside the caller's transaction, and returns its number
 * (reference/event-triggers#in-the-database, reference/event-triggers#what-goes-with-it). Existing triggers remain,
 * functions are replaced: only a new trigger has to wait for writers of its table, for at most 30 seconds. It takes two
 * round trips where the tables for events exist.
 */
export async function changeCapture(
  runAll: RunStatements,
  { drop, archive, forget, install }: CaptureChange,
  options: CaptureOptions,
): Promise<string> {
  const run: RunStatement = async (statement) => (await runAll([statement]))[0] ?? []
  const [, tables, found = []] = await runAll([limitWaits, askTables, askFunctions(install)])
  const hasTables = typeof tables?.[0]?.[0] === 'string'
  if (install.length > 0 && !hasTables) await prepareEventTables(run)
  const statements = [
    ...(hasTables ? [askVersion, ...leaving(drop, archive)] : []),
    ...installing(install, functionsOf(found), options),
    askTransaction,
  ]
  const answers: Rows[] = []
  for (let from = 0; from < statements.length; from += mostAtOnce)
    answers.push(...(await runAll(statements.slice(from, from + mostAtOnce))))
  // functions and triggers are the same over those of an older engine
  const isOlder = hasTables && Number(answers[0]?.[0]?.[0]) < currentVersion
  if (install.length > 0 && isOlder) await prepareEventTables(run)
  if (forget && install.length === 0) await dropUnusedTables(run)
  return answers.at(-1)?.[0]?.[0] ?? ''
}

type Rows = Awaited<ReturnType<RunStatement>>

/** Statements in one round trip. */
const mostAtOnce = 100

const limitWaits: TextStatement = { text: `SELECT set_config('lock_timeout', '30s', true)`, slots: [] }
const askTransaction: TextStatement = { text: 'SELECT pg_catalog.txid_current()::text', slots: [] }

function leaving(drop: CaptureChange['drop'], archive: CaptureChange['archive']): readonly TextStatement[] {
  const drops = drop.flatMap(({ trigger, operations }) => operations.map((one) => dropFunction(trigger, one)))
  if (archive.length === 0) return drops
  const slots = [arrayLiteral(archive)]
  return [
    ...drops,
    {
      text: 'UPDATE svc_catalog.event_log SET archived = true WHERE trigger_name = ANY ($1::text[]) AND NOT archived',
      slots,
    },
    {
      text: `DELETE FROM svc_catalog.svc_event_log_cleanups WHERE trigger_name = ANY ($1::text[]) AND status IN ('scheduled', 'paused')`,
      slots,
    },
  ]
}

const dropFunction = (trigger: string, operation: CapturedOperation): TextStatement =>
  statementOf(sql`DROP FUNCTION IF EXISTS svc_catalog.${ident(captureName(trigger, operation))} CASCADE`)

function installing(
  install: readonly Capture[],
  found: ReadonlyMap<string, readonly ExistingTrigger[]>,
  options: CaptureOptions,
): readonly TextStatement[] {
  const there = new Map(found)
  return install.flatMap((capture) =>
    capturedOperations.flatMap((operation) => {
      const name = captureName(capture.trigger, operation)
      const triggers = there.get(name)
      if (!capture.operations[operation]) {
        there.delete(name)
        return triggers ? [dropFunction(capture.trigger, operation)] : []
      }
      const { table, onReplication } = capture
      there.set(name, [{ schema: table.schema, table: table.name, always: onReplication === true }])
      return installingOne(capture, operation, triggers ?? [], options)
    }),
  )
}

function installingOne(
  capture: Capture,
  operation: CapturedOperation,
  triggers: readonly ExistingTrigger[],
  options: CaptureOptions,
): readonly TextStatement[] {
  // one of the same name on another table
  const isElsewhere = triggers.some(
    ({ schema, table }) => schema !== capture.table.schema || table !== capture.table.name,
  )
  const [trigger] = isElsewhere ? [] : triggers
  const mode = capture.onReplication ? sql`ENABLE ALWAYS` : sql`ENABLE`
  const name = ident(captureName(capture.trigger, operation))
  return [
    ...(isElsewhere ? [dropFunction(capture.trigger, operation)] : []),
    statementOf(captureFunction(capture, operation, options)),
    ...(trigger ? [] : [statementOf(captureTrigger(capture, operation))]),
    ...((capture.onReplication ?? false) === (trigger?.always ?? false)
      ? []
      : [statementOf(sql`ALTER TABLE ${tableName(capture.table)} ${mode} TRIGGER ${name}`)]),
  ]
}

interface ExistingTrigger {
  readonly schema: string
  readonly table: string
  readonly always: boolean
}

/** Functions of these names that there are, and the triggers that call them; those of partitions go with their parent's. */
const askFunctions = (install: readonly Capture[]): TextStatement => ({
  text: `SELECT p.proname, n.nspname, c.relname, t.tgenabled = 'A'
    FROM pg_proc p LEFT JOIN pg_trigger t ON t.tgfoid = p.oid AND t.tgparentid = 0
    LEFT JOIN pg_class c ON c.oid = t.tgrelid LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'svc_catalog') AND p.proname = ANY ($1::text[])`,
  slots: [
    arrayLiteral(
      install.flatMap(({ trigger }) => capturedOperations.map((operation) => captureName(trigger, operation))),
    ),
  ],
})

/** By the function's name. */
function functionsOf(rows: Rows): ReadonlyMap<string, readonly ExistingTrigger[]> {
  const found = new Map<string, ExistingTrigger[]>()
  for (const [name, schema, table, always] of rows) {
    const triggers = found.get(name ?? '') ?? []
    if (typeof table === 'string') triggers.push({ schema: schema ?? '', table, always: always === 't' })
    found.set(name ?? '', triggers)
  }
  return found
}

const statementOf = (fragment: Sql): TextStatement => ({ text: print(fragment).text, slots: [] })
