import { federationNames } from '../../model/index.ts'
import { type Field, type InputField, type NamedType, typeText } from '../types/type.ts'

const builtIn = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

/**
 * A type in GraphQL's own language, entities with `@key`. Empty for what needs no definition: the types of GraphQL
 * itself and of federation, and subscriptions, which gateways cannot request.
 */
export function typeDefinition(type: NamedType): string {
  const { name } = type
  if (name.startsWith('__') || name === 'subscription_root' || builtIn.has(name) || federationNames.has(name)) return ''
  return `${described(type.description, '')}${body(type)}`
}

function body(type: NamedType): string {
  switch (type.kind) {
    case 'SCALAR':
      return `scalar ${type.name}`
    case 'ENUM':
      return `enum ${type.name} ${block(type.values.map(({ name, description }) => `${described(description, '  ')}  ${name}`))}`
    case 'OBJECT':
    case 'INTERFACE': {
      const key = type.kind === 'OBJECT' && type.entityKey ? ` @key(fields: ${quoted(type.entityKey.join(' '))})` : ''
      const fields = [...type.fields.values()].filter(({ name }) => !federationNames.has(name))
      return `${type.kind === 'OBJECT' ? 'type' : 'interface'} ${type.name}${key} ${block(fields.map(field))}`
    }
    case 'UNION':
      return ''
    case 'INPUT_OBJECT':
      return `input ${type.name} ${block([...type.fields.values()].map((one) => input(one, '  ')))}`
  }
}

const block = (lines: readonly string[]): string => `{\n${lines.join('\n')}\n}`

function field({ name, description, args, type }: Field<unknown>): string {
  const given = [...args.values()].map((one) => input(one, '    '))
  const list = given.length > 0 ? `(\n${given.join('\n')}\n  )` : ''
  return `${described(description, '  ')}  ${name}${list}: ${typeText(type)}`
}

const input = ({ name, description, type, defaultValue }: InputField<unknown>, indent: string): string =>
  `${described(description, indent)}${indent}${name}: ${typeText(type)}${defaultValue === null ? '' : ` = ${defaultValue}`}`

const described = (text: string | null, indent: string): string => (text === null ? '' : `${indent}${quoted(text)}\n`)

/** JSON's escapes are GraphQL's. */
const quoted = (text: string): string => JSON.stringify(text)
