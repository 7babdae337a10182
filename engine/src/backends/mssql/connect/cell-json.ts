import type { Json } from '@svc/schema'
import { exactNumber } from '../../../exact-json/index.ts'
import type { Client } from './load-client.ts'
import type { ResultSet } from './run-request.ts'

type Column = ResultSet['columns'][number]

/** A cell as run_sql shows it: numbers, booleans, null; moments as FOR JSON writes them, bytes in base64. */
export function cellJson(value: unknown, column: Column, { TYPES }: Client): Json {
  if (value === null || value === undefined) return null
  // these come as texts, since JavaScript's numbers end before them
  if (typeof value === 'string') return exactTypes(TYPES).includes(column.type) ? (exactNumber(value) as Json) : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return momentText(value, column, TYPES)
  return JSON.parse(JSON.stringify(value)) as Json
}

const exactTypes = (types: Client['TYPES']): readonly unknown[] => [
  types.BigInt,
  types.Decimal,
  types.Numeric,
  types.Money,
  types.SmallMoney,
]

/** The same as text, for statements of which only texts and numbers are read. */
export function cellText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

function momentText(value: Date, { type, scale }: Column, types: Client['TYPES']): string {
  const [day = '', rest = ''] = value.toISOString().split('T')
  const time = rest.slice(0, 8) + fractionText(value, type === types.SmallDateTime ? 0 : (scale ?? 3))
  if (type === types.Date) return day
  if (type === types.Time) return time
  return type === types.DateTimeOffset ? `${day}T${time}Z` : `${day}T${time}`
}

/** What a Date lacks of the seven digits that the server has, the client puts next to it. */
function fractionText(value: Date, scale: number): string {
  const { nanosecondsDelta: more = 0 } = value as Date & { readonly nanosecondsDelta?: number }
  const ticks = value.getUTCMilliseconds() * 10_000 + Math.round(more * 10_000_000)
  const digits = String(ticks).padStart(7, '0').slice(0, scale).replace(/0+$/, '')
  return digits === '' ? '' : `.${digits}`
}
