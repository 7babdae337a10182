import { Path } from '../../../errors.ts'
import type { OpenTransaction } from '../../backend.ts'

type Run = OpenTransaction['run']

/** The transaction's number, which no other one of the cluster has. */
export async function transactionId(run: Run): Promise<string> {
  const [row] = await run({ text: 'SELECT pg_catalog.txid_current()::text', slots: [] }, Path.root)
  return row?.[0] ?? ''
}

/** How a transaction ended. NULL: its record is gone; a number of the future belongs to another cluster. */
export async function transactionOutcome(run: Run, transaction: string): ReturnType<OpenTransaction['outcomeOf']> {
  const text = `
    SELECT CASE WHEN $1::text::bigint < pg_catalog.txid_current()
      THEN pg_catalog.txid_status($1::text::bigint) END`
  const [row] = await run({ text, slots: [transaction] }, Path.root)
  const [status] = row ?? []
  return status === 'committed' || status === 'aborted' || status === 'in progress' ? status : 'unknown'
}

/** The cluster's own number and that of the database in it, whatever host or pooler leads there. */
export async function databasePlace(run: Run): ReturnType<OpenTransaction['place']> {
  const text = `
    SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system())::text || '/' || oid::text, current_user::text
    FROM pg_catalog.pg_database WHERE datname = current_database()`
  const [row] = await run({ text, slots: [] }, Path.root)
  return { database: row?.[0] ?? '', role: row?.[1] ?? '' }
}
