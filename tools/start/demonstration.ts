import { z } from 'zod'
import { cyan, dim, StartError, say } from './terminal.ts'

const CUSTOMER = '6'

/** What one customer may see of the store: their own purchases, and the catalogue. */
export const QUERY = `query {
  invoice(order_by: { invoiced_at: desc }, limit: 1) {
    invoiced_at
    total
    lines(order_by: { id: asc }, limit: 2) {
      track { name album { title artist { name } } }
    }
  }
  invoice_aggregate { aggregate { count sum { total } } }
}`

/** Runs one nested query as a restricted role and shows both. */
export async function demonstrate(url: string, adminSecret: string): Promise<void> {
  const response = await fetch(new URL('/v1/graphql', url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Svc-Admin-Secret': adminSecret,
      'X-Svc-Role': 'customer',
      'X-Svc-Customer-Id': CUSTOMER,
    },
    body: JSON.stringify({ query: QUERY }),
  })
  const text = await response.text()
  const answer = graphqlAnswer.safeParse(JSON.parse(text))
  if (!answer.success) throw new StartError(`The sample query failed: ${text}`)
  say(dim(`  X-Svc-Role: customer\n  X-Svc-Customer-Id: ${CUSTOMER}`))
  say(cyan(indent(QUERY)))
  say(indent(compact(answer.data)))
}

const graphqlAnswer = z.strictObject({ data: z.record(z.string(), z.unknown()) })

const indent = (text: string) => text.replace(/^/gm, '  ')

const WIDTH = 96

/** JSON with line breaks only where a value does not fit into one line. */
export function compact(value: unknown, before = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (before.length + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat
  const inside = `${before}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((item) => inside + compact(item, inside))
    : Object.entries(value).map(([key, item]) => `${inside}${JSON.stringify(key)}: ${compact(item, inside)}`)
  return `${open}\n${items.join(',\n')}\n${before}${close}`
}
