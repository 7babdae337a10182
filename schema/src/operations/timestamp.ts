import { type Schema, text } from '../shape.ts'

const instant =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s?(?:[Zz]|[+-](\d{2})(?::?(\d{2}))?)?$/

/** ISO 8601, in the calendar: what PostgreSQL refuses must not reach it. Without a zone it is in UTC, and becomes so. */
export const timestamp: Schema<string> = text
  .refine(isInstant, 'expected a timestamp in ISO 8601')
  .transform((value) => (/(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/.test(value.slice(11)) ? value : `${value.trimEnd()}Z`))

function isInstant(value: string): boolean {
  const found = instant.exec(value)?.slice(1).map(Number)
  if (!found) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHours = 0, zoneMinutes = 0] = found.map(
    (part) => (Number.isNaN(part) ? 0 : part),
  )
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth
  const isTime = hour < 24 && minute < 60 && second < 60
  return isDay && isTime && zoneHours < 16 && zoneMinutes < 60
}
