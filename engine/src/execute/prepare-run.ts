import type { introspectionWorld } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import { type Bindings, bindSlots } from './bind.ts'
import type { Running } from './graphql-execution.ts'
import { prepareAction } from './prepare-action.ts'
import { readRun } from './prepare-reads.ts'
import { prepareRemoteRun } from './prepare-remote-run.ts'
import type { Writes } from './prepare-writes.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import { type RootRun, runAll } from './root-run.ts'

/** Binds a root field's values: what is wrong with them is found before anybody is asked. */
export function* prepareRun(
  root: PreparedRoot,
  execution: Running,
  bindings: Bindings,
  world: () => ReturnType<typeof introspectionWorld>,
  writes: Writes,
): LongWork<RootRun> {
  const key = root.responseKey
  switch (root.kind) {
    case 'namespace': {
      const runs: RootRun[] = []
      for (const inner of root.roots) runs.push(yield* prepareRun(inner, execution, bindings, world, writes))
      return { key, run: (add) => runAll(runs, '{', '}', add) }
    }
    case 'list': {
      const runs: RootRun[] = []
      for (const inner of root.roots)
        runs.push({ ...(yield* prepareRun(inner, execution, bindings, world, writes)), key: null })
      return { key, run: (add) => runAll(runs, '[', ']', add) }
    }
    case 'action':
      return { key, run: prepareAction(root, execution, bindings) }
    case 'remote':
      return { key, run: prepareRemoteRun(root, execution) }
    case 'text':
      return { key, run: async (add) => add(Buffer.from(JSON.stringify(root.text))) }
    case 'introspection':
      return { key, run: async (add) => (await root.answer(world())).forEach(add) }
    case 'writes':
    case 'updates':
    case 'insert':
      return { key, run: async (add) => (await writes.get(root)?.())?.forEach(add) }
    case 'database': {
      const parameters = yield* bindSlots(root.compiled.slots, root.types, bindings)
      execution.bound?.set(root, [{ plan: root.compiled, parameters }])
      yield 1
      return readRun(root, parameters, execution)
    }
  }
}
