// tedious makes JavaScript numbers of decimal and money, and so loses digits; here they are texts with all of them.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const client = createRequire(require.resolve('mssql'))
/** As tedious itself loads it: what reads rows calls the functions of this object. */
const reader = client('tedious/lib/value-parser.js')

/** Texts of numeric, decimal, money and smallmoney columns from now on. */
export function readExactNumbers() {
  const read = reader.readValue
  reader.readValue = (buffer, offset, column, options) => {
    const result = read(buffer, offset, column, options)
    if (result.value !== null && Object.hasOwn(texts, column.type.name))
      result.value = texts[column.type.name](buffer, offset, column)
    return result
  }
}

const texts = {
  NumericN: decimalText,
  DecimalN: decimalText,
  Money: (buffer, offset) => moneyText(buffer, offset, 8),
  SmallMoney: (buffer, offset) => moneyText(buffer, offset, 4),
  MoneyN: (buffer, offset) => moneyText(buffer, offset + 1, buffer[offset]),
}

/** A length, a sign, and the digits as a whole number of up to 16 bytes. */
function decimalText(buffer, offset, { scale }) {
  const bytes = buffer.subarray(offset + 2, offset + 1 + buffer[offset])
  const digits = bytes.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
  return scaled(buffer[offset + 1] === 1 ? digits : -digits, scale ?? 0)
}

/** Ten-thousandths; of eight bytes the upper four come first. */
const moneyText = (buffer, offset, length) =>
  scaled(
    length === 4
      ? BigInt(buffer.readInt32LE(offset))
      : (BigInt(buffer.readInt32LE(offset)) << 32n) + BigInt(buffer.readUInt32LE(offset + 4)),
    4,
  )

function scaled(number, scale) {
  const digits = String(number < 0n ? -number : number).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${number < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
}
