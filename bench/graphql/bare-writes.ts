/**
 * What the bare server writes, by hand. Most tasks are BEGIN with the session's setting in one round trip, then one prepared
 * statement that writes, checks and answers, then COMMIT, or ROLLBACK where the check says no. Those of `alone` are only that
 * statement, without the setting, which nothing reads.
 */
import pg from 'pg'
import { storeId } from './store.ts'

const tasks = ['insert', 'update', 'nested', 'looking', 'many', 'each'] as const
type TransactionTask = (typeof tasks)[number]
export type BareWrite = TransactionTask | 'following' | 'insert-alone' | 'update-alone'
export const isBareWrite = (task: string): task is BareWrite => task in alone || tasks.some((one) => one === task)
const isAlone = (task: BareWrite): task is Exclude<BareWrite, TransactionTask> => task in alone

type Answer = [json: string, ok: boolean]

/** A statement that is prepared by its name, and the first row of its result. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly rowMode: 'array'
}
export type Row = readonly [string, boolean, number]
export type Ask = (statement: Statement, values: readonly unknown[]) => Promise<Row | undefined>

/** A driver with its pool of 10. */
export interface BareDatabase {
  readonly ask: Ask
  connect(): Promise<{ readonly ask: Ask; query(text: string): Promise<unknown>; release(): void }>
}

const session = (role: string) =>
  pg.escapeLiteral(JSON.stringify({ 'x-svc-role': role, 'x-svc-store-id': String(storeId) }))
const begin = `BEGIN; SELECT set_config('svc.user', ${session('customer')}, true)`

const insert = {
  name: 'insert',
  text: `INSERT INTO invoice (store_id, customer_id, billing_city, total) VALUES ($1, $2, $3, $4)
    RETURNING json_build_object('id', id, 'customer_id', customer_id, 'billing_city', billing_city, 'total', total)::text,
      store_id = $1 AND total >= 0`,
  rowMode: 'array' as const,
}
const following = {
  name: 'following',
  text: `WITH i AS (INSERT INTO invoice_line (store_id, invoice_id, track_id, unit_price, quantity)
      VALUES ($1, $2, $3, $4, $5) RETURNING *)
    SELECT json_build_object('id', i.id, 'track',
      (SELECT json_build_object('name', t.name) FROM track t WHERE t.id = i.track_id AND t.store_id = $1))::text,
      i.store_id = $1 AND i.quantity > 0 FROM i`,
  rowMode: 'array' as const,
}
const update = {
  name: 'update',
  text: `UPDATE account SET city = $2, changed_by = $3 WHERE id = $1 AND store_id = $3
    RETURNING json_build_object('id', id, 'city', city, 'credit', credit)::text, store_id = $3 AND credit >= 0`,
  rowMode: 'array' as const,
}
/** A check that says no is an error, so that nothing is written. */
const insertAlone = {
  name: 'insert alone',
  text: `INSERT INTO invoice (store_id, customer_id, billing_city, total) VALUES ($1, $2, $3, $4)
    RETURNING CASE WHEN store_id = $1 AND total >= 0
      THEN json_build_object('id', id, 'customer_id', customer_id, 'billing_city', billing_city, 'total', total)::text
      ELSE ('check of ' || id)::int::text END`,
  rowMode: 'array' as const,
}
const updateAlone = {
  name: 'update alone',
  text: `UPDATE account SET city = $3, changed_by = $1 WHERE id = $2 AND store_id = $1
    RETURNING CASE WHEN store_id = $1 AND credit >= 0
      THEN json_build_object('id', id, 'city', city, 'credit', credit)::text ELSE ('check of ' || id)::int::text END`,
  rowMode: 'array' as const,
}
const alone: Readonly<Record<Exclude<BareWrite, TransactionTask>, Statement>> = {
  following,
  'insert-alone': insertAlone,
  'update-alone': updateAlone,
}
const nested = {
  name: 'nested',
  text: `WITH i AS (INSERT INTO invoice (store_id, customer_id, billing_city, total) VALUES ($1, $2, $3, $4)
      RETURNING id, customer_id, billing_city, total, store_id = $1 AND total >= 0 AS ok),
    l AS (INSERT INTO invoice_line (store_id, invoice_id, track_id, unit_price, quantity)
      SELECT $1, i.id, d.track_id, d.unit_price, d.quantity
      FROM i, json_to_recordset($5::text::json) AS d (track_id int, unit_price numeric, quantity int)
      RETURNING store_id = $1 AND quantity > 0 AS ok)
    SELECT json_build_object('id', id, 'customer_id', customer_id, 'billing_city', billing_city, 'total', total)::text,
      ok AND (SELECT bool_and(ok) FROM l) FROM i`,
  rowMode: 'array' as const,
}
const order = {
  name: 'order',
  text: `INSERT INTO "order" (store_id, customer_id, billing_city, total) VALUES ($1, $2, $3, $4)
    RETURNING json_build_object('id', id, 'customer_id', customer_id, 'billing_city', billing_city, 'total', total)::text,
      store_id = $1 AND total >= 0, id`,
  rowMode: 'array' as const,
}
const orderLines = {
  name: 'order lines',
  text: `WITH l AS (INSERT INTO order_line AS l (order_id, track_id, unit_price, quantity)
      SELECT $2, d.track_id, d.unit_price, d.quantity
      FROM json_to_recordset($3::text::json) AS d (track_id int, unit_price numeric, quantity int)
      RETURNING l.quantity > 0 AND EXISTS (SELECT FROM "order" o WHERE o.id = l.order_id AND o.store_id = $1) AS ok)
    SELECT '', bool_and(ok) FROM l`,
  rowMode: 'array' as const,
}
const many = {
  name: 'many',
  text: `WITH i AS (INSERT INTO invoice (store_id, customer_id, billing_city, total)
      SELECT $1, d.customer_id, d.billing_city, d.total
      FROM json_to_recordset($2::text::json) AS d (customer_id int, billing_city text, total numeric)
      RETURNING store_id = $1 AND total >= 0 AS ok)
    SELECT json_build_object('affected_rows', count(*))::text, bool_and(ok) FROM i`,
  rowMode: 'array' as const,
}

type Invoice = { readonly customer_id: number; readonly billing_city: string; readonly total: number }

/** The JSON of the answer. Throws where a check says no. `text`: the request's body. */
export async function write(database: BareDatabase, task: BareWrite, text: string): Promise<string> {
  if (isAlone(task)) return (await asked(database.ask, alone[task], [storeId, ...JSON.parse(text)]))[0]
  const client = await database.connect()
  try {
    // a driver that pipelines sends both at once
    const [, [json, isAllowed]] = await Promise.all([client.query(begin), written(client.ask, task, text)])
    await client.query(isAllowed ? 'COMMIT' : 'ROLLBACK')
    if (!isAllowed) throw new Error('a check failed')
    return json
  } finally {
    client.release()
  }
}

const asked = async (ask: Ask, statement: Statement, values: readonly unknown[]) =>
  (await ask(statement, values)) ?? (['null', true, 0] as const)

async function written(on: Ask, task: TransactionTask, text: string): Promise<Answer> {
  const ask: (...of: Parameters<Ask>) => Promise<Row> = (...of) => asked(on, ...of)
  switch (task) {
    case 'insert': {
      const [json, ok] = await ask(insert, [storeId, ...JSON.parse(text)])
      return [json, ok]
    }
    case 'update': {
      const [json, ok] = await ask(update, [...JSON.parse(text), storeId])
      return [json, ok]
    }
    case 'nested': {
      const [customer, city, total, lines] = JSON.parse(text)
      const [json, ok] = await ask(nested, [storeId, customer, city, total, JSON.stringify(lines)])
      return [json, ok]
    }
    case 'looking': {
      const [customer, city, total, lines] = JSON.parse(text)
      const [json, ok, id] = await ask(order, [storeId, customer, city, total])
      const [, allLines] = await ask(orderLines, [storeId, id, JSON.stringify(lines)])
      return [json, ok && allLines]
    }
    case 'many': {
      const [json, ok] = await ask(many, [storeId, text])
      return [json, ok]
    }
    case 'each': {
      const answers: string[] = []
      let allowed = true
      const rows: readonly Invoice[] = JSON.parse(text)
      for (const { customer_id, billing_city, total } of rows) {
        const [json, ok] = await ask(insert, [storeId, customer_id, billing_city, total])
        answers.push(json)
        allowed &&= ok
      }
      return [`[${answers.join()}]`, allowed]
    }
  }
}
