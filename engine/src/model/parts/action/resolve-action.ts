import {
  customTypeAddress,
  type GraphqlType,
  type MetadataObject,
  namedTypeOf,
  objectValue,
  parseGraphqlType,
} from '@svc/schema'
import { type Environment, expandEnvironment } from '../../../http-client/index.ts'
import { keptFor } from '../../../kept-for.ts'
import { compileRequestTransform, compileResponseTransform } from '../../../transforms/index.ts'
import { definitionError, metadataError } from '../../resolve/resolution-error.ts'
import { baseFinder, type SourceTypes } from './find-base.ts'
import type { ActionField, ActionObject, ActionTypes, ResolvedAction } from './resolved-action.ts'

export interface ActionContext {
  readonly types: ActionTypes
  readonly sources: SourceTypes
  /** Undefined: references to variables are not checked. */
  readonly environment: Environment | undefined
}

/**
 * Throws ResolutionError where a type, a template or an environment variable is missing (reference/actions#operations).
 */
export function resolveAction(object: MetadataObject, around: ActionContext): ResolvedAction {
  const action = objectValue(object, 'action')
  const { definition } = action
  const find = baseFinder(around.types.declared, around.sources)
  const named = new Set<string>()
  const args = (definition.arguments ?? []).map(({ name, type: text, description = null }, i): ActionField => {
    if (named.size === named.add(name).size)
      throw definitionError(`the argument "${name}" is declared more than once`, ['definition', 'arguments', i, 'name'])
    const type = parsed(text)
    const base = find(type, 'argument')
    if (!base)
      throw missingType(
        `the type: "${text}" is not defined in custom types or it is not a scalar/enum/input_object`,
        type,
        ['definition', 'arguments', i, 'type'],
      )
    return { name, description, type, base }
  })
  const type = parsed(definition.output_type)
  const base = find(type, 'output')
  if (!base || base.kind === 'enum' || base.kind === 'input')
    throw missingType(
      `the type: "${definition.output_type}" is not an object or scalar type defined in custom types`,
      type,
      ['definition', 'output_type'],
    )
  const kind = definition.type === 'query' ? 'query' : (definition.kind ?? 'synchronous')
  const output = base.kind === 'object' ? around.types.objects.get(base.name) : undefined
  if (output) checkRelationships(output, kind)
  checkHandler(definition.handler, around.environment)
  return {
    name: action.name,
    description: action.comment ?? null,
    kind,
    arguments: args,
    output: { type, base },
    types: around.types,
    handler: definition.handler,
    headers: definition.headers ?? [],
    forwardClientHeaders: definition.forward_client_headers ?? false,
    ignoredClientHeaders: new Set(definition.ignored_client_headers.map((name) => name.toLowerCase())),
    timeout: definition.timeout ?? 30,
    ...transformsOf(definition),
    declared: definition,
  }
}

/** A type that may still come. */
const missingType = (text: string, type: GraphqlType, at: readonly (string | number)[]) =>
  metadataError(text, [customTypeAddress(namedTypeOf(type))], at)

function parsed(text: string): GraphqlType {
  const type = parseGraphqlType(text)
  if (!type) throw definitionError(`not a valid GraphQL type: ${text}`, ['definition'])
  return type
}

function checkHandler(handler: string, environment: Environment | undefined): void {
  const result = environment && expandEnvironment(handler, environment)
  if (result?.kind === 'missing')
    throw definitionError(`Value for environment variables not found: ${result.variables.join(', ')}`, [
      'definition',
      'handler',
    ])
}

/** Of the output object itself; those of objects inside it join whatever the answer holds. */
function checkRelationships({ fields, relationships }: ActionObject, kind: ResolvedAction['kind']): void {
  const nested = (name: string) => fields.get(name)?.base.kind === 'object'
  if (kind === 'asynchronous') {
    const objects = [...fields.keys()].filter(nested)
    if (relationships.size > 0 && objects.length > 0)
      throw definitionError(
        `Async action relations cannot be used with object fields: ${objects.map((name) => `"${name}"`).join(', ')}`,
        ['definition', 'output_type'],
      )
    return
  }
  const wrong = [...relationships.values()].filter(({ mapping }) => mapping.some(({ field }) => nested(field)))
  if (wrong.length > 0)
    throw definitionError(
      `Relationships cannot be defined with nested object fields: ${wrong.map(({ name }) => `"${name}"`).join(', ')}`,
      ['definition', 'output_type'],
    )
}

/** Parsed once for an object: models are made far more often than actions change. */
const transformsOf = keptFor(
  ({ request_transform: request, response_transform: response }: ResolvedAction['declared']) => ({
    requestTransform: request ? transformOf(compileRequestTransform(request), 'request_transform') : null,
    responseTransform: response ? transformOf(compileResponseTransform(response), 'response_transform') : null,
  }),
)

function transformOf<T>(
  compiled:
    | { readonly kind: 'transform'; readonly transform: T }
    | { readonly kind: 'errors'; readonly errors: readonly { readonly message: string }[] },
  key: string,
): T {
  if (compiled.kind === 'transform') return compiled.transform
  const texts = compiled.errors.map(({ message }) => message).join(', ')
  throw definitionError(`${key.replace('_', ' ')} cannot be used: ${texts}`, ['definition', key])
}
