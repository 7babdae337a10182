import { ApiError, Path } from '../errors.ts'
import type { newPrintContext } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import { askRows } from './ask-rows.ts'
import { type Bindings, bindSlots } from './bind.ts'
import { outgoingRequest, type Running, remoteRequest } from './graphql-execution.ts'
import { readRun } from './prepare-reads.ts'
import type { Writes } from './prepare-writes.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import { type RootRun, runAll } from './root-run.ts'
import { actionInput, runAction } from './run-action.ts'
import { prepareRemote, runRemote } from './run-remote.ts'

/** Binds a root field's values: what is wrong with them is found before anything is sent. */
export function* prepareRun(
  root: PreparedRoot,
  execution: Running,
  bindings: Bindings,
  printContext: () => ReturnType<typeof newPrintContext>,
  writes: Writes,
): LongWork<RootRun> {
  const key = root.responseKey
  switch (root.kind) {
    case 'namespace': {
      const runs: RootRun[] = []
      for (const inner of root.roots) runs.push(yield* prepareRun(inner, execution, bindings, printContext, writes))
      return { key, run: (add) => runAll(runs, '{', '}', add) }
    }
    case 'list': {
      const runs: RootRun[] = []
      for (const inner of root.roots)
        runs.push({ ...(yield* prepareRun(inner, execution, bindings, printContext, writes)), key: null })
      return { key, run: (add) => runAll(runs, '[', ']', add) }
    }
    case 'action':
      return { key, run: prepareAction(root, execution, bindings) }
    case 'remote':
      return { key, run: prepareRemoteRun(root, execution, bindings) }
    case 'text':
      return { key, run: async (add) => add(Buffer.from(JSON.stringify(root.text))) }
    case 'introspection':
      return { key, run: async (add) => (await root.answer(printContext())).forEach(add) }
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

/** The arguments are checked now, the handler is called when it is the field's turn. */
function prepareAction(
  root: Extract<PreparedRoot, { readonly kind: 'action' }>,
  execution: Running,
  bindings: Bindings,
): RootRun['run'] {
  const { actions: services } = execution
  if (!services) throw new ApiError('not-supported', Path.root, 'actions cannot be called here')
  const asked = { ...outgoingRequest(execution), services }
  const input = actionInput(root, asked, bindings.allowance)
  return async (add) => {
    const { json, cookies, isOpen } = await runAction(root, input, asked, async (join, keys) => {
      return askRows(join, keys, `${root.responseKey}.${join.as}`, execution, bindings)
    })
    execution.cookies.push(...cookies)
    if (isOpen) execution.open.push(root.responseKey)
    add(Buffer.from(JSON.stringify(json)))
  }
}

/** What is wrong with the request is found now, the remote schema is queried when it is the field's turn. */
function prepareRemoteRun(
  root: Extract<PreparedRoot, { readonly kind: 'remote' }>,
  execution: Running,
  bindings: Bindings,
): RootRun['run'] {
  const asked = remoteRequest(execution, bindings.allowance)
  const prepared = prepareRemote(root, asked)
  return async (add) => {
    const { json, cookies } = await runRemote(root, prepared, asked)
    execution.cookies.push(...cookies)
    add(json)
  }
}
