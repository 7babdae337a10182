import { startHandlers } from '../serving/action-handlers.ts'
import { startRemoteServer } from '../serving/remote-server.ts'
import type { Column, Row } from './tables.ts'

export interface Servers {
  readonly remoteUrl: string
  readonly actionUrl: string
  close(): Promise<void>
}

const remoteSdl = `
  type Query { ${['X0', 'X1'].map((name) => `${name}(id: Int!): ${name}  ${name}s(id: Int, a: Int, b: Int, t: String, above: Int, among: [Int!], down: Boolean, limit: Int, offset: Int): [${name}!]!`).join('  ')} }
  ${['X0', 'X1'].map((name) => `type ${name} { id: Int!  a: Int  b: Int  t: String }`).join('  ')}
` // biome-ignore format: one line

type AskedRows = Partial<Row> & { readonly above?: number; readonly among?: readonly number[]; readonly down?: boolean; readonly limit?: number; readonly offset?: number } // biome-ignore format: one line

/** A GraphQL server and a handler of an action, over rows in memory. */
export async function startServers(rowsOf: (name: string) => readonly Row[]): Promise<Servers> {
  const one = (name: string) => ({ id }: { readonly id: number }) => rowsOf(name).find((row) => row.id === id) ?? null // biome-ignore format: one line
  const list =
    (name: string) =>
    ({ above, among, down, limit, offset = 0, ...values }: AskedRows) => {
      const found = rowsOf(name).filter(
        (row) =>
          (above === undefined || Number(row.id) > above) &&
          (among === undefined || among.includes(Number(row.id))) &&
          Object.entries(values).every(([column, value]) => row[column as Column] === value),
      )
      const ordered = down ? [...found].reverse() : found
      return ordered.slice(offset, limit === undefined ? undefined : offset + limit)
    }
  const remote = await startRemoteServer(remoteSdl, { X0: one('X0'), X1: one('X1'), X0s: list('X0'), X1s: list('X1') })
  const handlers = await startHandlers()
  handlers.on('/act', ({ body }) => ({ json: one('Y0')(body.input) }))
  return {
    remoteUrl: remote.url,
    actionUrl: `${handlers.url}/act`,
    close: async () => {
      await Promise.all([remote.close(), handlers.close()])
    },
  }
}
