import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronScheduleText, nextCronTimes, parseCronSchedule } from './cron-schedule.ts'

const canonical = (text: string) => {
  const schedule = parseCronSchedule(text)
  return schedule && cronScheduleText(schedule)
}

const next = (text: string, after: string, count = 1) => {
  const schedule = parseCronSchedule(text)
  assert.ok(schedule, text)
  return nextCronTimes(schedule, Date.parse(after), count).map((time) => new Date(time).toISOString().slice(0, 16))
}

test('a schedule is written with numbers, and a shorthand as its five fields', () => {
  const forms: Readonly<Record<string, string>> = {
    '* * * * *': '* * * * *',
    '*/5 0-6/2 1,15 JAN-mar MON': '*/5 0-6/2 1,15 1-3 1',
    '0 22 * * 1-5': '0 22 * * 1-5',
    '0 0 * dec sun': '0 0 * 12 7',
    '5/15 * * * *': '5/15 * * * *',
    '@yearly': '0 0 1 1 *',
    '@monthly': '0 0 1 * *',
    '@weekly': '0 0 * * 0',
    '@Daily': '0 0 * * *',
    '@hourly': '0 * * * *',
    '*,5 * * * *': '*,5 * * * *',
  }
  for (const [text, form] of Object.entries(forms)) assert.equal(canonical(text), form)
})

test('what is no schedule is refused', () => {
  const bad = [
    '',
    '* * * *',
    '* * * * * *',
    '*  * * * *',
    ' * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/60 * * * *',
    '*/0 * * * *',
    '*/2,5 * * * *',
    '5-3 * * * *',
    '1-2-3 * * * *',
    '1//2 * * * *',
    'jan * * * *',
    '@every',
    '-1 * * * *',
    '1.5 * * * *',
    '* * * foo *',
  ]
  for (const text of bad) assert.equal(canonical(text), null, text)
})

test('the next time is strictly after the given one', () => {
  assert.deepEqual(next('* * * * *', '2024-05-06T07:08:00Z', 2), ['2024-05-06T07:09', '2024-05-06T07:10'])
  assert.deepEqual(next('* * * * *', '2024-05-06T07:08:59.999Z'), ['2024-05-06T07:09'])
  assert.deepEqual(next('0 22 * * 1-5', '2024-05-10T22:00:00Z'), ['2024-05-13T22:00'])
  assert.deepEqual(next('*/20 3 * * *', '2024-12-31T03:40:00Z', 3), [
    '2025-01-01T03:00',
    '2025-01-01T03:20',
    '2025-01-01T03:40',
  ])
})

test('a day of the month or of the week suffices where both are restricted, else both must fit', () => {
  assert.deepEqual(next('0 0 13 * 5', '2024-09-01T00:00:00Z', 3), [
    '2024-09-06T00:00',
    '2024-09-13T00:00',
    '2024-09-20T00:00',
  ])
  assert.deepEqual(next('0 0 13 * *', '2024-09-01T00:00:00Z', 2), ['2024-09-13T00:00', '2024-10-13T00:00'])
  assert.deepEqual(next('0 0 */1 * 5', '2024-09-01T00:00:00Z', 2), ['2024-09-06T00:00', '2024-09-13T00:00'])
  assert.deepEqual(next('0 0 */2 * 1', '2024-09-01T00:00:00Z', 2), ['2024-09-02T00:00', '2024-09-03T00:00'])
})

test('0 and 7 are Sunday', () => {
  for (const day of ['0', '7', 'sun', '5-7'])
    assert.ok(next(`0 0 * * ${day}`, '2024-09-06T12:00:00Z', 3).includes('2024-09-08T00:00'), day)
})

test('leap days are found across a century without one, and what never comes gives nothing', () => {
  assert.deepEqual(next('0 0 29 2 *', '2096-02-29T00:00:00Z'), ['2104-02-29T00:00'])
  assert.deepEqual(next('0 0 31 2 *', '2024-01-01T00:00:00Z'), [])
  assert.deepEqual(next('0 0 30 2,4 *', '2024-01-01T00:00:00Z'), ['2024-04-30T00:00'])
})

test('each time agrees with a walk over all minutes', () => {
  for (const text of ['7,37 */5 * 2-3 *', '0 12 1-7 * 1', '59 23 31 * *', '*/7 1-3 15/4 * 2-4']) {
    const schedule = parseCronSchedule(text)
    assert.ok(schedule)
    const start = Date.parse('2024-02-25T00:00:00Z')
    const walked: number[] = []
    for (let time = start + 60_000; time < start + 40 * 86_400_000; time += 60_000) {
      const date = new Date(time)
      const { minute, hour, dayOfMonth, month, dayOfWeek } = schedule
      const day = dayOfMonth.values.has(date.getUTCDate())
      const week = dayOfWeek.values.has(date.getUTCDay()) || (date.getUTCDay() === 0 && dayOfWeek.values.has(7))
      const fits = dayOfMonth.restricted && dayOfWeek.restricted ? day || week : day && week
      if (
        fits &&
        month.values.has(date.getUTCMonth() + 1) &&
        hour.values.has(date.getUTCHours()) &&
        minute.values.has(date.getUTCMinutes())
      )
        walked.push(time)
    }
    assert.deepEqual(nextCronTimes(schedule, start, walked.length), walked)
  }
})
