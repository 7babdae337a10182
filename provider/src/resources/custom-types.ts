import { isRecord, type Json, recordsIn } from '@svc/schema'
import { filled } from './attributes-of.ts'
import { fieldList, relationshipList, tablesByName, valueList } from './custom-type-attributes.ts'
import { defineResource, type Reference } from './define-resource.ts'
import { defined, eachRecord, placedName } from './in-table.ts'
import { operations } from './operation.ts'

const named = { name: filled('Name of the type.'), description: 'Description of the type in GraphQL.' }

/** All types of actions (reference/metadata-operations#operations-on-actions). */
export const customTypes = defineResource({
  kind: 'CustomTypes',
  type: 'custom_types',
  description: [
    'All types of the arguments and answers of actions, in one resource.',
    'It owns every custom type of the engine: one that another client adds is drift, and the next apply removes it.',
    'Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others.',
    'Types that name each other in a circle can only be declared here.',
  ].join(' '),
  inputs: {
    input_objects: {
      description: 'Objects that arguments are made of.',
      typeName: 'CustomInputObject',
      of: { ...named, fields: { ...fieldList, description: 'Its fields.' } },
    },
    objects: {
      description: 'Objects that answers are made of.',
      typeName: 'CustomObject',
      of: {
        ...named,
        fields: { ...fieldList, description: 'Its fields.' },
        relationships: {
          ...relationshipList,
          description: 'What leads from it to rows of tables, by fields that hold values of columns.',
        },
      },
    },
    scalars: { description: 'Types that may be any JSON.', typeName: 'CustomScalar', of: named },
    enums: {
      description: 'Types of a few values.',
      typeName: 'CustomEnum',
      of: { ...named, values: { ...valueList, description: 'Its values.' } },
    },
  },
  identity: [],
  example: ['custom_types'],
  codecs: {
    objects: {
      decode: (objects) =>
        eachRecord(objects, (one) => defined({ ...one, relationships: tablesByName(one.relationships) })),
    },
  },
  dependsOn: (_, { objects }) =>
    recordsIn(objects).flatMap(({ relationships }, i) => relatedTables(relationships, 'objects', i, 'relationships')),
  ...operations('set_custom_types', 'set_custom_types', 'set_custom_types'),
})

/** Tables that relationships of a type lead to. */
export const relatedTables = (
  relationships: Json | undefined,
  ...attribute: (string | number)[]
): readonly Reference[] =>
  recordsIn(relationships).flatMap(({ source = 'default', remote_table }, i): readonly Reference[] => {
    if (!isRecord(remote_table)) return []
    const at = [...attribute, i]
    return [
      { to: 'source', source, attribute: [...at, 'source'] },
      { to: 'table', source, table: placedName(remote_table), attribute: [...at, 'remote_table'] },
    ]
  })
