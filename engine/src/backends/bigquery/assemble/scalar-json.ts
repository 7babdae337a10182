import type { ScalarShape } from '../statement-shape.ts'

/** The text of a value as JSON (reference/values#bigquery). */
export function scalarJson(type: ScalarShape, text: string): string {
  switch (type) {
    case 'text':
      return JSON.stringify(text)
    case 'boolean':
      return text.toLowerCase() === 'true' ? 'true' : 'false'
    case 'timestamp':
      return JSON.stringify(timestampText(text))
    case 'json':
      return text
  }
}

/**
 * Seconds since 1970 as the service sends them (`1.2301902E9`), with up to six digits of a fraction -> `2008-12-25T07:30:00Z`.
 * Emulators send the time itself inside of RECORDs.
 */
function timestampText(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = seconds.exec(text) ?? []
  if (whole === '') return text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z')
  const digits = `${whole}${fraction}`.padEnd(whole.length + Number(exponent), '0')
  const point = whole.length + Number(exponent)
  const micros = BigInt(`${sign}${digits.slice(0, Math.max(point, 0)) || '0'}`) * 1_000_000n
  const rest = BigInt(`${sign}${fractionOf(digits, point)}`)
  return isoText(micros + rest)
}

const seconds = /^(-?)(\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/i

/** Six digits behind the point. */
const fractionOf = (digits: string, point: number): string =>
  `${'0'.repeat(Math.max(-point, 0))}${digits.slice(Math.max(point, 0))}`.padEnd(6, '0').slice(0, 6)

function isoText(micros: bigint): string {
  const second = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n)
  const fraction = micros - second * 1_000_000n
  const iso = new Date(Number(second) * 1000).toISOString().replace('.000Z', '')
  // years beyond four digits have a sign there, which no value of BigQuery has
  return `${iso}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`}Z`
}
