import type { Attribute, Attributes, AttributeType } from '../resources/index.ts'
import type { NestedType, SchemaAttribute, SchemaMessage } from './protocol/provider-messages.ts'
import { spelled } from './spelled.ts'

/** A tree of attributes as Terraform's schema. */
export function schemaMessage(attributes: Attributes, description: string, version: number): SchemaMessage {
  return {
    version,
    block: {
      attributes: attributeMessages(attributes),
      description: spelled(description),
      descriptionKind: 'markdown',
    },
  }
}

const attributeMessages = (attributes: Attributes): readonly SchemaAttribute[] =>
  Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...typeOf(attribute.type),
    description: spelled(attribute.description),
    descriptionKind: 'markdown',
    ...presenceOf(attribute),
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
  }))

/** What has a default is filled in by the provider, which Terraform allows only of what is computed. */
function presenceOf({ presence, default: value, providerDefault }: Attribute): SchemaAttribute {
  switch (presence) {
    case 'required':
      return { required: true }
    case 'optional':
      return { optional: true, computed: value !== undefined || providerDefault !== undefined }
    case 'computed':
      return { computed: true }
  }
}

/** Objects, and lists, sets and maps of them, are nested types with attributes of their own. */
function typeOf(type: AttributeType): Pick<SchemaAttribute, 'type' | 'nestedType'> {
  const nested = nestedTypeOf(type)
  return nested ? { nestedType: nested } : { type: Buffer.from(JSON.stringify(typeConstraint(type))) }
}

function nestedTypeOf(type: AttributeType): NestedType | null {
  if (type.kind === 'object') return { nesting: 'single', attributes: attributeMessages(type.attributes) }
  if (type.kind !== 'list' && type.kind !== 'set' && type.kind !== 'map') return null
  return type.of.kind === 'object' ? { nesting: type.kind, attributes: attributeMessages(type.of.attributes) } : null
}

/** As Terraform writes types in JSON; what is optional in an object is named once more behind it. */
function typeConstraint(type: AttributeType): unknown {
  switch (type.kind) {
    case 'string':
    case 'json':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'integer':
    case 'number':
      return 'number'
    case 'list':
    case 'set':
    case 'map':
      return [type.kind, typeConstraint(type.of)]
    case 'object': {
      const entries = Object.entries(type.attributes)
      const types = Object.fromEntries(entries.map(([name, attribute]) => [name, typeConstraint(attribute.type)]))
      const optional = entries.filter(([, { presence }]) => presence !== 'required').map(([name]) => name)
      return optional.length === 0 ? ['object', types] : ['object', types, optional]
    }
  }
}
