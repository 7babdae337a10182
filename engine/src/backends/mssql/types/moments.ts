/** Why a text is no date, time or moment as the database writes them; null where it is one (docs/sql-server.md). */
export function momentProblem(type: string, text: string): string | null {
  switch (type) {
    case 'date':
      return isDate(text) ? null : unread('date', text)
    case 'time':
      return time.test(text) ? null : unread('time', text)
    default: {
      const [date = '', clock = ''] = text.split(/[T ]/, 2)
      return isDate(date) && time.test(clock) ? null : unread('timestamp', text)
    }
  }
}

const unread = (called: string, text: string): string =>
  `could not parse ${called}: ${JSON.stringify(text.slice(0, 100))}`

const time = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,12})?$/

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === '' || Number(year) === 0) return false
  const date = new Date(`${text}T00:00:00Z`)
  // what the calendar lacks is another day, or none
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}
