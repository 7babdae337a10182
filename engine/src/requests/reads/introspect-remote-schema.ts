/**
 * introspect_remote_schema (reference/metadata-operations#operations-on-remote-schemas): what a remote schema's server
 * said of itself.
 */
import { address, findObject, type Json, namedRemoteSchemaArgs, ownKey } from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { defineRead } from '../read-operation.ts'

/** Throws not-exists; the error of its server where that was never read. */
export const introspectRemoteSchema = defineRead({
  type: 'introspect_remote_schema',
  scope: 'read',
  effects: 'none',
  args: namedRemoteSchemaArgs,
  onQuery: true,
  answer({ name }, { draft, path }) {
    const at = address('remote_schema', ownKey('remote_schema', { name }))
    const state = draft.remotes.get(name)
    if (!findObject(draft.document, at) || !state)
      throw new ApiError('not-exists', path, `remote schema with name "${name}" does not exist`)
    if (state.status === 'unavailable' && state.introspection === null) throw state.error
    return { data: { __schema: state.introspection as Json } }
  },
})
