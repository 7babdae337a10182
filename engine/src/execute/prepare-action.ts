import { ApiError, Path } from '../errors.ts'
import { askRows } from './ask-rows.ts'
import type { Bindings } from './bind.ts'
import type { Running } from './graphql-execution.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import type { RootRun } from './root-run.ts'
import { actionInput, runAction } from './run-action.ts'

/** The arguments are checked now, the handler is called when it is the field's turn. */
export function prepareAction(
  root: Extract<PreparedRoot, { readonly kind: 'action' }>,
  execution: Running,
  bindings: Bindings,
): RootRun['run'] {
  const { model, request, session, signal, actions, requestId = '', clientHeaders } = execution
  if (!actions) throw new ApiError('not-supported', Path.root, 'actions cannot be called here')
  const { variables, query } = request
  const input = actionInput(root, { model, variables })
  const asked = {
    model,
    session,
    variables,
    query,
    requestId,
    clientHeaders: clientHeaders?.() ?? [],
    signal,
    services: actions,
  }
  return async (add) => {
    const { json, cookies, isOpen } = await runAction(root, input, asked, async (join, keys) => {
      return askRows(join, keys, `${root.responseKey}.${join.as}`, execution, bindings)
    })
    execution.cookies.push(...cookies)
    if (isOpen) execution.open.push(root.responseKey)
    add(Buffer.from(JSON.stringify(json)))
  }
}
