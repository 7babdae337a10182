import { ApiError, Path } from '../errors.ts'
import { checkPermitted, type PlannedRemote, type VariableDefaults, type VariableValues } from '../graphql/index.ts'
import { clientFacts, type Environment, type HttpClient, type HttpHeader, notForwarded } from '../http-client/index.ts'
import { type Range, readExpected, readMembers, restart, skipValue, startReading } from '../json-bytes/index.ts'
import { type Model, type VisibleRemote, visibleRemote } from '../model/index.ts'
import { type RemoteEndpoint, remoteEndpoint, transportError } from '../remote-schemas/index.ts'
import { ownPrefix, type Session } from '../session.ts'
import { type Allowance, spendPassed } from './allowance.ts'
import { isObject, passedOn, readAnswer, refuseUnexpected } from './remote-answer.ts'
import { jsonOf, merged, sessionValue, withoutNulls } from './remote-values.ts'

/** What requests to remote schemas need in addition to the request of the client. */
export interface RemoteServices {
  readonly client: HttpClient
  readonly environment: Environment
  /** Data wins where a remote answers with errors as well (reference/remote-schemas#requests-to-remotes). */
  readonly prioritizeData: boolean
  /** What is not as a remote's own schema promises fails the request (docs/remote-schemas.md). */
  readonly checksAnswers: boolean
  /** A client's null is not sent (reference/remote-schemas#requests-to-remotes). */
  readonly skipsNulls: boolean
}

export interface RemoteRequest {
  readonly model: Model
  readonly session: Session
  readonly variables: VariableValues
  readonly operationName: string | null
  /** What its variables may be in all their places. */
  readonly allowance: Allowance
  readonly clientHeaders: readonly HttpHeader[]
  readonly requestId: string
  readonly signal: AbortSignal | undefined
  readonly services: RemoteServices
}

/** A request to a remote schema that waits to be sent. */
export interface PreparedRemote {
  readonly visible: VisibleRemote
  readonly endpoint: RemoteEndpoint
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Returns the values of variables as remote schemas are sent them, their defaults included. Throws bad-request where they
 * are larger than allowed in all their places.
 */
export const passedVariable =
  ({ variables, allowance }: RemoteRequest, defaults: VariableDefaults) =>
  (name: string): unknown => {
    const initial = defaults.get(name)
    const value = Object.hasOwn(variables, name) ? variables[name] : initial && jsonOf(initial)
    spendPassed(allowance, { kind: 'variable', variable: name, keys: [] }, { [name]: value })
    return value
  }

/** Checks what can be wrong before the remote is called: session variables, environment. Throws ApiError. */
export function prepareRemote(
  root: Pick<PlannedRemote, 'remote' | 'variables' | 'checked' | 'defaults' | 'presets' | 'merged' | 'path'>,
  request: RemoteRequest,
): PreparedRemote {
  const { model, session, variables: given, services } = request
  const visible = visibleRemote(model, session.role, root.remote)
  if (!visible) throw new Error(`the plan asks remote schema ${root.remote}, which the role does not see`)
  const definition = visible.remote.definition
  const variables: Record<string, unknown> = Object.create(null)
  const sent = (json: unknown) => (services.skipsNulls ? withoutNulls(json) : json)
  const passed = passedVariable(request, root.defaults)
  for (const name of root.variables) {
    const value = Object.hasOwn(given, name) ? sent(passed(name)) : undefined
    const type = root.checked.get(name)
    if (type) checkPermitted(visible, type, value, root.path)
    if (value !== undefined) variables[name] = value
  }
  for (const { name, session: variable, type } of root.presets)
    variables[name] = sessionValue(visible, session, variable, type)
  for (const { name, value, type, isPreset } of root.merged) {
    const json = jsonOf(value, passed)
    if (!isPreset) checkPermitted(visible, type, json, root.path)
    variables[name] = merged(visible, session, type, sent(json), null, isPreset ? [] : null)
  }
  return { visible, endpoint: remoteEndpoint(definition, services.environment), variables }
}

/**
 * The JSON of a root field, and the cookies that its server sets (reference/remote-schemas#requests-to-remotes). Throws
 * ApiError.
 */
export async function runRemote(
  root: PlannedRemote,
  prepared: PreparedRemote,
  request: RemoteRequest,
): Promise<{ readonly json: Buffer; readonly cookies: readonly string[] }> {
  const { operationName, services } = request
  const { variables } = prepared
  const body = JSON.stringify({
    query: `${root.operation} ${operationName ?? ''}${root.rest}`,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(operationName !== null && { operationName }),
  })
  const { bytes, cookies } = await sendRemote(prepared, body, request)
  const reading = startReading(bytes)
  let value: Range | undefined
  const readMember = (key: string, start: number): number => {
    if (key !== root.responseKey) return skipValue(bytes, start)
    // of equal members the last counts
    restart(reading)
    const end = readExpected(reading, start, root.expected)
    value = { start, end }
    return end
  }
  const readData = (start: number): number => {
    value = undefined
    return readMembers(bytes, start, readMember)
  }
  const answer = readAnswer(bytes, readData)
  const isWrong = value === undefined || (services.checksAnswers && reading.problem !== null)
  // what its server said of a field that is not there says more than that it is not
  checkAnswer(bytes, answer, services.prioritizeData && !isWrong)
  if (value === undefined) throw wrong(`expecting key ${root.responseKey}`)
  if (services.checksAnswers)
    refuseUnexpected(reading, value.start, { remote: root.remote, path: root.path, hidden: 0 })
  return { json: passedOn(reading, value), cookies }
}

/** Posts a GraphQL request and returns the server's response, whatever that is. Throws ApiError when there was none. */
export async function sendRemote(
  { visible, endpoint }: PreparedRemote,
  body: string | Uint8Array,
  request: RemoteRequest,
): Promise<{ readonly bytes: Buffer; readonly cookies: readonly string[] }> {
  const { services, signal, requestId } = request
  const result = await services.client.send({
    purpose: 'remote-schema',
    method: 'POST',
    url: endpoint.url,
    shownUrl: endpoint.shownUrl,
    headers: remoteHeaders(visible, endpoint, request),
    body,
    timeout: endpoint.timeout,
    requestId,
    ...(signal && { signal }),
  })
  if (result.kind === 'failure') throw transportError(endpoint, result)
  const cookies = result.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, text]) => text)
  return { bytes: result.body, cookies }
}

const wrong = (message: string) => new ApiError('remote-schema-error', Path.root, message)

/** Throws what is wrong with an answer. */
function checkAnswer(bytes: Buffer, { data, errors }: ReturnType<typeof readAnswer>, prioritizeData: boolean): void {
  const hasData = data !== null && isObject(bytes, data)
  if (errors !== undefined && errors !== null) {
    if (hasData && prioritizeData) return
    if (Array.isArray(errors) && errors.length === 0) throw wrong('Empty "errors" field in response from remote')
    throw new ApiError('remote-schema-error', Path.root, 'the remote schema answered with errors', {
      graphqlErrors: Array.isArray(errors) ? errors : [errors],
    })
  }
  if (data === null) throw wrong('Missing "data" field with no errors in response from remote')
  if (!hasData) throw wrong('Received null "data" field with no errors in response from remote')
}

const forwarded = (client: readonly HttpHeader[]): readonly HttpHeader[] =>
  client.flatMap(([name, value]): readonly HttpHeader[] => {
    const key = name.toLowerCase()
    const as = clientFacts.get(key)
    if (as) return [[as, value]]
    return notForwarded.has(key) || key.startsWith('x-svc-') ? [] : [[name, value]]
  })

/** Of several headers of a name the first is sent. */
function remoteHeaders(
  { remote }: VisibleRemote,
  endpoint: RemoteEndpoint,
  { session, clientHeaders }: RemoteRequest,
): readonly HttpHeader[] {
  const { forward_client_headers } = remote.definition
  const fixed: readonly HttpHeader[] = [['Content-Type', 'application/json']]
  const own: readonly HttpHeader[] = [...session.variables, [`${session.prefix ?? ownPrefix}role`, session.role]]
  const seen = new Set<string>()
  return [...fixed, ...endpoint.headers, ...own, ...(forward_client_headers ? forwarded(clientHeaders) : [])].filter(
    ([name]) => seen.size < seen.add(name.toLowerCase()).size,
  )
}
