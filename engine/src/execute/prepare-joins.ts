import type { Statement } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import type { PlannedJoin } from '../graphql/index.ts'
import { askRows } from './ask-rows.ts'
import type { Bindings } from './bind.ts'
import type { Running } from './graphql-execution.ts'
import type { RootRun } from './root-run.ts'
import { prepareRemote } from './run-remote.ts'
import { runRemoteJoin } from './run-remote-join.ts'
import { type AskJoin, type JoinTree, spliceJoins } from './splice-joins.ts'

/** What is wrong with the request is found now; the joins are asked when the rows are there. */
export function prepareJoins(tree: JoinTree, execution: Running, bindings: Bindings): AskJoin {
  const { model, request, session, signal, remotes, requestId = '', clientHeaders = [] } = execution
  const { variables, operationName } = request
  const prepared = new Map<
    PlannedJoin<Statement>,
    (tuples: readonly (readonly unknown[])[]) => Promise<readonly unknown[]>
  >()
  for (const join of joinsIn(tree)) {
    if (join.kind === 'table') {
      prepared.set(join, (tuples) =>
        askRows(
          join.rows,
          join.keys.map((_, i) => tuples.map((tuple) => tuple[i])),
          execution,
          bindings,
        ),
      )
      continue
    }
    if (!remotes) throw new ApiError('not-supported', Path.root, 'remote schemas cannot be asked here')
    const asked = { model, session, variables, operationName, clientHeaders, requestId, signal, services: remotes }
    const remote = prepareRemote(join.call, asked)
    prepared.set(join, (tuples) => runRemoteJoin(join.call, tuples, remote, asked))
  }
  return async (join, tuples) => (await prepared.get(join)?.(tuples)) ?? []
}

const joinsIn = ({ joins, below }: JoinTree): readonly PlannedJoin<Statement>[] => [
  ...joins,
  ...[...below.values()].flatMap(joinsIn),
]

/** A root field whose answer has values of joins put into it; all others pass as the database wrote them. */
export function joined({ key, run }: RootRun, tree: JoinTree, ask: AskJoin): RootRun {
  return {
    key,
    async run(add) {
      const parts: Buffer[] = []
      await run((part) => parts.push(part))
      const json = parseExactly(Buffer.concat(parts).toString('utf8'))
      await spliceJoins(tree, json, ask)
      add(Buffer.from(JSON.stringify(json)))
    },
  }
}
