import { AsyncLocalStorage } from 'node:async_hooks'
import type { Backend, RequestsWithin, SourceConnection } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'

/** The transactions of the trial that is running, by the connection of their source. */
export class TrialTransactions {
  readonly #open = new Map<SourceConnection, Promise<RequestsWithin>>()
  readonly #ends: (() => Promise<void>)[] = []

  /** The requests within the trial's transaction on a source, which the first of them opens. */
  of(connection: SourceConnection): Promise<RequestsWithin> {
    const known = this.#open.get(connection)
    if (known) return known
    const opening = this.#begin(connection)
    this.#open.set(connection, opening)
    return opening
  }

  #begin(connection: SourceConnection): Promise<RequestsWithin> {
    const { promise: begun, resolve, reject } = Promise.withResolvers<RequestsWithin>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const ended = Promise.resolve(
      connection.openTransaction?.(Path.root, async ({ requests }) => {
        if (!requests) throw notHere()
        resolve(requests)
        await over
        throw new RolledBack()
      }) ?? Promise.reject(notHere()),
    ).catch(reject)
    this.#ends.push(async () => {
      end()
      await ended
    })
    return begun
  }

  /** Rolls all of them back. */
  async end(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end()))
  }
}

class RolledBack extends Error {}

const notHere = () => new ApiError('not-supported', Path.root, 'requests cannot be tried on a source of this kind')

/** Set while a trial runs: its statements, and no others, run in its transactions. */
export const currentTrial = new AsyncLocalStorage<TrialTransactions>()

/** Returns the same backend, whose connections run a trial's statements in its transactions. */
export const withTrials = (backend: Backend): Backend => ({
  ...backend,
  source: (...named) => {
    const openable = backend.source(...named)
    return { ...openable, open: async (report) => trialConnection(await openable.open(report)) }
  },
})

function trialConnection(connection: SourceConnection): SourceConnection {
  const within = () => currentTrial.getStore()?.of(connection)
  const { runWrites, runSql } = connection
  const parts: Partial<SourceConnection> = {
    query: async (...asked) => ((await within()) ?? connection).query(...asked),
    queryRows: async (...asked) => ((await within()) ?? connection).queryRows(...asked),
    ...(runWrites && {
      runWrites: async (...asked) => (await within())?.runWrites(...asked) ?? runWrites.apply(connection, asked),
    }),
    ...(runSql && {
      runSql: async (script, path, inspect) => {
        const trial = await within()
        if (!trial) return runSql.call(connection, script, path, inspect)
        await trial.runScript(script.sql, path)
        return { result_type: 'CommandOk', result: null }
      },
    }),
  }
  return new Proxy(connection, {
    get(target, key) {
      const owner = key in parts ? parts : target
      const part: unknown = Reflect.get(owner, key)
      return part instanceof Function ? part.bind(owner) : part
    },
  })
}
