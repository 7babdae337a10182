/** What a server says to a request, as tokens of TDS 7.4. */
import { type Cell, nvarchar, type SqlType } from '../types.ts'
import { Bytes } from './bytes.ts'
import { COLLATION, writeCell, writeType } from './cells.ts'

type Column = { readonly name: string; readonly type: SqlType }
type ServerMessage = {
  readonly number: number
  readonly message: string
  readonly severity: number
  readonly state: number
}

export type Answer =
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] }
  /** A statement without rows; its count is null where SET NOCOUNT is ON or nothing is counted. */
  | { readonly kind: 'done'; readonly count: number | null }
  | ({ readonly kind: 'error' } & ServerMessage)
  | ({ readonly kind: 'info' } & ServerMessage)

const MORE = 0x01
const FAILED = 0x02
const COUNTED = 0x10
const ATTENTION = 0x20

/** The tokens of a whole answer; `isCall`: of sp_executesql. */
export function writeAnswers(answers: readonly Answer[], isCall: boolean, changes: Buffer): Buffer {
  const out = new Bytes()
  const token = isCall ? 0xff : 0xfd
  const hasFailed = answers.at(-1)?.kind === 'error'
  for (const answer of answers) {
    if (answer.kind === 'error' || answer.kind === 'info') out.raw(messageToken(answer))
    else if (answer.kind === 'done') {
      out.raw(done(token, MORE | (answer.count === null ? 0 : COUNTED), answer.count ?? 0))
    } else out.raw(rowTokens(answer)).raw(done(token, MORE | COUNTED, answer.rows.length))
  }
  out.raw(changes)
  if (isCall) out.u8(0x79).u32(0)
  return out.raw(done(isCall ? 0xfe : 0xfd, hasFailed ? FAILED : 0, 0)).done()
}

/** Packets of a row of one nvarchar(max), whose text ends before it is whole. */
export function* unfinishedText(characters: number): Generator<Buffer> {
  const packet = (payload: Buffer) => {
    const header = Buffer.from([4, 0, 0, 0, 0, 0, 1, 0])
    header.writeUInt16BE(payload.length + 8, 2)
    return Buffer.concat([header, payload])
  }
  const columns = new Bytes().u8(0x81).u16(1).u32(0).u16(0x09)
  writeType(columns, nvarchar(Infinity))
  columns.shortText('root')
  yield packet(columns.u8(0xd1).u64(0xffff_ffff_ffff_fffen).done())
  const part = packet(
    new Bytes()
      .u32(4000)
      .raw(Buffer.from('x'.repeat(2000), 'utf16le'))
      .done(),
  )
  for (let sent = 0; sent < characters; sent += 2000) yield part
}

function rowTokens({ columns, rows }: Extract<Answer, { kind: 'rows' }>): Buffer {
  const out = new Bytes().u8(0x81).u16(columns.length)
  for (const { name, type } of columns) {
    out.u32(0).u16(0x09)
    writeType(out, type)
    out.shortText(name)
  }
  for (const row of rows) {
    out.u8(0xd1)
    columns.forEach(({ type }, index) => {
      writeCell(out, type, row[index] ?? null)
    })
  }
  return out.done()
}

function messageToken({ kind, number, message, severity, state }: ServerMessage & { kind: string }): Buffer {
  const body = new Bytes().u32(number).u8(state, severity).text(message).shortText('double').shortText('').u32(1).done()
  return new Bytes()
    .u8(kind === 'error' ? 0xaa : 0xab)
    .u16(body.length)
    .raw(body)
    .done()
}

const done = (token: number, status: number, count: number): Buffer =>
  new Bytes().u8(token).u16(status).u16(0).u64(BigInt(count)).done()

export const attentionDone = (): Buffer => done(0xfd, ATTENTION, 0)
export const plainDone = (): Buffer => done(0xfd, 0, 0)

/** A change of the session that clients follow: texts, or the bytes of a transaction's descriptor. */
export function changeToken(type: number, now: string | Buffer, before: string | Buffer): Buffer {
  const body = new Bytes().u8(type)
  for (const value of [now, before]) {
    if (typeof value === 'string') body.shortText(value)
    else body.u8(value.length).raw(value)
  }
  const bytes = body.done()
  return new Bytes().u8(0xe3).u16(bytes.length).raw(bytes).done()
}

export function loginAnswer(database: string, packetSize: number): Buffer {
  const name = 'Microsoft SQL Server'
  const body = new Bytes().u8(1, 0x74, 0, 0, 4).shortText(name).u8(15, 0, 0x08, 0x65).done()
  return new Bytes()
    .raw(changeToken(1, database, 'master'))
    .raw(changeToken(7, COLLATION, Buffer.alloc(0)))
    .u8(0xad)
    .u16(body.length)
    .raw(body)
    .raw(changeToken(4, String(packetSize), '4096'))
    .raw(plainDone())
    .done()
}

/** Encryption is not supported: a client that asks for none goes on in plain text. */
export const preloginAnswer = (): Buffer => Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 15, 0, 8, 0x65, 0, 0, 2])
