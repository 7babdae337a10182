import type { TestContext } from 'node:test'
import { postgres } from '../../backends/index.ts'
import { createObserver, type Observation, type ObservationOf } from '../../observe/index.ts'
import { Sources } from '../sources.ts'

/** Sources whose observations are kept, each given once, whether it came before or comes later. */
export function openSources(t: TestContext, options = {}) {
  const observer = createObserver()
  const seen: Observation[] = []
  observer.subscribe((observation) => seen.push(observation))
  const sources = new Sources({
    backends: [postgres],
    defaults: { usePreparedStatements: true },
    environment: {},
    replicas: { checkInterval: 50, maxLag: 10_000 },
    report: (observation) => observer.report(observation),
    recovered: () => {},
    ...options,
  })
  t.after(() => sources.close())
  const observed = async <K extends Observation['kind']>(kind: K): Promise<ObservationOf<K>> => {
    const at = seen.findIndex((one) => one.kind === kind)
    if (at < 0) {
      await observer.next(kind)
      return observed(kind)
    }
    return seen.splice(at, 1)[0] as ObservationOf<K>
  }
  /** Serves a source with these replicas. Gives who answers a read, by its port. */
  const serve = async (url: string, replicas: readonly string[], more = {}) => {
    const state = await sources.prepare('default', 'postgres', {
      connection_info: { database_url: url },
      read_replicas: replicas.map((database_url) => ({ database_url })),
      ...more,
    })
    if (state.status !== 'ready') throw new Error(`${state.reason} ${state.message}`)
    sources.serve(new Map([['default', state]]))
    const { routing } = state
    return async () => {
      const answer = await (routing?.reads({ to: 'default' }, {}) ?? state.connection).query(port, [])
      return Number(String(answer))
    }
  }
  return { sources, serve, observed, seen }
}

const port = { text: 'SELECT inet_server_port()::text', slots: [], effects: 'none' } as const

export const portOf = (url: string): number => Number(new URL(url).port)
