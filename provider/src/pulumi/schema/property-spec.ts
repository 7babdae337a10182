import {
  type Attribute,
  type Attributes,
  type AttributeType,
  dataSources,
  providerConfig,
} from '../../resources/index.ts'
import { functionToken, PACKAGE_NAME, pulumiName } from '../names.ts'
import type { ObjectSpec, Properties, PropertySpec, TypeSpec } from './package-spec.ts'
import { pascalCase, typeName } from './type-name.ts'

/**
 * Attributes as properties of `owner`, whose name begins the names of types that say none themselves; `siblings`: all
 * that a description may name.
 */
export function propertySpecs(attributes: Attributes, owner: string, siblings: Attributes = attributes): Properties {
  const describe = describing(siblings)
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      pulumiName(name),
      propertySpec(attribute, owner + pascalCase(name), describe),
    ]),
  )
}

export const objectSpec = (attributes: Attributes, owner: string, siblings: Attributes = attributes): ObjectSpec => ({
  type: 'object',
  properties: propertySpecs(attributes, owner, siblings),
  required: requiredOf(attributes),
})

export const requiredOf = (attributes: Attributes): readonly string[] =>
  Object.entries(attributes).flatMap(([name, { presence }]) => (presence === 'required' ? [pulumiName(name)] : []))

/** Without the default itself: the provider fills it in, and a program states only what its author wrote. */
function propertySpec(attribute: Attribute, path: string, describe: (text: string) => string): PropertySpec {
  const { type, description, default: initial, sensitive, replace } = attribute
  return {
    ...typeSpec(type, path),
    description: describe(description) + (initial === undefined ? '' : ` Default: \`${JSON.stringify(initial)}\`.`),
    ...(sensitive ? { secret: true } : {}),
    ...(replace ? { willReplaceOnChanges: true } : {}),
  }
}

/** Other attributes, settings of the provider and data sources that a description names are called there what they are called here. */
const describing = (attributes: Attributes) => (text: string) =>
  text.replace(/`([a-z_]+)`/g, (quoted, name: string) =>
    Object.hasOwn(attributes, name) || Object.hasOwn(providerConfig, name)
      ? `\`${pulumiName(name)}\``
      : (functions.get(name) ?? quoted),
  )

/** Functions by the names that descriptions call data sources by. */
const functions: ReadonlyMap<string, string> = new Map(
  dataSources.map(({ name }) => [`svc_${name}`, `\`${functionToken(name).replace(/^.*:/, '')}\``]),
)

function typeSpec(type: AttributeType, path: string): TypeSpec {
  switch (type.kind) {
    case 'string':
      return type.choices ? referTo(typeName(type, path)) : { type: 'string' }
    case 'boolean':
    case 'integer':
    case 'number':
      return { type: type.kind }
    case 'json':
      return { $ref: 'pulumi.json#/Any' }
    case 'list':
    case 'set':
      return { type: 'array', items: typeSpec(type.of, path) }
    case 'map':
      return { type: 'object', additionalProperties: typeSpec(type.of, path) }
    case 'object':
      return referTo(typeName(type, path))
  }
}

const referTo = (name: string): TypeSpec => ({ $ref: `#/types/${typeToken(name)}` })

export const typeToken = (name: string): string => `${PACKAGE_NAME}:index:${name}`
