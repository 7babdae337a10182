import { isRecord } from '@svc/schema'
import { Kind, type OperationDefinitionNode, parse, print, type TypeNode, type VariableDefinitionNode } from 'graphql'
import { ApiError, invalid, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { keptFor } from '../kept-for.ts'
import type { ResolvedRestEndpoint } from '../model/index.ts'

/**
 * Where the variables of a request to an endpoint come from; an earlier one wins
 * (reference/stored-queries#variables-of-endpoints).
 */
export interface GivenVariables {
  readonly path: ReadonlyMap<string, string>
  /** Of a JSON body. */
  readonly body: Readonly<Record<string, unknown>>
  /** Of the query string, or of a form. */
  readonly query: ReadonlyMap<string, string>
}

/**
 * The variables of a stored query (reference/stored-queries#variables-of-endpoints): those of a body as they are, texts
 * by their declared types. Throws bad-request for a variable that is not declared, for lists in texts, and for texts
 * that are no value of their type; validation-failed for one that is missing.
 */
export function readVariables(endpoint: ResolvedRestEndpoint, given: GivenVariables): Record<string, unknown> {
  const declared = declaredVariables(endpoint)
  const variables: Record<string, unknown> = Object.create(null)
  const put = (name: string, read: (type: TypeNode) => unknown) => {
    if (name in variables) return
    const type = declared.get(name)?.type
    if (!type) throw new ApiError('bad-request', Path.root, `Unexpected variable ${name}`)
    const value = read(type)
    if (value !== undefined) variables[name] = value
  }
  for (const [name, text] of given.path) put(name, (type) => readText(name, text, type))
  for (const [name, value] of Object.entries(given.body)) put(name, () => value)
  for (const [name, text] of given.query) put(name, (type) => readText(name, text, type))
  for (const [name, { type, defaultValue }] of declared)
    if (type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined && !(name in variables))
      throw invalid(Path.root, `expecting a value for non-nullable variable: "${name}"`)
  return variables
}

type DeclaredVariables = ReadonlyMap<string, VariableDefinitionNode>

/** Of each endpoint that was called, until metadata has another in its place. */
const declaredVariables = keptFor(({ query }: ResolvedRestEndpoint): DeclaredVariables => {
  const operation = parse(query, { noLocation: true }).definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )
  return new Map(operation?.variableDefinitions?.map((definition) => [definition.variable.name.value, definition]))
})

const booleans = new Set(['Boolean', 'Bool'])
const numbers = new Set(['Int', 'Float', 'Number', 'Double', 'float8', 'numeric'])

/** Undefined: left out. */
function readText(name: string, text: string, declared: TypeNode): unknown {
  const isNullable = declared.kind !== Kind.NON_NULL_TYPE
  const type = declared.kind === Kind.NON_NULL_TYPE ? declared.type : declared
  if (type.kind === Kind.LIST_TYPE)
    throw new ApiError(
      'bad-request',
      Path.root,
      `List variables are not currently supported in URL or Query parameters. (Variable ${name}, with value "${text}")`,
    )
  const typeName = type.name.value
  // a flag without a value says yes
  if (booleans.has(typeName) && text === '') return true
  if (isNullable && text === '') return undefined
  const isBoolean = booleans.has(typeName)
  if (!isBoolean && !numbers.has(typeName)) return text
  if (isBoolean ? /^(true|false)$/.test(text) : /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text))
    return parseExactly(text)
  throw Path.root.error('bad-request', `the value "${text.slice(0, 100)}" of variable ${name} is no ${print(type)}`)
}

/** Forms are decoded at once. */
const LONGEST_FORM = 1_048_576

/** The body of a request: an object as JSON, whatever its content type says; or the fields of a form. */
export async function readBody(
  bytes: Buffer,
  contentType: string | undefined,
  parse: (bytes: Buffer) => unknown,
): Promise<{ readonly body: Readonly<Record<string, unknown>>; readonly form: ReadonlyMap<string, string> }> {
  const nothing = { body: {}, form: new Map<string, string>() }
  if (bytes.length === 0) return nothing
  if (contentType !== undefined && /^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    if (bytes.length > LONGEST_FORM)
      throw new ApiError('bad-request', Path.root, `the form is larger than ${LONGEST_FORM} bytes`, { status: 413 })
    return { body: {}, form: new Map(new URLSearchParams(bytes.toString('utf8'))) }
  }
  const body = await parse(bytes)
  if (body === null) return nothing
  if (!isRecord(body))
    throw new ApiError('parse-failed', Path.root, 'expected an object with the variables of the query')
  return { body, form: nothing.form }
}
