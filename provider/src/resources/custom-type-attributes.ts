import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { isObject, tableName } from './in-table.ts'

export const description = (of: string) =>
  z
    .string()
    .optional()
    .meta({ description: `Description of ${of} in GraphQL.` })

const name = (of: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .meta({ description: `Name of ${of}.` })

/** Of an object, or of an input object. */
export const fieldList = () =>
  z
    .array(
      z
        .object({
          name: name('the field'),
          type: z.string().min(1, 'must not be empty').meta({
            description: 'Its type, as GraphQL writes it: `[Item!]!`. Other custom types best as outputs of them.',
          }),
          description: description('the field'),
        })
        .meta({ typeName: 'CustomTypeField' }),
    )
    .min(1, 'must not be empty')

export const relationshipList = () =>
  z.array(
    z
      .object({
        name: name('the relationship, which is also its field'),
        type: z
          .enum(['object', 'array'])
          .meta({ typeName: 'CustomTypeRelationshipType', description: 'Whether it leads to one row or to a list.' }),
        source: z.string().min(1, 'must not be empty').default('default').meta({ description: 'Source of the table.' }),
        remote_table: tableName().meta({ description: 'The table it leads to, best as an output of it.' }),
        field_mapping: z
          .record(z.string(), z.string())
          .meta({ description: 'Fields of the type, and the columns of the table that they equal.' }),
      })
      .meta({ typeName: 'CustomTypeRelationship' }),
  )

export const valueList = () =>
  z
    .array(
      z
        .object({
          value: name('the value'),
          description: description('the value'),
          is_deprecated: z.boolean().default(false).meta({ description: 'Whether clients should use another.' }),
        })
        .meta({ typeName: 'CustomEnumValue' }),
    )
    .min(1, 'must not be empty')

/** A table may stand in the metadata as its name alone. */
export const tablesByName = (relationships: Json | undefined): Json | undefined =>
  Array.isArray(relationships)
    ? (relationships as readonly Json[]).map((one) =>
        isObject(one) && typeof one.remote_table === 'string'
          ? { ...one, remote_table: { schema: 'public', name: one.remote_table } }
          : one,
      )
    : relationships
