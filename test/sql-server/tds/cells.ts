/** Values of each type on the wire: metadata of a column, cells of its rows, parameters of a call. */
import { type Cell, familyOf, type Moment, type SqlType } from '../types.ts'
import { Bytes, type Reader } from './bytes.ts'

/** SQL_Latin1_General_CP1_CI_AS. */
export const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])
const DAY = 864_000_000_000n
/** Days from 0001-01-01 to 1900-01-01. */
const DAYS_1900 = 693_595n

/** The bytes of an integer type. */
const widthOf = ({ name }: SqlType): number =>
  ({
    tinyint: 1,
    smallint: 2,
    int: 4,
    bigint: 8,
    bit: 1,
    money: 8,
    smallmoney: 4,
    real: 4,
    float: 8,
    smalldatetime: 4,
    datetime: 8,
  })[name as string] ?? 8

const timeWidth = (scale: number): number => (scale <= 2 ? 3 : scale <= 4 ? 4 : 5)
const isMax = ({ length }: SqlType): boolean => length === Infinity

export function writeType(out: Bytes, type: SqlType): void {
  const { scale = 7 } = type
  switch (type.name) {
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
      return void out.u8(0x26, widthOf(type))
    case 'bit':
      return void out.u8(0x68, 1)
    case 'float':
    case 'real':
      return void out.u8(0x6d, widthOf(type))
    case 'money':
    case 'smallmoney':
      return void out.u8(0x6e, widthOf(type))
    case 'decimal':
    case 'numeric':
      return void out.u8(0x6a, 17, type.precision ?? 18, type.scale ?? 0)
    case 'smalldatetime':
    case 'datetime':
      return void out.u8(0x6f, widthOf(type))
    case 'date':
      return void out.u8(0x28)
    case 'time':
      return void out.u8(0x29, scale)
    case 'datetime2':
      return void out.u8(0x2a, scale)
    case 'datetimeoffset':
      return void out.u8(0x2b, scale)
    case 'uniqueidentifier':
      return void out.u8(0x24, 16)
    case 'text':
    case 'ntext':
      return void out
        .u8(type.name === 'text' ? 0x23 : 0x63)
        .u32(0x7fffffff)
        .raw(COLLATION)
        .u8(1)
        .text('t')
    case 'image':
      return void out.u8(0x22).u32(0x7fffffff).u8(1).text('t')
    case 'xml':
      return void out.u8(0xf1, 0)
    case 'binary':
    case 'varbinary':
    case 'timestamp':
      return void out.u8(type.name === 'varbinary' ? 0xa5 : 0xad).u16(isMax(type) ? 0xffff : (type.length ?? 8000))
    case 'char':
    case 'varchar':
      return void out
        .u8(type.name === 'char' ? 0xaf : 0xa7)
        .u16(isMax(type) ? 0xffff : (type.length ?? 8000))
        .raw(COLLATION)
    case 'nchar':
    case 'nvarchar':
    case 'sysname':
      return void out
        .u8(type.name === 'nchar' ? 0xef : 0xe7)
        .u16(isMax(type) ? 0xffff : 2 * (type.length ?? 4000))
        .raw(COLLATION)
    // the double sends the types of CLR as their text
    case 'hierarchyid':
    case 'geometry':
    case 'geography':
    case 'sql_variant':
      return void out.u8(0xe7).u16(0xffff).raw(COLLATION)
  }
}

export function writeCell(out: Bytes, type: SqlType, cell: Cell): void {
  const family = familyOf(type)
  if (family === 'text' || family === 'binary' || family === 'opaque') return void writeLong(out, type, cell)
  if (cell === null) return void out.u8(0)
  if (family === 'guid') return void out.u8(16).raw(guidBytes(String(cell)))
  if (family === 'integer' || family === 'bit') return void out.u8(widthOf(type)).int(cell as bigint, widthOf(type))
  if (family === 'approximate') {
    const bytes = Buffer.alloc(widthOf(type))
    if (type.name === 'real') bytes.writeFloatLE(cell as number)
    else bytes.writeDoubleLE(cell as number)
    return void out.u8(bytes.length).raw(bytes)
  }
  if (family === 'exact') writeExact(out, type, cell as bigint)
  else writeTemporal(out, type, cell as bigint | Moment)
}

function writeExact(out: Bytes, type: SqlType, digits: bigint): void {
  if (type.name === 'smallmoney') return void out.u8(4).int(digits, 4)
  if (type.name === 'money')
    return void out
      .u8(8)
      .int(digits >> 32n, 4)
      .int(digits, 4)
  out.u8(17, digits < 0n ? 0 : 1).int(digits < 0n ? -digits : digits, 16)
}

function writeTemporal(out: Bytes, type: SqlType, cell: bigint | Moment): void {
  const { scale = 7 } = type
  const timeBytes = (ticks: bigint) =>
    new Bytes().int((ticks % DAY) / 10n ** BigInt(7 - scale), timeWidth(scale)).done()
  if (typeof cell !== 'bigint') {
    const date = new Bytes().int(cell.ticks / DAY, 3).done()
    out
      .u8(timeWidth(scale) + 5)
      .raw(timeBytes(cell.ticks))
      .raw(date)
      .int(BigInt(cell.offset), 2)
  } else if (type.name === 'date') out.u8(3).int(cell / DAY, 3)
  else if (type.name === 'time') out.u8(timeWidth(scale)).raw(timeBytes(cell))
  else if (type.name === 'datetime2')
    out
      .u8(timeWidth(scale) + 3)
      .raw(timeBytes(cell))
      .int(cell / DAY, 3)
  else if (type.name === 'datetime')
    out
      .u8(8)
      .int(cell / DAY - DAYS_1900, 4)
      .int(((cell % DAY) * 300n + 5_000_000n) / 10_000_000n, 4)
  else
    out
      .u8(4)
      .int(cell / DAY - DAYS_1900, 2)
      .int((cell % DAY) / 600_000_000n, 2)
}

function writeLong(out: Bytes, type: SqlType, cell: Cell): void {
  const isWide = !['char', 'varchar', 'text'].includes(type.name)
  const bytes = cell === null || Buffer.isBuffer(cell) ? cell : Buffer.from(String(cell), isWide ? 'utf16le' : 'latin1')
  if (['text', 'ntext', 'image'].includes(type.name)) {
    if (bytes === null) return void out.u8(0)
    return void out.u8(16).raw(Buffer.alloc(24, 1)).u32(bytes.length).raw(bytes)
  }
  if (isMax(type) || familyOf(type) === 'opaque') {
    if (bytes === null) return void out.u64(-1n)
    out.u64(BigInt(bytes.length))
    if (bytes.length > 0) out.u32(bytes.length).raw(bytes)
    return void out.u32(0)
  }
  if (bytes === null) return void out.u16(0xffff)
  out.u16(bytes.length).raw(bytes)
}

export type Parameter = { readonly name: string; readonly type: SqlType; readonly cell: Cell }

/** A parameter of a call: its name, status, type and value. */
export function readParameter(reader: Reader): Parameter {
  const name = reader.text(reader.u8())
  reader.u8()
  const { type, read } = readType(reader)
  return { name, type, cell: read() }
}

function readType(reader: Reader): { readonly type: SqlType; readonly read: () => Cell } {
  const id = reader.u8()
  const short = (type: SqlType, read: (length: number) => Cell) => ({
    type,
    read: () => {
      const length = reader.u8()
      return length === 0 ? null : read(length)
    },
  })
  switch (id) {
    case 0x26: {
      const width = reader.u8()
      const name = ({ 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' } as const)[width] ?? 'int'
      return short({ name }, (length) => (length === 1 ? reader.int(1) : reader.signed(length)))
    }
    case 0x68:
      reader.u8()
      return short({ name: 'bit' }, () => reader.int(1))
    case 0x6d: {
      const name = reader.u8() === 4 ? 'real' : 'float'
      return short({ name }, (length) => (length === 4 ? reader.take(4).readFloatLE() : reader.take(8).readDoubleLE()))
    }
    case 0x6e: {
      const name = reader.u8() === 4 ? 'smallmoney' : 'money'
      return short({ name }, (length) => (length === 4 ? reader.signed(4) : (reader.signed(4) << 32n) | reader.int(4)))
    }
    case 0x6a:
    case 0x6c: {
      reader.u8()
      const type: SqlType = { name: 'decimal', precision: reader.u8(), scale: reader.u8() }
      return short(type, (length) => (reader.u8() === 0 ? -reader.int(length - 1) : reader.int(length - 1)))
    }
    case 0x24:
      reader.u8()
      return short({ name: 'uniqueidentifier' }, () => guidText(reader.take(16)))
    case 0x28:
      return short({ name: 'date' }, () => reader.int(3) * DAY)
    case 0x29: {
      const scale = reader.u8()
      return short({ name: 'time', scale }, (length) => reader.int(length) * 10n ** BigInt(7 - scale))
    }
    case 0x2a: {
      const scale = reader.u8()
      return short({ name: 'datetime2', scale }, (length) => {
        const time = reader.int(length - 3) * 10n ** BigInt(7 - scale)
        return time + reader.int(3) * DAY
      })
    }
    case 0x2b: {
      const scale = reader.u8()
      return short({ name: 'datetimeoffset', scale }, (length) => {
        const time = reader.int(length - 5) * 10n ** BigInt(7 - scale)
        return { ticks: time + reader.int(3) * DAY, offset: Number(reader.signed(2)) }
      })
    }
    case 0x6f:
      reader.u8()
      return short(
        { name: 'datetime', scale: 3 },
        () => (reader.signed(4) + DAYS_1900) * DAY + (reader.int(4) * 100_000n) / 3n,
      )
    case 0xe7:
    case 0xef:
    case 0xa7:
    case 0xaf:
    case 0xa5:
    case 0xad:
      return readLong(reader, id)
    default:
      throw new Error(`the double reads no parameter of type 0x${id.toString(16)}`)
  }
}

function readLong(reader: Reader, id: number): { readonly type: SqlType; readonly read: () => Cell } {
  const bytes = reader.u16()
  const isBinary = id === 0xa5 || id === 0xad
  const isWide = id === 0xe7 || id === 0xef
  if (!isBinary) reader.take(5)
  const length = bytes === 0xffff ? Infinity : isWide ? bytes / 2 : bytes
  const type: SqlType = { name: isBinary ? 'varbinary' : isWide ? 'nvarchar' : 'varchar', length }
  const decode = (value: Buffer): Cell =>
    isBinary ? Buffer.from(value) : value.toString(isWide ? 'utf16le' : 'latin1')
  const read = (): Cell => {
    if (bytes !== 0xffff) {
      const count = reader.u16()
      return count === 0xffff ? null : decode(reader.take(count))
    }
    if (reader.int(8) === 0xffff_ffff_ffff_ffffn) return null
    const chunks: Buffer[] = []
    for (let size = reader.u32(); size > 0; size = reader.u32()) chunks.push(reader.take(size))
    return decode(Buffer.concat(chunks))
  }
  return { type, read }
}

const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

function guidBytes(text: string): Buffer {
  const plain = Buffer.from(text.replaceAll('-', ''), 'hex')
  return Buffer.from(ORDER.map((at) => plain[at] ?? 0))
}

function guidText(bytes: Buffer): string {
  const hex = Buffer.from(ORDER.map((at) => bytes[at] ?? 0))
    .toString('hex')
    .toUpperCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
