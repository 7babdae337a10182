import { equalJson, isRecord, type JsonObject, type RemoteSchema } from '@svc/schema'
import { getIntrospectionQuery } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import type { Environment, HttpClient } from '../http-client/index.ts'
import { errorReport, type Observation } from '../observe/index.ts'
import { Retries } from '../retries.ts'
import { ownPrefix } from '../session.ts'
import { checkTypes } from './check-types.ts'
import { nameRemote } from './customize.ts'
import { readIntrospection } from './read-introspection.ts'
import { readJsonAnswer, transportError } from './remote-answer.ts'
import { type RemoteEndpoint, remoteEndpoint } from './remote-endpoint.ts'
import type { ReadyRemote, RemoteState, RemoteStates, UnavailableRemote } from './remote-state.ts'

const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, directiveIsRepeatable: false })

/**
 * Returns the value of `__schema`, introspected as the admin (reference/remote-schemas#introspection). Throws
 * remote-schema-error.
 */
async function fetchIntrospection(
  endpoint: RemoteEndpoint,
  client: HttpClient,
  { signal, headerPrefix = ownPrefix }: { readonly signal?: AbortSignal; readonly headerPrefix?: string } = {},
) {
  const result = await client.send({
    purpose: 'remote-schema',
    method: 'POST',
    url: endpoint.url,
    shownUrl: endpoint.shownUrl,
    headers: [...endpoint.headers, ['Content-Type', 'application/json'], [`${headerPrefix}role`, 'admin']],
    body: JSON.stringify({ query, operationName: 'IntrospectionQuery' }),
    timeout: endpoint.timeout,
    ...(signal && { signal }),
  })
  if (result.kind === 'failure') throw transportError(endpoint, result)
  const { body } = result
  const json = readJsonAnswer(body)
  const data = isRecord(json) ? json.data : undefined
  if (isRecord(data) && data.__schema !== undefined) return data.__schema
  const errors = isRecord(json) ? json.errors : undefined
  throw new ApiError('remote-schema-error', Path.root, 'the remote schema did not answer its introspection', {
    internal: errors === undefined ? { status: result.status } : { errors },
  })
}

export interface RemoteSchemasOptions {
  readonly client: HttpClient
  readonly environment: Environment
  /** Of session variables, lower case; absent: ours. */
  readonly headerPrefix?: string
  readonly report: (observation: Observation) => void
  /** A served remote schema that was unavailable answers again: its new state is to be served. */
  readonly recovered: (state: ReadyRemote) => void
}

/** Reads the schemas of other servers, and tries those again that could not be read. States are values. */
export class RemoteSchemas {
  readonly #options: RemoteSchemasOptions
  readonly #retries: Retries<RemoteState, UnavailableRemote>
  readonly #ended = new AbortController()

  constructor(options: RemoteSchemasOptions) {
    this.#options = options
    const { report, recovered } = options
    this.#retries = new Retries({
      isUnavailable,
      subjectOf: ({ definition }) => definition,
      refresh: ({ name, definition }) => this.prepare(name, definition),
      report({ name: remoteSchema, error }, attempt, retryInMilliseconds) {
        const failure = errorReport(error)
        report({ kind: 'remote-schema-unavailable', remoteSchema, attempt, retryInMilliseconds, error: failure })
      },
      recovered: (state) => state.status === 'ready' && recovered(state),
    })
  }

  /**
   * Returns the state of a remote schema. `known`: its state before, whose introspection is used again where it is at
   * the same URL (reference/remote-schemas#definition). Never throws: what cannot be read is a state too.
   */
  async prepare(name: string, definition: RemoteSchema['definition'], known?: RemoteState): Promise<RemoteState> {
    const kept = known && sameUrl(known.definition, definition) ? known.introspection : null
    let introspection = kept
    try {
      introspection ??= await this.#fetch(definition)
      return { ...readState(definition, introspection), name }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: 'unavailable', name, definition, introspection, error }
    }
  }

  /** Whether `prepare` would call the server. */
  asks(definition: RemoteSchema['definition'], known?: RemoteState): boolean {
    return !known || known.introspection === null || !sameUrl(known.definition, definition)
  }

  /** Returns the state read again, whatever is known; the same reference when nothing changed. */
  async refresh(state: RemoteState): Promise<RemoteState> {
    const now = await this.prepare(state.name, state.definition)
    const isSame =
      now.status === state.status && now.status === 'ready' && equalJson(now.introspection, state.introspection)
    return isSame ? state : now
  }

  /** The states of the metadata that is served from now on: unavailable ones are tried again. */
  serve(states: RemoteStates): void {
    if (!this.#ended.signal.aborted) this.#retries.follow(states)
  }

  close(): void {
    this.#ended.abort()
    this.#retries.close()
  }

  #fetch(definition: RemoteSchema['definition']): Promise<unknown> {
    const { client, environment, headerPrefix } = this.#options
    const endpoint = remoteEndpoint(definition, environment)
    return fetchIntrospection(endpoint, client, { signal: this.#ended.signal, ...(headerPrefix && { headerPrefix }) })
  }
}

/** What is wrong in its server's answer and metadata remains wrong until either changes. */
const isUnavailable = (state: RemoteState): state is UnavailableRemote =>
  state.status === 'unavailable' && state.introspection === null && state.error.code === 'remote-schema-error'

const sameUrl = (a: JsonObject, b: JsonObject): boolean => a.url === b.url && a.url_from_env === b.url_from_env

function readState(definition: RemoteSchema['definition'], introspection: unknown): Omit<ReadyRemote, 'name'> {
  const types = readIntrospection(introspection)
  checkTypes(types)
  const { customization } = definition
  return { status: 'ready', definition, introspection, types, naming: nameRemote(types, customization) }
}

/** A state for a document that names a remote schema which was not read yet. */
export const unasked = (name: string, definition: RemoteSchema['definition']): UnavailableRemote => ({
  status: 'unavailable',
  name,
  definition,
  introspection: null,
  error: new ApiError('remote-schema-error', Path.root, 'the remote schema has not been read'),
})
