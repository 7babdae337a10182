/**
 * Cron expressions in UTC with the resolution of a minute (reference/scheduled-triggers#schedules): read, written
 * canonically and evaluated.
 */

interface Field {
  /** Canonical: names as numbers. */
  readonly text: string
  readonly values: ReadonlySet<number>
  /** Says something: neither `*`, nor a list with a `*` in it, nor a step of 1 over all of them. */
  readonly restricted: boolean
}

export interface CronSchedule {
  readonly minute: Field
  readonly hour: Field
  readonly dayOfMonth: Field
  readonly month: Field
  readonly dayOfWeek: Field
}

interface FieldKind {
  readonly least: number
  readonly most: number
  /** Lower-case names; the first one means `firstNamed`. */
  readonly names: readonly string[]
  readonly firstNamed: number
}

const numbers = (least: number, most: number): FieldKind => ({ least, most, names: [], firstNamed: 0 })

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const minutes = numbers(0, 59)
const hours = numbers(0, 23)
const daysOfMonth = numbers(1, 31)
const monthsOfYear: FieldKind = { least: 1, most: 12, names: months, firstNamed: 1 }
const daysOfWeek: FieldKind = { least: 0, most: 7, names: days, firstNamed: 1 }

const shorthands: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** Five fields separated by one space each, or a shorthand, in any case. Null for anything else. */
export function parseCronSchedule(text: string): CronSchedule | null {
  const lower = text.toLowerCase()
  const parts = (shorthands.get(lower) ?? lower).split(' ')
  const [minute, hour, dayOfMonth, month, dayOfWeek] = [minutes, hours, daysOfMonth, monthsOfYear, daysOfWeek].map(
    (kind, i) => parseField(parts[i] ?? '', kind),
  )
  if (parts.length !== 5 || !minute || !hour || !dayOfMonth || !month || !dayOfWeek) return null
  return { minute, hour, dayOfMonth, month, dayOfWeek }
}

/** The five fields, lower-case, with numbers for names. */
export const cronScheduleText = ({ minute, hour, dayOfMonth, month, dayOfWeek }: CronSchedule): string =>
  [minute, hour, dayOfMonth, month, dayOfWeek].map(({ text }) => text).join(' ')

interface Base {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly kind: 'all' | 'one' | 'range'
}

function parseField(text: string, kind: FieldKind): Field | null {
  const [before = '', step, ...more] = text.split('/')
  if (more.length > 0) return null
  if (step !== undefined) return parseStep(before, step, kind)
  const bases = before.split(',').map((part) => parseBase(part, kind))
  const known = bases.filter((base) => base !== null)
  if (known.length !== bases.length) return null
  return {
    text: known.map((base) => base.text).join(','),
    values: new Set(known.flatMap(({ from, to }) => every(from, to, 1))),
    restricted: known.every((base) => base.kind !== 'all'),
  }
}

/** `n/k` goes on to the end of the field. No list has steps. */
function parseStep(before: string, step: string, kind: FieldKind): Field | null {
  const base = parseBase(before, kind)
  const by = parseNumber(step)
  if (!base || by === null || by < 1 || by < kind.least || by > kind.most) return null
  return {
    text: `${base.text}/${by}`,
    values: new Set(every(base.from, base.kind === 'one' ? kind.most : base.to, by)),
    restricted: base.kind !== 'all' || by !== 1,
  }
}

function parseBase(text: string, kind: FieldKind): Base | null {
  if (text === '*') return { text, from: kind.least, to: kind.most, kind: 'all' }
  const [first = '', last, ...more] = text.split('-')
  const from = parseValue(first, kind)
  if (from === null || more.length > 0) return null
  if (last === undefined) return { text: String(from), from, to: from, kind: 'one' }
  const to = parseValue(last, kind)
  return to === null || to < from ? null : { text: `${from}-${to}`, from, to, kind: 'range' }
}

function parseValue(text: string, { least, most, names, firstNamed }: FieldKind): number | null {
  const named = names.indexOf(text)
  if (named >= 0) return named + firstNamed
  const value = parseNumber(text)
  return value === null || value < least || value > most ? null : value
}

const parseNumber = (text: string): number | null => (/^\d{1,4}$/.test(text) ? Number(text) : null)

const every = (from: number, to: number, by: number): number[] =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, i) => from + i * by)

/**
 * The first instants after `after` at which the schedule is due, at most `count`; fewer only where it is never due again.
 * Both in milliseconds since 1970.
 */
export function nextCronTimes(schedule: CronSchedule, after: number, count: number): readonly number[] {
  const times: number[] = []
  const minuteAfter = Math.floor(after / MINUTE) * MINUTE + MINUTE
  const ofDay = [...schedule.hour.values]
    .toSorted((a, b) => a - b)
    .flatMap((hour) => [...schedule.minute.values].toSorted((a, b) => a - b).map((minute) => hour * 60 + minute))
  let day = Math.floor(minuteAfter / DAY) * DAY
  for (let quiet = 0; times.length < count && quiet < LONGEST_GAP; day += DAY, quiet++) {
    if (!isDueOn(schedule, new Date(day))) continue
    for (const minute of ofDay) {
      const time = day + minute * MINUTE
      if (time >= minuteAfter && times.length < count) times.push(time)
    }
    quiet = 0
  }
  return times
}

/** Where both days are restricted, either suffices. */
function isDueOn({ dayOfMonth, month, dayOfWeek }: CronSchedule, date: Date): boolean {
  if (!month.values.has(date.getUTCMonth() + 1)) return false
  const weekday = date.getUTCDay()
  const byMonth = dayOfMonth.values.has(date.getUTCDate())
  const byWeek = dayOfWeek.values.has(weekday) || (weekday === 0 && dayOfWeek.values.has(7))
  return dayOfMonth.restricted && dayOfWeek.restricted ? byMonth || byWeek : byMonth && byWeek
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Days between two 29ths of February, at most, on the same day of the week: 40 years. */
const LONGEST_GAP = 41 * 366
