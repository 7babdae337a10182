/** Dates and times: their texts, and the ticks (100 ns) that the double holds. */
import { ServerError } from './server-error.ts'
import type { Moment, SqlType } from './types.ts'

const SECOND = 10_000_000n
const DAY = 86_400n * SECOND
/** Ticks from 0001-01-01 to the epoch of JavaScript. */
const EPOCH = 719_162n * DAY

export const nowTicks = (): bigint => BigInt(Date.now()) * 10_000n + EPOCH

const dayTicks = (year: number, month: number, day: number): bigint | null => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal && year >= 1 && year <= 9999 ? BigInt(date.getTime()) * 10_000n + EPOCH : null
}

type Parts = { readonly date: bigint; readonly time: bigint; readonly offset: number | null }

const TIME = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(am|pm)?$/i

/** Reads the forms that a server reads under the language us_english; null for all others. */
function readParts(written: string): Parts | null {
  let rest = written.trim()
  const zone = /\s*(?:(Z)|([+-])(\d{2}):(\d{2}))$/i.exec(rest)
  let offset: number | null = null
  const isIso = /\d[T ]\d|:/.test(rest)
  if (zone && isIso) {
    offset = zone[1] ? 0 : (zone[2] === '-' ? -1 : 1) * (Number(zone[3]) * 60 + Number(zone[4]))
    if (Math.abs(offset) > 840) return null
    rest = rest.slice(0, zone.index)
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(.*))?$/.exec(rest)
  const compact = /^(\d{4})(\d{2})(\d{2})(?: +(.*))?$/.exec(rest)
  const american = /^(\d{1,2})[-/](\d{1,2})[-/](\d{2}|\d{4})(?: +(.*))?$/.exec(rest)
  const found = iso ?? compact ?? american
  const [, one = '', two = '', three = '', clock = found ? '' : rest] = found ?? []
  let date: bigint | null = 693_595n * DAY
  if (found && !american) date = dayTicks(Number(one), Number(two), Number(three))
  if (american) {
    const year = Number(three)
    date = dayTicks(three.length === 4 ? year : year < 50 ? 2000 + year : 1900 + year, Number(one), Number(two))
  }
  const time = clock === '' ? 0n : readTime(clock)
  return date === null || time === null ? null : { date, time, offset }
}

function readTime(written: string): bigint | null {
  const found = TIME.exec(written.trim())
  if (!found) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '', half = ''] = found
  if (found[2] === undefined && half === '') return null
  let hour = Number(hours)
  if (half !== '') hour = (hour % 12) + (/p/i.test(half) ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const ticks = BigInt(fraction.padEnd(7, '0').slice(0, 7))
  return (BigInt(hour) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND + ticks
}

/** The value of a text as a type of date or time. Throws 241 or 242. */
export function parseTemporal(written: string, type: SqlType): bigint | Moment {
  const failure = new ServerError(241, 'Conversion failed when converting date and/or time from character string.')
  const parts = readParts(written)
  if (!parts) throw failure
  // the old types know no zone: 'Z' is read, an offset is not
  const isOld = type.name === 'datetime' || type.name === 'smalldatetime'
  if (isOld && (parts.offset ?? 0) !== 0) throw failure
  if (isOld && (written.split('.')[1] ?? '').replace(/\D.*/, '').length > 3) throw failure
  return toTemporal({ ticks: parts.date + parts.time, offset: parts.offset ?? 0 }, type)
}

/** A local time with its offset as any type of date or time. */
export function toTemporal(local: Moment, type: SqlType): bigint | Moment {
  const { ticks, offset } = local
  const { scale = 7 } = type
  switch (type.name) {
    case 'date':
      return (ticks / DAY) * DAY
    case 'time':
      return roundTo(ticks % DAY, scale) % DAY
    case 'datetimeoffset':
      return { ticks: roundTo(ticks, scale) - BigInt(offset) * 60n * SECOND, offset }
    case 'datetime2':
      return roundTo(ticks, scale)
    case 'datetime': {
      if (ticks < 639_905n * DAY) throw outOfRange('datetime')
      // thirds of a hundredth of a second: .000, .003, .007
      const units = ((ticks % DAY) * 300n + 5_000_000n) / SECOND
      const millis = (units * 10n + 1n) / 3n
      return (ticks / DAY) * DAY + millis * 10_000n
    }
    default: {
      if (ticks < 693_595n * DAY || ticks >= 759_131n * DAY) throw outOfRange('smalldatetime')
      const minute = 60n * SECOND
      return ((ticks + 300_000_000n) / minute) * minute
    }
  }
}

const outOfRange = (name: string) =>
  new ServerError(
    242,
    `The conversion of a varchar data type to a ${name} data type resulted in an out-of-range value.`,
  )

function roundTo(ticks: bigint, scale: number): bigint {
  const unit = 10n ** BigInt(7 - scale)
  return ((ticks + unit / 2n) / unit) * unit
}

const pad = (value: bigint | number, width: number): string => String(value).padStart(width, '0')

function dateText(ticks: bigint): string {
  const date = new Date(Number((ticks - (ticks % DAY) - EPOCH) / 10_000n))
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`
}

function timeText(ticks: bigint, scale: number, isJson: boolean): string {
  const seconds = (ticks % DAY) / SECOND
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => pad(part, 2)).join(':')
  const fraction = pad(ticks % SECOND, 7).slice(0, scale)
  return scale === 0 || (isJson && /^0*$/.test(fraction)) ? clock : `${clock}.${fraction}`
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`
}

/** As CAST makes a text of it, or as FOR JSON prints it. */
export function temporalText(value: bigint | Moment, type: SqlType, isJson: boolean): string {
  const { scale = 7 } = type
  const between = isJson ? 'T' : ' '
  if (typeof value !== 'bigint') {
    const local = localOf(value)
    const zone = isJson ? (value.offset === 0 ? 'Z' : offsetText(value.offset)) : ` ${offsetText(value.offset)}`
    return `${dateText(local)}${between}${timeText(local, scale, isJson)}${zone}`
  }
  switch (type.name) {
    case 'date':
      return dateText(value)
    case 'time':
      return timeText(value, scale, isJson)
    case 'datetime2':
      return `${dateText(value)}${between}${timeText(value, scale, isJson)}`
    default:
      return isJson ? `${dateText(value)}T${timeText(value, type.name === 'datetime' ? 3 : 0, true)}` : oldText(value)
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Style 0, the default of datetime: `Apr 15 1996  4:00AM`. */
function oldText(ticks: bigint): string {
  const [year = '', month = '', day = ''] = dateText(ticks).split('-')
  const minutes = Number((ticks % DAY) / SECOND / 60n)
  const hour = Math.floor(minutes / 60)
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}`.padStart(2)
  return `${MONTHS[Number(month) - 1]} ${String(Number(day)).padStart(2)} ${year} ${clock}:${pad(minutes % 60, 2)}${hour < 12 ? 'AM' : 'PM'}`
}

export const localOf = ({ ticks, offset }: Moment): bigint => ticks + BigInt(offset) * 60n * SECOND
