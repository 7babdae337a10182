import { isRecord, type RemoteSchema } from '@svc/schema'
import { Kind, type ValueNode } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import { isRawNumber, parseExactly } from '../exact-json/index.ts'
import type { PlannedRemote, TypenameShape, VariableValues } from '../graphql/index.ts'
import { type Environment, type HttpClient, type HttpHeader, notForwarded } from '../http-client/index.ts'
import { checkJson, type Range, readMembers, skipValue } from '../json-bytes/index.ts'
import { type Model, type VisibleRemote, visibleRemote } from '../model/index.ts'
import {
  namedTypeOf,
  publicType,
  type RemoteEndpoint,
  type RemoteTypeRef,
  refuseDeep,
  remoteEndpoint,
  transportError,
} from '../remote-schemas/index.ts'
import { ownPrefix, type Session } from '../session.ts'

/** What requests to remote schemas need beside the request of the client. */
export interface RemoteServices {
  readonly client: HttpClient
  readonly environment: Environment
  /** Data wins where a remote answers with errors as well (reference/remote-schemas#requests-to-remotes). */
  readonly prioritizeData: boolean
  /** What clients give as null is not sent (reference/remote-schemas#requests-to-remotes). */
  readonly skipsNulls: boolean
}

export interface RemoteRequest {
  readonly model: Model
  readonly session: Session
  readonly variables: VariableValues
  readonly operationName: string | null
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

/** Everything that can be wrong before the remote is asked: session variables, environment. Throws ApiError. */
export function prepareRemote(
  root: Pick<PlannedRemote, 'remote' | 'variables' | 'presets' | 'merged'>,
  request: RemoteRequest,
): PreparedRemote {
  const { model, session, variables: given, services } = request
  const visible = visibleRemote(model, session.role, root.remote)
  if (!visible) throw new Error(`the plan asks remote schema ${root.remote}, which the role does not see`)
  const definition = visible.remote.definition as unknown as RemoteSchema['definition']
  const variables: Record<string, unknown> = Object.create(null)
  const sent = (json: unknown) => (services.skipsNulls ? withoutNulls(json) : json)
  for (const name of root.variables) {
    const value = Object.hasOwn(given, name) ? sent(given[name]) : undefined
    if (value !== undefined) variables[name] = value
  }
  for (const { name, session: variable, type } of root.presets)
    variables[name] = sessionValue(visible, session, variable, type)
  for (const { name, value, type } of root.merged)
    variables[name] = merged(visible, session, type, sent(jsonOf(value, given)))
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
  let value: Range | undefined
  const readMember = (key: string, start: number): number => {
    const end = skipValue(bytes, start)
    if (key === root.responseKey) value = { start, end }
    return end
  }
  const readData = (start: number): number => {
    value = undefined
    return readMembers(bytes, start, readMember)
  }
  checkAnswer(bytes, readAnswer(bytes, readData), services.prioritizeData)
  if (value === undefined) throw wrong(`expecting key ${root.responseKey}`)
  const json = bytes.subarray(value.start, value.end)
  const shape = root.typenames?.get(root.responseKey)
  const hasNames = shape !== undefined && shape !== 'typename'
  return { json: hasNames ? renamed(prepared.visible, json, shape) : json, cookies }
}

/** Posts a GraphQL request; what the server answered, whatever that is. Throws ApiError when it gave none. */
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
    headers: headersOf(visible, endpoint, request),
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

/**
 * Where the members of a GraphQL answer stand. An object of data is read by `readData`, which is given where it begins and
 * says where it ends: an answer is walked through once. Throws remote-schema-error for what is not JSON
 * (reference/remote-schemas#requests-to-remotes).
 */
export function readAnswer(
  bytes: Buffer,
  readData: (start: number) => number,
): { readonly data: Range | null; readonly errors: unknown } {
  let data: Range | null = null
  let found: Range | null = null
  const readMember = (key: string, start: number): number => {
    const end = key === 'data' && bytes[start] === openBrace ? readData(start) : skipValue(bytes, start)
    if (key === 'data') data = { start, end }
    if (key === 'errors') found = { start, end }
    return end
  }
  try {
    checkJson(bytes, (at) => (bytes[at] === openBrace ? readMembers(bytes, at, readMember) : skipValue(bytes, at)))
    const errors = found && parseExactly(text(bytes, found))
    refuseDeep(errors)
    return { data, errors: errors ?? undefined }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ApiError('remote-schema-error', Path.root, 'the remote schema did not answer with JSON', {
      internal: cause.message.slice(0, 200),
      cause,
    })
  }
}

const openBrace = 0x7b

export const isObject = (bytes: Buffer, { start }: Range): boolean => bytes[start] === 0x7b

const text = (bytes: Buffer, { start, end }: Range): string => bytes.toString('utf8', start, end)

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

/** A value with the public names of types. */
export function renamed(visible: VisibleRemote, json: Buffer, shape: TypenameShape): Buffer {
  const value = parseExactly(json.toString('utf8'))
  refuseDeep(value)
  renameTypes(visible, value, shape)
  return Buffer.from(JSON.stringify(value))
}

/** Who the client is, beside headers that are the engine's own now. */
const facts: ReadonlyMap<string, string> = new Map([
  ['host', 'X-Forwarded-Host'],
  ['user-agent', 'X-Forwarded-User-Agent'],
  ['origin', 'X-Forwarded-Origin'],
])

const forwarded = (client: readonly HttpHeader[]): readonly HttpHeader[] =>
  client.flatMap(([name, value]): readonly HttpHeader[] => {
    const key = name.toLowerCase()
    const as = facts.get(key)
    if (as) return [[as, value]]
    return notForwarded.has(key) || key.startsWith('x-svc-') ? [] : [[name, value]]
  })

/** Of several headers of a name the first is sent. */
function headersOf(
  { remote }: VisibleRemote,
  endpoint: RemoteEndpoint,
  { session, clientHeaders }: RemoteRequest,
): readonly HttpHeader[] {
  const { forward_client_headers } = remote.definition as unknown as RemoteSchema['definition']
  const fixed: readonly HttpHeader[] = [['Content-Type', 'application/json']]
  const own: readonly HttpHeader[] = [...session.variables, [`${session.prefix ?? ownPrefix}role`, session.role]]
  const seen = new Set<string>()
  return [...fixed, ...endpoint.headers, ...own, ...(forward_client_headers ? forwarded(clientHeaders) : [])].filter(
    ([name]) => seen.size < seen.add(name.toLowerCase()).size,
  )
}

function sessionValue(visible: VisibleRemote, { variables }: Session, name: string, type: RemoteTypeRef): unknown {
  const text = variables.get(name)
  if (text === undefined)
    throw new ApiError('not-found', Path.root, `"${name}" session variable expected, but not found`)
  const typeName = namedTypeOf(type)
  const cannot = (what: string) =>
    new ApiError('coercion-error', Path.root, `${JSON.stringify(text)} cannot be coerced into ${what} value`)
  switch (typeName) {
    case 'Int':
      if (!/^[+-]?\d+$/.test(text)) throw cannot('an Int')
      return JSON.rawJSON(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
    case 'Float':
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw cannot('a Float')
      return JSON.rawJSON(text)
    case 'Boolean':
      if (!/^(true|false)$/i.test(text)) throw cannot('a Boolean')
      return text.toLowerCase() === 'true'
  }
  const own = visible.remote.types.types.get(typeName)
  if (own?.kind === 'ENUM' && !own.values.some((value) => value.name === text)) throw cannot(`a ${typeName}`)
  return text
}

/** Without members of objects that are null, at any depth; undefined where it is null itself. */
export function withoutNulls(json: unknown): unknown {
  if (json === null) return undefined
  if (Array.isArray(json)) return json.map((item: unknown) => (item === null ? null : withoutNulls(item)))
  if (!isRecord(json) || isRawNumber(json)) return json
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(json)) {
    const kept = withoutNulls(value)
    if (kept !== undefined) result[name] = kept
  }
  return result
}

/** A value with the presets of input fields put over what the client gave. */
export function merged(visible: VisibleRemote, session: Session, type: RemoteTypeRef, json: unknown): unknown {
  if (type.kind === 'non-null') return merged(visible, session, type.of, json)
  if (json === null || json === undefined) return json
  if (type.kind === 'list')
    return (Array.isArray(json) ? json : [json]).map((item: unknown) => merged(visible, session, type.of, item))
  const own = visible.remote.types.types.get(type.name)
  if (own?.kind !== 'INPUT_OBJECT' || !isRecord(json)) return json
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(json)) {
    const field = own.fields.get(name)
    result[name] = field ? merged(visible, session, field.type, value) : value
  }
  for (const [name, preset] of visible.presets.inputs.get(type.name) ?? []) {
    const field = own.fields.get(name)
    if (!field) continue
    result[name] =
      preset.kind === 'session'
        ? sessionValue(visible, session, preset.variable, field.type)
        : merged(visible, session, field.type, jsonOf(preset.value, {}))
  }
  return result
}

export function jsonOf(node: ValueNode, variables: VariableValues): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value] ?? null
    case Kind.INT:
    case Kind.FLOAT:
      return JSON.rawJSON(node.value)
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map((item) => jsonOf(item, variables))
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, jsonOf(value, variables)]))
  }
}

/** Puts the public names of types in the place of upstream ones. */
function renameTypes(visible: VisibleRemote, json: unknown, shape: TypenameShape): void {
  if (Array.isArray(json)) {
    for (const item of json) renameTypes(visible, item, shape)
    return
  }
  if (!isRecord(json)) return
  const object = json as Record<string, unknown>
  for (const [key, below] of shape) {
    const value = object[key]
    if (below !== 'typename') renameTypes(visible, value, below)
    else if (typeof value === 'string') object[key] = publicType(visible.remote.naming, value)
  }
}
