/** Returns a number without an exponent, which the database reads in no decimal; null for a text that is no number. */
export function plainDecimal(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = written.exec(text.trim()) ?? []
  if (whole === '' && fraction === '') return null
  const shift = Number(exponent)
  if (shift === 0) return `${minus(sign)}${whole || '0'}${fraction && `.${fraction}`}`
  if (Math.abs(shift) > MOST_DIGITS) return null
  const digits = `${whole}${fraction}`
  const point = whole.length + shift
  const padded = point < 0 ? `${'0'.repeat(-point)}${digits}` : digits.padEnd(point, '0')
  const left = padded.slice(0, Math.max(point, 0)).replace(/^0+(?=\d)/, '') || '0'
  const right = padded.slice(Math.max(point, 0))
  return `${minus(sign)}${left}${right && `.${right}`}`
}

const minus = (sign: string): string => (sign === '-' ? '-' : '')

/** The largest exponent: ten times the digits of the database's decimals. */
const MOST_DIGITS = 380

const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/
