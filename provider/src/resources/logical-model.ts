import { isRecord, type Json, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { type Inputs, identifying } from './attributes-of.ts'
import { defineInSource, type Reference } from './define-resource.ts'
import { eachRecord, inSource } from './in-table.ts'
import type { Path } from './value.ts'

const inType = { from: 'type.scalar', refuses: 'empty' } as const
const flag = { from: 'type.nullable' }

const field: Inputs = {
  name: 'Its name: the column that the query gives.',
  scalar: { ...inType, description: 'Its type in the database. Either this or `logical_model`.' },
  logical_model: { ...inType, description: 'The logical model that it is a row of. Either this or `scalar`.' },
  array: { ...flag, description: 'Whether it is an array of these.' },
  nullable: { ...flag, description: 'Whether it may be null.' },
  element_nullable: { ...flag, description: 'Of an array: whether its elements may be null.' },
  description: 'Its description in GraphQL.',
}

/** The row type of native queries (reference/metadata-operations#native-queries-and-logical-models). */
export const logicalModel = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'LogicalModel',
  type: 'logical_model',
  description: 'The type of the rows that native queries give. When it goes, its permissions go with it.',
  inputs: {
    ...inSource,
    name: identifying('Its name, which is also its type.'),
    fields: { description: 'The fields of a row.', of: field },
    description: 'Description of its type.',
  },
  identity: ['source', 'name'],
  example: ['default', 'top_album'],
  createBeforeDelete: true,
  codecs: {
    fields: {
      encode: (fields) => eachRecord(fields, typed),
      decode: (fields) => eachRecord(fields, flat),
      decodePath: flatPath,
    },
  },
  dependsOn: ({ source }, { fields }) =>
    recordsIn(fields).flatMap((one) => {
      const { logical_model: name } = flat(one)
      return name === undefined ? [] : [logicalModelReference(source as Json, name, ['fields'])]
    }),
  ...family.operations('track_logical_model', 'update_logical_model', 'untrack_logical_model', 'name'),
}))

/** The metadata nests a field's type: `{array: {scalar, nullable}, nullable}`. */
function typed({ scalar, logical_model, array, nullable, element_nullable, ...others }: JsonObject): JsonObject {
  const own = (isNullable: Json | undefined): JsonObject => ({
    ...(scalar !== undefined && { scalar }),
    ...(logical_model !== undefined && { logical_model }),
    nullable: isNullable ?? false,
  })
  const type = array === true ? { array: own(element_nullable), nullable: nullable ?? false } : own(nullable)
  return { ...others, type }
}

function flat({ type, ...others }: JsonObject): JsonObject {
  const own = recordOf(type)
  const { array, nullable = false } = own
  if (!isRecord(array)) return { ...others, ...own, array: false, element_nullable: false }
  const { nullable: element_nullable = false, ...inner } = array
  return { ...others, ...inner, array: true, nullable, element_nullable }
}

/** `[0].type.array.nullable` -> `[0].element_nullable` */
function flatPath([place, ...steps]: Path): Path {
  const start = place === undefined ? [] : [place]
  if (steps[0] !== 'type') return [...start, ...steps]
  if (steps[1] !== 'array') return [...start, ...steps.slice(1)]
  return [...start, ...steps.slice(2).map((step) => (step === 'nullable' ? 'element_nullable' : step))]
}

/** That an object of a source returns rows of a logical model. */
export const logicalModelReference = (source: Json, name: Json, attribute: Path): Reference => ({
  to: 'in-source',
  type: 'logical_model',
  source,
  key: { name },
  attribute,
})
