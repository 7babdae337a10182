import type { Json } from '@svc/schema'
import { filled } from './attributes-of.ts'
import { eachRecord, tableName } from './in-table.ts'

/** Of an object, or of an input object. */
export const fieldList = {
  typeName: 'CustomTypeField',
  of: {
    name: filled('Name of the field.'),
    type: filled('Its type, as GraphQL writes it: `[Item!]!`. Other custom types best as outputs of them.'),
    description: 'Description of the field in GraphQL.',
  },
}

export const relationshipList = {
  typeName: 'CustomTypeRelationship',
  of: {
    name: filled('Name of the relationship, which is also its field.'),
    type: { description: 'Whether it leads to one row or to a list.', typeName: 'CustomTypeRelationshipType' },
    source: filled('Source of the table.'),
    remote_table: tableName('The table it leads to, best as an output of it.'),
    field_mapping: 'Fields of the type, and the columns of the table that they equal.',
  },
}

export const valueList = {
  typeName: 'CustomEnumValue',
  of: {
    value: filled('Name of the value.'),
    description: 'Description of the value in GraphQL.',
    is_deprecated: 'Whether clients should use another.',
  },
}

/** Metadata may name a table by only its name. */
export const tablesByName = (relationships: Json | undefined): Json | undefined =>
  eachRecord(relationships, (one) =>
    typeof one.remote_table === 'string' ? { ...one, remote_table: { schema: 'public', name: one.remote_table } } : one,
  )
