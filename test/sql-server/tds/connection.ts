/** One client's connection: messages in, answers out; an attention ends what runs. */
import type { Socket } from 'node:net'
import {
  type Answer,
  attentionDone,
  changeToken,
  loginAnswer,
  plainDone,
  preloginAnswer,
  writeAnswers,
} from './answers.ts'
import { Bytes, Reader } from './bytes.ts'
import { type Parameter, readParameter } from './cells.ts'

export type Login = {
  readonly user: string
  readonly password: string
  readonly database: string
  readonly application: string
}

export type Request =
  | { readonly kind: 'batch'; readonly sql: string }
  | { readonly kind: 'call'; readonly sql: string; readonly parameters: readonly Parameter[] }
  | { readonly kind: 'begin'; readonly isolation: number }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'save'; readonly name: string }

/** A session on the server. */
export type Session = {
  /** All answers to a request; aborted by an attention or the end of the connection. */
  run(request: Request, signal: AbortSignal): Promise<readonly Answer[]>
  /** The number of the open transaction, 0 for none. */
  readonly transaction: number
  /** How the last transaction ended. */
  readonly ending: 'commit' | 'rollback'
  /** Back to the state after the login, for the next user of a pooled connection. */
  reset(): void
  close(): void
}

/** Opens a session, or answers with the error of the login. */
export type OpenSession = (login: Login, cut: (last?: Buffer) => void) => Session | Extract<Answer, { kind: 'error' }>[]

const PACKET = 4096
const isolationNames = ['', 'READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE', 'SNAPSHOT']
/** The name of an isolation level by its number on the wire; empty for the session's own. */
export const isolationName = (level: number): string => isolationNames[level] ?? ''

export function serveConnection(socket: Socket, open: OpenSession, onAttention: () => void): void {
  let input = Buffer.alloc(0)
  let parts: Buffer[] = []
  let session: Session | null = null
  let running: AbortController | null = null
  /** Requests are answered one after the other. */
  let queue: Promise<void> = Promise.resolve()
  let isCancelled = false

  const send = (payload: Buffer) => {
    for (let at = 0; at === 0 || at < payload.length; at += PACKET - 8) {
      const part = payload.subarray(at, at + PACKET - 8)
      const header = Buffer.from([4, at + PACKET - 8 >= payload.length ? 1 : 0, 0, 0, 0, 0, 1, 0])
      header.writeUInt16BE(part.length + 8, 2)
      socket.write(Buffer.concat([header, part]))
    }
  }
  const answer = async (request: Request) => {
    if (!session) return void socket.destroy()
    running = new AbortController()
    const before = session.transaction
    const answers = await session.run(request, running.signal)
    running = null
    if (socket.destroyed) return
    const changes = transactionChange(before, session)
    send(isCancelled ? plainDone() : writeAnswers(answers, request.kind === 'call', changes))
    if (isCancelled) send(attentionDone())
    isCancelled = false
  }
  const receive = (type: number, body: Buffer, isReset: boolean) => {
    if (type === 0x12) return send(preloginAnswer())
    if (type === 0x10) {
      const login = readLogin(body)
      const opened = open(login, (last) => void (last ? socket.write(last) : socket.destroy()))
      if (!Array.isArray(opened)) {
        session = opened as Session
        return send(loginAnswer(login.database, PACKET))
      }
      send(writeAnswers(opened, false, Buffer.alloc(0)))
      return socket.end()
    }
    if (type === 0x06) {
      onAttention()
      if (!running) return send(attentionDone())
      isCancelled = true
      return running.abort()
    }
    queue = queue.then(async () => {
      if (isReset) session?.reset()
      await answer(readRequest(type, body))
    })
    queue.catch((problem) => {
      console.error('the SQL Server double failed:', problem)
      socket.destroy()
    })
  }
  socket.on('data', (chunk) => {
    input = Buffer.concat([input, chunk])
    while (input.length >= 8 && input.length >= input.readUInt16BE(2)) {
      const length = input.readUInt16BE(2)
      const [type = 0, status = 0] = input
      parts.push(input.subarray(8, length))
      input = input.subarray(length)
      if ((status & 1) === 0) continue
      const body = Buffer.concat(parts)
      parts = []
      // the client gives up a request that it has not sent whole
      if ((status & 2) === 0) receive(type, body, (status & 0x18) !== 0)
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    running?.abort()
    queue.finally(() => session?.close())
  })
}

/** 8: begun, 9: committed, 10: rolled back; the client names the transaction in each request. */
function transactionChange(before: number, { transaction: after, ending }: Session): Buffer {
  const bytesOf = (id: number) => new Bytes().u64(BigInt(Math.abs(id))).done()
  if (before === after) return Buffer.alloc(0)
  const ended =
    before === 0 ? Buffer.alloc(0) : changeToken(ending === 'commit' ? 9 : 10, Buffer.alloc(0), bytesOf(before))
  return after === 0 ? ended : Buffer.concat([ended, changeToken(8, bytesOf(after), Buffer.alloc(0))])
}

function readLogin(body: Buffer): Login {
  const field = (at: number) => {
    const start = body.readUInt16LE(at)
    return body.subarray(start, start + 2 * body.readUInt16LE(at + 2))
  }
  const clear = Buffer.from(field(44)).map((byte) => {
    const plain = byte ^ 0xa5
    return ((plain & 0x0f) << 4) | (plain >> 4)
  })
  return {
    user: field(40).toString('utf16le'),
    password: Buffer.from(clear).toString('utf16le'),
    database: field(68).toString('utf16le'),
    application: field(48).toString('utf16le'),
  }
}

function readRequest(type: number, body: Buffer): Request {
  const reader = new Reader(body, body.readUInt32LE(0))
  if (type === 0x01) return { kind: 'batch', sql: body.subarray(reader.at).toString('utf16le') }
  if (type === 0x03) return readCall(reader)
  if (type !== 0x0e) throw new Error(`the double has no answer to packets of type ${type}`)
  const action = reader.u16()
  if (action === 5) return { kind: 'begin', isolation: reader.u8() }
  if (action === 7) return { kind: 'commit' }
  if (action === 8) return { kind: 'rollback' }
  return { kind: 'save', name: reader.text(reader.u8()) }
}

function readCall(reader: Reader): Request {
  const length = reader.u16()
  const procedure = length === 0xffff ? reader.u16() : reader.text(length)
  reader.u16()
  const parameters: Parameter[] = []
  while (!reader.isAtEnd) parameters.push(readParameter(reader))
  if (procedure === 10) {
    const [statement, , ...values] = parameters
    return { kind: 'call', sql: String(statement?.cell ?? ''), parameters: values }
  }
  if (typeof procedure !== 'string') throw new Error(`the double has no system procedure ${procedure}`)
  const list = parameters.map(({ name }) => (name.startsWith('@') ? `${name} = ${name}` : name)).join(', ')
  return { kind: 'call', sql: `EXECUTE ${procedure} ${list}`, parameters }
}
