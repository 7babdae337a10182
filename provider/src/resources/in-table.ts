import './attribute-meta.ts'
import { isRawNumber, type Json, type JsonObject } from '@svc/schema'
import { z } from 'zod'
import { InvalidValue } from './attribute-json.ts'
import type { Codec, Reference } from './define-resource.ts'
import type { SourceFamily } from './source-family.ts'

const sourceName = z.string().min(1, 'must not be empty').default('default')

type Named = Pick<SourceFamily, 'style'>

const qualifiedName = (typeName: string, { style }: Named) =>
  z
    .object({
      schema: schemaName(style),
      dataset: z
        .string()
        .min(1, 'must not be empty')
        .optional()
        .meta({ description: 'Dataset of BigQuery, in place of a schema.' }),
      name: z.string().min(1, 'must not be empty').meta({ description: 'Name in the database.' }),
    })
    .meta({ typeName })

/** Without a default where names have a dataset instead. */
function schemaName(style: SourceFamily['style']) {
  const given = z.string().min(1, 'must not be empty')
  const meta = {
    description: 'Schema in the database; `public` if it is not given, `dbo` on SQL Server.',
    unless: 'dataset',
  }
  switch (style) {
    case 'public':
    case 'agent':
      return given.default('public').meta(meta)
    case 'dbo':
      return given.default('dbo').meta(meta)
    case 'dataset':
      return given.optional().meta(meta)
  }
}

/** Of what may lie in a source of any kind. */
const anyFamily: Named = { style: 'public' }

/** `{ schema, name }` of a table or view, `{ dataset, name }` on BigQuery. */
export const tableName = (family = anyFamily) => qualifiedName('TableName', family)

/** The same of a function. */
export const functionName = (family = anyFamily) => qualifiedName('FunctionName', family)

/** The attribute that says, beside its name, where a table or function lies. */
export const placeOfName = ({ style }: Named): string => (style === 'dataset' ? 'dataset' : 'schema')

/** The attribute of an object that lies in a source. */
export const inSource = {
  source: sourceName.meta({
    description: 'Name of the source it lies in. `default_source` of the provider stands in where it is not given.',
    replace: true,
    at: null,
    providerDefault: 'default_source',
  }),
}

/** The attribute of what is declared for one role. */
export const forRole = {
  role: z.string().min(1, 'must not be empty').optional().meta({
    description: 'The role. Required unless `default_role` of the provider is set.',
    replace: true,
    providerDefault: 'default_role',
  }),
}

/** The attributes of an object that lies in a table. */
export const inTable = (family: Named) => ({
  ...inSource,
  table: tableName(family).meta({
    description: 'The table it lies in, best as an output of it.',
    replace: true,
    at: null,
  }),
})

/** What the identity of an object that lies in a table begins with. */
export const tableIdentity = (family: Named): readonly string[] => [
  'source',
  `table.${placeOfName(family)}`,
  'table.name',
]

export const comment = z.string().optional().meta({ description: 'For people who read the metadata.' })

/** A table named below a value, of the same source. */
export const tableReference = (source: Json, table: Json | undefined, ...attribute: string[]): readonly Reference[] =>
  table === undefined ? [] : [{ to: 'table', source, table, attribute }]

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !isRawNumber(json)

/** A name with the schema that it has where neither that nor a dataset is said. */
export const placedName = (name: JsonObject): JsonObject =>
  name.dataset === undefined ? { schema: 'public', ...name } : name

/** Of an attribute that only sources of some kinds have: an error at it in all others. */
export const onlyIn = (
  family: Named,
  styles: readonly SourceFamily['style'][],
  name: string,
  whose: string,
): Codec => ({
  encode(json) {
    const says = json !== undefined && json !== false
    if (says && !styles.includes(family.style)) throw new InvalidValue([name], `only ${whose} have that`)
    return json
  },
})
