import { parseExactly } from '../exact-json/index.ts'
import { onlyMembers } from '../json-bytes/index.ts'
import { answersOf } from './ask-rows.ts'
import type { Bindings } from './bind.ts'
import { type Running, remoteRequest } from './graphql-execution.ts'
import type { JoinKeys } from './join-keys.ts'
import type { JoinTree, PreparedJoin } from './join-tree.ts'
import { prepareRemote } from './run-remote.ts'
import { runRemoteJoin } from './run-remote-join.ts'
import type { AskJoin, JoinValues } from './splice-joins.ts'

/** Returns what sends the joins once the rows have arrived. Throws what is wrong with the request before. */
export function prepareJoins(tree: JoinTree, execution: Running, bindings: Bindings): AskJoin {
  const prepared = new Map<string, (keys: JoinKeys) => Promise<JoinValues>>()
  for (const join of joinsIn(tree)) {
    if (prepared.has(join.shared)) continue
    if (join.kind === 'table') {
      const { rows } = join
      prepared.set(join.shared, async (keys) => {
        const lists = keys.columns.map((column) => parseExactly(column.list()) as unknown[])
        return rowValues(await answersOf(rows, lists, join.place.join('.'), execution, bindings))
      })
      continue
    }
    const asked = remoteRequest(execution, bindings.allowance)
    const remote = prepareRemote(join.call, asked)
    prepared.set(join.shared, async (keys) => {
      execution.logQuery?.({ of: 'remote-schema', sql: null })
      const values = await runRemoteJoin(join.call, keys, remote, asked)
      execution.cookies.push(...values.cookies)
      return values
    })
  }
  return async ({ shared }, keys) => {
    const ask = prepared.get(shared)
    if (!ask) throw new Error('a join was met that is in no plan')
    return ask(keys)
  }
}

const joinsIn = ({ joins, below }: JoinTree): readonly PreparedJoin[] => [
  ...joins,
  ...[...below.values()].flatMap(joinsIn),
]

/** Of `[{"v":…},…]`, a value for each key. */
const rowValues = (bytes: Buffer): JoinValues => ({ bytes, ranges: onlyMembers(bytes, 0) })
