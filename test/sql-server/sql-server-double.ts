/**
 * A double of SQL Server for tests: speaks TDS, runs the T-SQL that the engine sends on rows in memory, and fails on command.
 *
 *     const server = await startSqlServerDouble(t)
 *     server.connectionString // what a source is configured with
 *     server.when(/UPDATE/, { kind: 'error', number: 1205 })
 *
 * It is no SQL Server: spatial functions and isolation levels are not run; triggers are, but replication is not known. Each statement passes the statement
 * oracle; one that a server would refuse is answered with error 50002 and its reasons.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Counters, emptyDatabase } from './database.ts'
import { runBatch } from './run-batch.ts'
import { type ServerState, Session, WriteLock } from './session.ts'
import { checkStatement, recordStatement } from './statement-oracle.ts'
import { type Answer, unfinishedText } from './tds/answers.ts'
import {
  isolationName,
  type Login,
  type Request,
  serveConnection,
  type Session as WireSession,
} from './tds/connection.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type Fault =
  /** The statement is answered with this error; 1205 and the like end the transaction too. */
  | { readonly kind: 'error'; readonly number: number; readonly message?: string }
  /** The connection is cut instead of an answer. */
  | { readonly kind: 'cut' }
  /** The statement runs, and the connection is cut instead of its answer. */
  | { readonly kind: 'cut-after' }
  /** So many characters of a text are the answer, and no more comes as long as the connection lasts. */
  | { readonly kind: 'unfinished'; readonly characters: number }
  /** A packet that no client can read is the answer. */
  | { readonly kind: 'garbage' }
  /** The statement runs when the promise has resolved, and is answered when `answered` has; an attention ends it before. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown>; readonly answered?: Promise<unknown> }
  /** The statement runs, but the next COMMIT of its session is not answered, nor run unless it says so. */
  | { readonly kind: 'commit-unanswered'; readonly isRun: boolean }
  /** These rows are the answer. */
  | { readonly kind: 'answer'; readonly answers: readonly Answer[] }

export type SqlServerDouble = {
  readonly port: number
  readonly connectionString: string
  /** The next statement that the pattern matches meets the fault; resolves when it has. */
  when(pattern: RegExp, fault: Fault): Promise<void>
  /** What clients sent, in order; the settings that a driver sends after its login are left out. */
  readonly statements: readonly string[]
  /** The isolation of the session of each, before it. */
  readonly levels: readonly string[]
  readonly logins: readonly Login[]
  readonly attentions: number
  readonly connections: number
  /** Runs a batch as the tests' own session. */
  run(sql: string): Promise<readonly Answer[]>
  /** Resolves when `count` attentions have arrived. */
  attention(count: number): Promise<void>
  /** Closes the port and all connections; start() opens the port again with the same data. */
  stop(): Promise<void>
  start(): Promise<void>
}

export type DoubleOptions = {
  readonly database?: string
  readonly user?: string
  readonly password?: string
  readonly port?: number
  /** Refuses what the statement oracle objects to; false where a user's own batches are run. */
  readonly isStrict?: boolean
  /** The answer to each statement that a pattern matches, made once: for benchmarks of clients. */
  readonly memory?: readonly { readonly pattern: RegExp; readonly answers: readonly Answer[] }[]
}

export async function startSqlServerDouble(t: WithAfter, options: DoubleOptions = {}): Promise<SqlServerDouble> {
  const double = await openSqlServerDouble(options)
  t.after(() => double.stop())
  return double
}

export async function openSqlServerDouble(options: DoubleOptions = {}): Promise<SqlServerDouble> {
  const { database = 'svc', user = 'sa', password = 'Str0ng;{pass}word', isStrict = true, memory = [] } = options
  const state: ServerState = {
    committed: emptyDatabase(database),
    counters: new Counters(),
    lock: new WriteLock(),
    transactions: 0,
  }
  const statements: string[] = []
  const levels: string[] = []
  const logins: Login[] = []
  const sockets = new Set<Socket>()
  const faults: { readonly pattern: RegExp; readonly fault: Fault; readonly met: () => void }[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  /** Whose next COMMIT is not answered, and whether it is run. */
  const silent = new WeakMap<Session, boolean>()
  let attentions = 0
  let port = options.port ?? 0
  let server: Server | null = null

  const open = (login: Login, cut: (last?: Buffer) => void): WireSession | Extract<Answer, { kind: 'error' }>[] => {
    logins.push(login)
    if (login.user !== user || login.password !== password)
      return [error(18456, `Login failed for user '${login.user}'.`, 14)]
    if (login.database !== '' && login.database.toLowerCase() !== database.toLowerCase())
      return [
        error(4060, `Cannot open database "${login.database}" requested by the login. The login failed.`, 11),
        error(18456, `Login failed for user '${login.user}'.`, 14),
      ]
    return openSession(new Session(state, login.user), cut)
  }
  const openSession = (session: Session, cut: (last?: Buffer) => void): WireSession => ({
    get transaction() {
      return session.transaction
    },
    get ending() {
      return session.ending
    },
    reset: () => session.reset(),
    close: () => session.close(),
    async run(request, signal) {
      const sql = textOf(request)
      const known = memory.find(({ pattern }) => pattern.test(sql))
      if (known) return known.answers
      if (!/^set (ansi|textsize|quoted)/i.test(sql)) {
        statements.push(sql)
        levels.push(session.isolation)
      }
      const at = faults.findIndex(({ pattern }) => pattern.test(sql))
      const [found] = at < 0 ? [] : faults.splice(at, 1)
      if (!found) return answer(session, request, signal)
      found.met()
      switch (found.fault.kind) {
        case 'error': {
          const { number, message = `error ${number}` } = found.fault
          if (session.depth > 0 && [1205, 3960].includes(number)) session.rollback()
          return [error(number, message, number === 1205 ? 13 : [229, 262].includes(number) ? 14 : 16)]
        }
        case 'cut':
          cut()
          return []
        case 'cut-after': {
          const answers = await answer(session, request, signal)
          cut()
          return answers
        }
        case 'garbage':
          // a whole message, whose first token there is not
          cut(Buffer.from([4, 1, 0, 9, 0, 0, 1, 0, 1]))
          return new Promise(() => {})
        case 'unfinished':
          for (const part of unfinishedText(found.fault.characters)) cut(part)
          await aborting(signal)
          return []
        case 'wait': {
          const { until, answered = null } = found.fault
          const aborted = aborting(signal)
          await Promise.race([until, aborted])
          const answers = signal.aborted ? [] : await answer(session, request, signal)
          await Promise.race([answered, aborted])
          return answers
        }
        case 'commit-unanswered':
          silent.set(session, found.fault.isRun)
          return answer(session, request, signal)
        case 'answer':
          return found.fault.answers
      }
    },
  })
  const answer = async (session: Session, request: Request, signal: AbortSignal): Promise<readonly Answer[]> => {
    switch (request.kind) {
      case 'begin':
        session.begin()
        session.isolation = isolationName(request.isolation) || session.isolation
        return []
      case 'commit':
      case 'rollback':
        if (session.depth === 0)
          return [
            error(
              request.kind === 'commit' ? 3902 : 3903,
              `The ${request.kind.toUpperCase()} TRANSACTION request has no corresponding BEGIN TRANSACTION.`,
              16,
            ),
          ]
        if (request.kind === 'rollback') session.rollback()
        else {
          const isRun = silent.get(session)
          if (isRun !== false) session.commit()
          if (isRun !== undefined) await aborting(signal)
        }
        return []
      case 'save':
        return []
      case 'batch':
      case 'call': {
        const parameters = request.kind === 'call' ? request.parameters : null
        const objections = isStrict
          ? checkStatement(request.sql, parameters ? { parameters: parameters.map(({ name }) => name) } : {})
          : []
        if (!isStrict) recordStatement(request.sql)
        if (objections.length > 0 && !isDriverText(request.sql))
          return [error(50002, `refused by the statement oracle: ${objections.join('; ')}`, 16)]
        const level = session.isolation
        const answers = await runBatch(session, request.sql, parameters, signal)
        // what a call sets of the session is as before after it
        if (request.kind === 'call') session.isolation = level
        return answers
      }
    }
  }
  const onAttention = () => {
    attentions++
    for (const { count, resolve } of waiting) if (attentions >= count) resolve()
  }
  const start = async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      serveConnection(socket, open, onAttention)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const own = new Session(state, user)
  await start()
  return {
    get port() {
      return port
    },
    get connectionString() {
      return `Driver={ODBC Driver 18 for SQL Server};Server=127.0.0.1,${port};Database=${database};Uid=${user};Pwd={${password.replaceAll('}', '}}')}};Encrypt=optional`
    },
    statements,
    levels,
    logins,
    get attentions() {
      return attentions
    },
    get connections() {
      return sockets.size
    },
    when: (pattern, fault) => new Promise((met) => faults.push({ pattern, fault, met })),
    run: (sql) => runBatch(own, sql, null, new AbortController().signal),
    attention: (count) =>
      attentions >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    start,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server?.close()
    },
  }
}

const aborting = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve))

const textOf = (request: Request): string =>
  request.kind === 'batch' || request.kind === 'call' ? request.sql : request.kind.toUpperCase()

/** The settings that the driver itself sends. */
const isDriverText = (sql: string): boolean => /^set (ansi_nulls|textsize|quoted_identifier)/i.test(sql.trim())

const error = (number: number, message: string, severity: number) =>
  ({ kind: 'error', number, message, severity, state: 1 }) as const
