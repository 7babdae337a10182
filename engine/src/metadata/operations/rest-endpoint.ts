/** Paths that answer with a stored query (reference/metadata-operations#stored-queries, reference/stored-queries). */
import {
  address,
  createRestEndpointArgs,
  dropRestEndpointArgs,
  findObject,
  type ObjectAddress,
  ownKey,
} from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { withoutObject, withValue } from '../change-object.ts'
import { withoutAbsent } from '../find-table.ts'
import { defineOperation, type Operation } from '../operation.ts'

const addressOf = (name: string): ObjectAddress => address('rest_endpoint', ownKey('rest_endpoint', { name }))

/** create_rest_endpoint. already-exists; what is wrong with its path or query is an inconsistency of it. */
const createRestEndpoint = defineOperation({
  type: 'create_rest_endpoint',
  args: createRestEndpointArgs,
  check: 'object',
  apply(document, endpoint, path) {
    const at = addressOf(endpoint.name)
    if (findObject(document, at))
      throw new ApiError('already-exists', path, `Endpoint with name: ${endpoint.name} already exists`)
    return withValue(document, at, withoutAbsent({ ...endpoint }))
  },
})

/** drop_rest_endpoint. not-exists. */
const dropRestEndpoint = defineOperation({
  type: 'drop_rest_endpoint',
  args: dropRestEndpointArgs,
  check: 'no-new',
  drops: ({ name }) => [addressOf(name)],
  apply(document, { name }, path) {
    const at = addressOf(name)
    if (!findObject(document, at)) throw new ApiError('not-exists', path, `endpoint with name: ${name} does not exist`)
    return withoutObject(document, at)
  },
})

export const restEndpointOperations: readonly Operation[] = [createRestEndpoint, dropRestEndpoint]
