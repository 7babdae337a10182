import { ApiError, Path } from '../errors.ts'
import type { Running } from './graphql-execution.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import type { RootRun } from './root-run.ts'
import { prepareRemote, runRemote } from './run-remote.ts'

/** What is wrong with the request is found now, the remote schema is asked when it is the field's turn. */
export function prepareRemoteRun(
  root: Extract<PreparedRoot, { readonly kind: 'remote' }>,
  execution: Running,
): RootRun['run'] {
  const { model, request, session, signal, remotes, requestId = '', clientHeaders } = execution
  if (!remotes) throw new ApiError('not-supported', Path.root, 'remote schemas cannot be asked here')
  const { variables, operationName } = request
  const asked = {
    model,
    session,
    variables,
    operationName,
    clientHeaders: clientHeaders?.() ?? [],
    requestId,
    signal,
    services: remotes,
  }
  const prepared = prepareRemote(root, asked)
  return async (add) => {
    const { json, cookies } = await runRemote(root, prepared, asked)
    execution.cookies.push(...cookies)
    add(json)
  }
}
