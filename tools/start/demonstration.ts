import { z } from 'zod'
import { cyan, dim, StartError, say } from './terminal.ts'

const CUSTOMER = '6'

/** What one customer may see of the store: their own purchases, and the catalogue. */
const QUERY = `query {
  invoice(order_by: { invoiced_at: desc }, limit: 1) {
    invoiced_at
    total
    lines(order_by: { id: asc }, limit: 2) {
      track { name album { title artist { name } } }
    }
  }
  invoice_aggregate { aggregate { count sum { total } } }
}`

/** Track 1 does not cost that: the check of the line is not satisfied, and its invoice is not written either. */
const REFUSED = `mutation {
  insert_invoice_one(
    object: {
      billing_city: "Oslo"
      billing_country: "Norway"
      total: 0.01
      lines: { data: [{ track_id: 1, unit_price: 0.01, quantity: 1 }] }
    }
  ) {
    id
    total
  }
}`

/** Run again it changes nothing: every start shows the same store. */
const DONE = `mutation {
  update_customer_by_pk(pk_columns: { id: 6 }, _set: { company: "Harbour Records" }) {
    first_name
    company
  }
}`

const customer = { 'X-Svc-Role': 'customer', 'X-Svc-Customer-Id': CUSTOMER }

/** Runs one nested query as a restricted role and shows both. */
export async function demonstrateQuery(url: string, adminSecret: string): Promise<void> {
  const text = await ask(url, adminSecret, QUERY, customer)
  const answer = graphqlAnswer.safeParse(JSON.parse(text))
  if (!answer.success) throw new StartError(`The sample query failed: ${text}`)
  say(headerLines(customer))
  say(cyan(indent(QUERY)))
  say(indent(compact(answer.data)))
}

/** Shows one mutation that a role's check refuses, and one that it may do. */
export async function demonstrateMutations(url: string, adminSecret: string): Promise<void> {
  say(headerLines(customer))
  for (const mutation of [REFUSED, DONE]) {
    say(cyan(indent(mutation)))
    say(indent(compact(JSON.parse(await ask(url, adminSecret, mutation, customer)))))
  }
}

async function ask(
  url: string,
  adminSecret: string,
  query: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(new URL('/v1/graphql', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Svc-Admin-Secret': adminSecret, ...headers },
    body: JSON.stringify({ query }),
  })
  return response.text()
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  dim(
    Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${value}`)
      .join('\n'),
  )

const graphqlAnswer = z.strictObject({ data: z.record(z.string(), z.unknown()) })

const indent = (text: string) => text.replace(/^/gm, '  ')

const WIDTH = 96

/** JSON with line breaks only where a value does not fit into one line. */
function compact(value: unknown, before = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (before.length + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat
  const inside = `${before}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((item) => inside + compact(item, inside))
    : Object.entries(value).map(([key, item]) => `${inside}${JSON.stringify(key)}: ${compact(item, inside)}`)
  return `${open}\n${items.join(',\n')}\n${before}${close}`
}
