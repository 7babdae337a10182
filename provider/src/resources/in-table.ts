import { isRecord, type Json, type JsonObject, parseExactly } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import { type InputDeclaration, type Inputs, identifying, parentName } from './attributes-of.ts'
import type { Codec, Reference } from './define-resource.ts'
import type { SourceFamily } from './source-family.ts'

type Named = Pick<SourceFamily, 'style'>

/** Without a default where names have a dataset instead. */
function qualifiedName(style: SourceFamily['style']): Inputs {
  const text = { type: 'string', refuses: 'empty' } as const
  return {
    schema: {
      ...text,
      description: 'Schema in the database; `public` if it is not given, `dbo` on SQL Server.',
      unless: 'dataset',
      optional: true,
      default: style === 'dataset' ? null : style === 'dbo' ? 'dbo' : 'public',
    },
    dataset: { ...text, description: 'Dataset of BigQuery, in place of a schema.', optional: true },
    name: { ...text, description: 'Name in the database.' },
  }
}

/** Of objects in sources of any kind. */
const anyFamily: Named = { style: 'public' }

const nameCalled =
  (typeName: string) =>
  (description: string, { style } = anyFamily): InputDeclaration => ({
    description,
    typeName,
    of: qualifiedName(style),
  })

/** `{ schema, name }` of a table or view, `{ dataset, name }` on BigQuery. */
export const tableName = nameCalled('TableName')

/** The same of a function. */
export const functionName = nameCalled('FunctionName')

/** The attribute that says, together with its name, where a table or function is. */
const placeOfName = ({ style }: Named): string => (style === 'dataset' ? 'dataset' : 'schema')

/** The attribute `source` of an object in a source. */
export const inSource: Inputs = {
  source: {
    ...parentName('Name of its source. Where it is not set, `default_source` of the provider is used.'),
    default: 'default',
    providerDefault: 'default_source',
  },
}

/** The attribute of what is declared for one role. */
export const forRole: Inputs = {
  role: {
    ...identifying('The role. Required unless `default_role` of the provider is set.'),
    optional: true,
    providerDefault: 'default_role',
  },
}

/** The attributes of an object of a table. */
export const inTable = (family: Named): Inputs => ({
  ...inSource,
  table: { ...tableName('The table it belongs to, best as an output of that table.', family), replace: true, at: null },
})

/** What the identity of an object of a table begins with. */
export const tableIdentity = (family: Named): readonly string[] => [
  'source',
  `table.${placeOfName(family)}`,
  'table.name',
]

export const comment = 'For people who read the metadata.'

/** A table named below a value, of the same source. */
export const tableReference = (source: Json, table: Json | undefined, ...attribute: string[]): readonly Reference[] =>
  table === undefined ? [] : [{ to: 'table', source, table, attribute }]

/** An object without the keys that are undefined. */
export const defined = (parts: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(parts).flatMap(([key, json]) => (json === undefined ? [] : [[key, json] as const])))

/** What a change makes of the objects in a list; anything else as it is. */
export const eachRecord = (
  json: Json | undefined,
  change: (item: JsonObject, index: number) => Json,
): Json | undefined =>
  Array.isArray(json) ? json.map((item: Json, i) => (isRecord(item) ? change(item, i) : item)) : json

/** JSON that a state of an older version has as its text for some tools, as a value for others. */
export const parsedJson = (json: Json | undefined): Json | undefined =>
  typeof json === 'string' ? (parseExactly(json) as Json) : json

/** A name with the schema that it has where neither that nor a dataset is said. */
export const placedName = (name: JsonObject): JsonObject =>
  name.dataset === undefined ? { schema: 'public', ...name } : name

/** Of an attribute that only sources of some kinds have: an error at it in sources of all other kinds. */
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
