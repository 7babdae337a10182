import {
  type CustomTypeList,
  customEnum,
  customObject,
  customTypeLists,
  type Json,
  type JsonObject,
  recordsIn,
} from '@svc/schema'
import { identifying } from './attributes-of.ts'
import { fieldList, relationshipList, tablesByName, valueList } from './custom-type-attributes.ts'
import { customTypeReference } from './custom-type-reference.ts'
import { relatedTables } from './custom-types.ts'
import { defineResource, type Part, type Reference } from './define-resource.ts'
import { defined } from './in-table.ts'
import { op } from './operation.ts'

/** One type of actions, where several stacks have theirs. */
export const customType = defineResource({
  kind: 'CustomType',
  type: 'custom_types',
  description: [
    'One type of the arguments and answers of actions.',
    'Types of others are left alone, so that several stacks may have their own; a stack that owns all of them has one `CustomTypes` instead.',
  ].join(' '),
  inputs: {
    name: identifying('Its name, which no other type has.'),
    description: 'Description of the type in GraphQL.',
    input_fields: { ...fieldList, description: 'Of an object that arguments are made of: its fields.', from: 'fields' },
    fields: { ...fieldList, description: 'Of an object that answers are made of: its fields.' },
    relationships: {
      ...relationshipList,
      description: 'In addition to `fields`: what leads to rows of tables, by fields that hold values of columns.',
    },
    values: { ...valueList, description: 'Of an enum: its values.' },
    scalar: { description: 'Whether it is a scalar, which may be any JSON.', type: 'boolean', default: false },
  },
  schemas: [customObject, customEnum],
  identity: ['name'],
  example: ['Order'],
  exactlyOne: [['input_fields', 'fields', 'values', 'scalar']],
  createBeforeDelete: true,
  part: typeInList(),
  dependsOn: (_, { name, input_fields, fields, relationships }) => [
    ...typesOf(input_fields, 'input_fields', name),
    ...typesOf(fields, 'fields', name),
    ...relatedTables(relationships, 'relationships'),
  ],
  create: (now) => [op('create_custom_type', argumentsOf(now))],
  update: (_, now) => [op('create_custom_type', { ...argumentsOf(now), replace: true })],
  delete: ({ name = null }) => [op('drop_custom_type', { name })],
})

const typesOf = (fields: Json | undefined, attribute: string, own: Json | undefined): readonly Reference[] =>
  recordsIn(fields)
    .flatMap(({ type }, i) => customTypeReference(type, attribute, i, 'type'))
    .filter(({ name }) => name !== own)

const listOf = (type: JsonObject): CustomTypeList =>
  type.input_fields !== undefined
    ? 'input_objects'
    : type.fields !== undefined
      ? 'objects'
      : type.values !== undefined
        ? 'enums'
        : 'scalars'

const argumentsOf = (type: JsonObject): JsonObject => ({ [customTypeLists[listOf(type)]]: itemOf(type) })

/** As the list has it. */
function itemOf(type: JsonObject): JsonObject {
  const { name = null, description, input_fields, fields, relationships, values } = type
  return defined({ name, description, fields: input_fields ?? fields, relationships, values })
}

function typeOf(list: CustomTypeList, item: JsonObject): JsonObject {
  const { fields = null, relationships, ...others } = item
  switch (list) {
    case 'input_objects':
      return { ...others, input_fields: fields }
    case 'objects':
      return defined({ ...others, fields, relationships: tablesByName(relationships) })
    case 'enums':
      return others
    case 'scalars':
      return { ...others, scalar: true }
  }
}

const lists = Object.keys(customTypeLists) as readonly CustomTypeList[]

function typeInList(): Part {
  return {
    assemble(types) {
      const items = (list: CustomTypeList) => types.filter((type) => listOf(type) === list).map(itemOf)
      return Object.fromEntries(
        lists.flatMap((list) => (items(list).length === 0 ? [] : [[list, items(list)] as const])),
      )
    },
    parts: (whole) => lists.flatMap((list) => recordsIn(whole[list]).map((one) => typeOf(list, one))),
    key: ({ name = null }) => String(name),
    path([head, ...rest]) {
      const list = lists.find((one) => one === head || (customTypeLists[one] === head && rest.length > 0))
      if (!list) return head === undefined ? [] : [head, ...rest]
      const [first, ...others] = head === list ? rest.slice(1) : rest
      if (first === undefined) return []
      return [first === 'fields' && list === 'input_objects' ? 'input_fields' : first, ...others]
    },
  }
}
