import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { description, fieldList, relationshipList, tablesByName, valueList } from './custom-type-attributes.ts'
import { defineResource, type Reference } from './define-resource.ts'
import { isObject, placedName } from './in-table.ts'
import { op } from './operation.ts'

const named = (of: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .meta({ description: `Name of ${of}.` })

/** All types of actions (reference/metadata-operations#operations-on-actions). */
export const customTypes = defineResource({
  kind: 'CustomTypes',
  type: 'custom_types',
  description: [
    'All types of the arguments and answers of actions, in one resource.',
    'It owns every custom type of the engine: one that somebody else adds is drift, and the next apply removes it.',
    'Where several stacks have types of their own, each type is a `CustomType` instead; a stack has either the one or the others.',
    'Types that name each other in a circle can only be declared here.',
  ].join(' '),
  inputs: {
    input_objects: z
      .array(
        z
          .object({
            name: named('the type'),
            description: description('the type'),
            fields: fieldList().meta({ description: 'Its fields.' }),
          })
          .meta({ typeName: 'CustomInputObject' }),
      )
      .optional()
      .meta({ description: 'Objects that arguments are made of.' }),
    objects: z
      .array(
        z
          .object({
            name: named('the type'),
            description: description('the type'),
            fields: fieldList().meta({ description: 'Its fields.' }),
            relationships: relationshipList()
              .optional()
              .meta({ description: 'What leads from it to rows of tables, by fields that hold values of columns.' }),
          })
          .meta({ typeName: 'CustomObject' }),
      )
      .optional()
      .meta({ description: 'Objects that answers are made of.' }),
    scalars: z
      .array(
        z.object({ name: named('the type'), description: description('the type') }).meta({ typeName: 'CustomScalar' }),
      )
      .optional()
      .meta({ description: 'Types that may be any JSON.' }),
    enums: z
      .array(
        z
          .object({
            name: named('the type'),
            description: description('the type'),
            values: valueList().meta({ description: 'Its values.' }),
          })
          .meta({ typeName: 'CustomEnum' }),
      )
      .optional()
      .meta({ description: 'Types of a few values.' }),
  },
  identity: [],
  example: ['custom_types'],
  codecs: {
    objects: {
      decode: (objects) =>
        Array.isArray(objects)
          ? (objects as readonly Json[]).map((one) => {
              if (!isObject(one)) return one
              const { relationships } = one
              return relationships === undefined ? one : { ...one, relationships: tablesByName(relationships) ?? null }
            })
          : objects,
    },
  },
  dependsOn: (_, { objects }) =>
    (Array.isArray(objects) ? (objects as readonly Json[]) : []).flatMap((one, i) =>
      isObject(one) ? relatedTables(one.relationships, 'objects', i, 'relationships') : [],
    ),
  create: (now) => [op('set_custom_types', now)],
  update: (_, now) => [op('set_custom_types', now)],
  delete: () => [op('set_custom_types', {})],
})

/** Tables that relationships of a type lead to. */
export const relatedTables = (
  relationships: Json | undefined,
  ...attribute: (string | number)[]
): readonly Reference[] =>
  (Array.isArray(relationships) ? (relationships as readonly Json[]) : []).flatMap((one, i): readonly Reference[] =>
    isObject(one) && isObject(one.remote_table)
      ? [
          { to: 'source', source: one.source ?? 'default', attribute: [...attribute, i, 'source'] },
          {
            to: 'table',
            source: one.source ?? 'default',
            table: placedName(one.remote_table),
            attribute: [...attribute, i, 'remote_table'],
          },
        ]
      : [],
  )
