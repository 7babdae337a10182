/** Conversions between types, with the errors of the server. */
import { ServerError } from './server-error.ts'
import { localOf, parseTemporal, temporalText, toTemporal } from './temporal.ts'
import { type Cell, familyOf, type Moment, type Scalar, type SqlType, scaleOf } from './types.ts'

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  tinyint: [0n, 255n],
  smallint: [-32768n, 32767n],
  int: [-2147483648n, 2147483647n],
  bigint: [-9223372036854775808n, 9223372036854775807n],
  smallmoney: [-2147483648n, 2147483647n],
  money: [-9223372036854775808n, 9223372036854775807n],
}

const overflow = (from: SqlType, to: SqlType): ServerError =>
  to.name === 'tinyint' || to.name === 'smallint'
    ? new ServerError(220, `Arithmetic overflow error for data type ${to.name}, value = VALUE.`)
    : new ServerError(
        8115,
        `Arithmetic overflow error converting ${from.name === 'int' || from.name === 'bigint' || from.name === 'numeric' ? from.name : 'expression'} to data type ${to.name}.`,
      )

/** `cell` of type `from` as one of type `to`; `isStore`: into a column, which refuses what CAST would cut. */
export function castCell(cell: Cell, from: SqlType, to: SqlType, isStore = false): Cell {
  if (cell === null) return null
  const source = familyOf(from)
  const target = familyOf(to)
  switch (target) {
    case 'integer':
      return inRange(integerOf(cell, from, to), from, to)
    case 'bit':
      return bitOf(cell, from)
    case 'exact':
      return exactOf(cell, from, to)
    case 'approximate': {
      const value = source === 'text' ? floatOf(String(cell), from, to) : numberOf(cell, from)
      return to.name === 'real' ? Math.fround(value) : value
    }
    case 'text':
      return fitText(textOf(cell, from), from, to, isStore)
    case 'guid':
      return guidOf(cell, from)
    case 'temporal':
      return temporalOf(cell, from, to)
    case 'binary':
      return fitBinary(binaryOf(cell, from), to, isStore)
    case 'opaque':
      if (to.name === 'hierarchyid' && !/^\/([\d.-]+\/)*$/.test(textOf(cell, from)))
        throw new ServerError(
          6522,
          `A .NET Framework error occurred during execution of user-defined routine or aggregate "hierarchyid": The input string '${textOf(cell, from)}' is not a valid string representation of a SqlHierarchyId node.`,
        )
      return textOf(cell, from)
  }
}

function integerOf(cell: Scalar, from: SqlType, to: SqlType): bigint {
  switch (familyOf(from)) {
    case 'integer':
    case 'bit':
      return cell as bigint
    case 'exact': {
      const unit = 10n ** BigInt(scaleOf(from))
      // decimals are cut, money is rounded
      return from.name.includes('money') ? roundDivide(cell as bigint, unit) : (cell as bigint) / unit
    }
    case 'approximate':
      return BigInt(Math.trunc(cell as number))
    case 'text': {
      const written = String(cell).trim()
      if (/^[+-]?\d*$/.test(written) && !/^[+-]$/.test(written)) {
        const value = BigInt(written === '' ? 0 : written.replace('+', ''))
        const [low, high] = RANGES[to.name] ?? [0n, 0n]
        if (value < low || value > high) throw overflown(written, from, to)
        return value
      }
      throw conversionFailed(written, from, to)
    }
    case 'binary':
      return BigInt.asIntN(64, BigInt(`0x${(cell as Buffer).toString('hex') || '0'}`))
    default:
      throw clash(from, to)
  }
}

function overflown(written: string, from: SqlType, to: SqlType): ServerError {
  const said = `The conversion of the ${from.name} value '${written}' overflowed`
  switch (to.name) {
    case 'int':
      return new ServerError(248, `${said} an int column.`)
    case 'smallint':
    case 'tinyint':
      return new ServerError(244, `${said} an INT${to.name === 'tinyint' ? 1 : 2} column. Use a larger integer column.`)
    default:
      return new ServerError(8114, `Error converting data type ${from.name} to ${to.name}.`)
  }
}

const conversionFailed = (written: string, from: SqlType, to: SqlType): ServerError =>
  to.name === 'bigint'
    ? new ServerError(8114, `Error converting data type ${from.name} to bigint.`)
    : new ServerError(
        245,
        `Conversion failed when converting the ${from.name} value '${written}' to data type ${to.name}.`,
      )

const clash = (from: SqlType, to: SqlType): ServerError =>
  new ServerError(206, `Operand type clash: ${from.name} is incompatible with ${to.name}`)

function inRange(value: bigint, from: SqlType, to: SqlType): bigint {
  const [low, high] = RANGES[to.name] ?? [0n, 0n]
  if (value >= low && value <= high) return value
  const { message, number } = overflow(from, to)
  throw new ServerError(number, message.replace('VALUE', String(value)))
}

function bitOf(cell: Scalar, from: SqlType): bigint {
  if (familyOf(from) !== 'text') return numberOf(cell, from) === 0 ? 0n : 1n
  const written = String(cell).trim().toLowerCase()
  if (written === 'true') return 1n
  if (written === 'false' || written === '') return 0n
  if (/^[+-]?\d+$/.test(written)) return BigInt(written) === 0n ? 0n : 1n
  throw conversionFailed(String(cell), from, { name: 'bit' })
}

const roundDivide = (value: bigint, by: bigint): bigint =>
  value < 0n ? -((-value + by / 2n) / by) : (value + by / 2n) / by

/** Digits at another scale, rounded half away from zero. */
export function rescale(digits: bigint, from: number, to: number): bigint {
  return to >= from ? digits * 10n ** BigInt(to - from) : roundDivide(digits, 10n ** BigInt(from - to))
}

function exactOf(cell: Scalar, from: SqlType, to: SqlType): bigint {
  const scale = scaleOf(to)
  let digits: bigint
  switch (familyOf(from)) {
    case 'integer':
    case 'bit':
      digits = (cell as bigint) * 10n ** BigInt(scale)
      break
    case 'exact':
      digits = rescale(cell as bigint, scaleOf(from), scale)
      break
    case 'approximate':
      digits = digitsOfText(expand(cell as number), scale)
      break
    case 'text': {
      const written = String(cell)
        .trim()
        .replaceAll(to.name.includes('money') ? /[$,]/g : /^$/g, '')
      if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(written)) {
        if (to.name.includes('money'))
          throw new ServerError(235, `Cannot convert a char value to money. The char value has incorrect syntax.`)
        throw new ServerError(8114, `Error converting data type ${from.name} to ${to.name}.`)
      }
      digits = digitsOfText(written, scale)
      break
    }
    default:
      throw clash(from, to)
  }
  if (to.name.includes('money')) return inRange(digits, from, to)
  const most = 10n ** BigInt(to.precision ?? 18)
  if (digits >= most || digits <= -most)
    throw new ServerError(8115, `Arithmetic overflow error converting ${from.name} to data type ${to.name}.`)
  return digits
}

/** A float without exponent. */
function expand(value: number): string {
  const [head = '0', exponent = '0'] = value.toExponential(16).split('e')
  const negative = head.startsWith('-')
  const digits = head.replace(/[-.]/g, '')
  const point = 1 + Number(exponent)
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`
  return negative ? `-${text}` : text
}

function digitsOfText(written: string, scale: number): bigint {
  const negative = written.startsWith('-')
  const [whole = '', fraction = ''] = written.replace(/^[+-]/, '').split('.')
  const digits = rescale(BigInt(`${whole || '0'}${fraction}`), fraction.length, scale)
  return negative ? -digits : digits
}

function floatOf(written: string, from: SqlType, to: SqlType): number {
  const value = Number(written.trim())
  if (written.trim() === '' || Number.isFinite(value)) return value
  throw new ServerError(8114, `Error converting data type ${from.name} to ${to.name}.`)
}

/** A number, for arithmetic in floats only. */
export function numberOf(cell: Scalar, from: SqlType): number {
  switch (familyOf(from)) {
    case 'exact':
      return Number(exactText(cell as bigint, scaleOf(from)))
    case 'integer':
    case 'bit':
    case 'approximate':
      return Number(cell)
    default:
      throw clash(from, { name: 'float' })
  }
}

export function exactText(digits: bigint, scale: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const sign = digits < 0n ? '-' : ''
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** The text of a value as CAST AS nvarchar(max) makes it. */
export function textOf(cell: Scalar, from: SqlType): string {
  switch (familyOf(from)) {
    case 'exact':
      return from.name.includes('money')
        ? exactText(rescale(cell as bigint, 4, 2), 2)
        : exactText(cell as bigint, scaleOf(from))
    case 'approximate':
      return floatText(cell as number)
    case 'temporal':
      return temporalText(cell as bigint | Moment, from, false)
    case 'binary':
      return (cell as Buffer).toString('latin1')
    default:
      return String(cell)
  }
}

/** Six digits, as the default style of a float has them. */
const floatText = (value: number): string => String(Number(value.toPrecision(6))).replace(/e([+-])(\d)$/, 'e$10$2')

function fitText(text: string, from: SqlType, to: SqlType, isStore: boolean): string {
  const { length = Infinity } = to
  const isNarrow = to.name === 'char' || to.name === 'varchar' || to.name === 'text'
  // the default code page is Windows 1252; the double takes Latin 1 for it
  const written = isNarrow ? text.replaceAll(/[^\p{ASCII}\u0080-\u00ff]/gu, '?') : text
  if (written.length > length) {
    if (isStore && written.slice(length).trim() !== '')
      throw new ServerError(
        2628,
        `String or binary data would be truncated in table 'TABLE', column 'COLUMN'. Truncated value: '${written.slice(0, length)}'.`,
      )
    if (
      !isStore &&
      familyOf(from) !== 'text' &&
      familyOf(from) !== 'temporal' &&
      familyOf(from) !== 'guid' &&
      familyOf(from) !== 'binary' &&
      familyOf(from) !== 'opaque'
    )
      throw new ServerError(8115, `Arithmetic overflow error converting ${from.name} to data type ${to.name}.`)
  }
  const cut = written.slice(0, length)
  return to.name === 'char' || to.name === 'nchar' ? cut.padEnd(length, ' ') : cut
}

function guidOf(cell: Scalar, from: SqlType): string {
  if (familyOf(from) === 'guid') return String(cell)
  const found = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i.exec(String(cell))
  if (familyOf(from) === 'text' && found?.[1]) return found[1].toUpperCase()
  throw new ServerError(8169, 'Conversion failed when converting from a character string to uniqueidentifier.')
}

function temporalOf(cell: Scalar, from: SqlType, to: SqlType): Scalar {
  if (familyOf(from) === 'text') return parseTemporal(String(cell), to)
  if (familyOf(from) !== 'temporal') throw clash(from, to)
  if (typeof cell === 'object' && 'offset' in cell)
    return to.name === 'datetimeoffset'
      ? toTemporal({ ticks: localOf(cell), offset: cell.offset }, to)
      : toTemporal({ ticks: localOf(cell), offset: 0 }, to)
  const base = from.name === 'time' && to.name !== 'time' ? 693_595n * 864_000_000_000n : 0n
  return toTemporal({ ticks: base + (cell as bigint), offset: 0 }, to)
}

function binaryOf(cell: Scalar, from: SqlType): Buffer {
  if (Buffer.isBuffer(cell)) return cell
  if (familyOf(from) === 'integer' || familyOf(from) === 'bit') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(cell as bigint)
    return bytes.subarray(8 - ({ tinyint: 1, bit: 1, smallint: 2, int: 4 }[from.name as string] ?? 8))
  }
  if (familyOf(from) === 'text') return Buffer.from(String(cell), from.name.startsWith('n') ? 'utf16le' : 'latin1')
  throw clash(from, { name: 'varbinary' })
}

function fitBinary(bytes: Buffer, to: SqlType, isStore: boolean): Buffer {
  const { length = Infinity } = to
  if (isStore && bytes.length > length)
    throw new ServerError(
      2628,
      `String or binary data would be truncated in table 'TABLE', column 'COLUMN'. Truncated value: ''.`,
    )
  const cut = bytes.subarray(0, length)
  return to.name === 'binary' || to.name === 'timestamp' ? Buffer.concat([cut, Buffer.alloc(length - cut.length)]) : cut
}
