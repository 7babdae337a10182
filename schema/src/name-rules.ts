import type { NameStyle } from './backend-kind.ts'
import type { Json, JsonObject } from './json.ts'

/** The name of a table or function: the schema or dataset that it is in, and its own. */
export interface PlacedName {
  readonly schema: string
  readonly name: string
}

/** What names mean in sources of a kind (reference/graphql-schema#names-of-tables-and-functions). */
export interface NameRules {
  readonly style: NameStyle
  /** The schema of a name that is only a text, left out of texts and GraphQL names; null where each name has a place. */
  readonly defaultSchema: string | null
  /** `t` in the default schema, else `schema.t`. */
  shown(name: PlacedName): string
  /** What the names of GraphQL are made of: `t` in the default schema, else `schema_t`. */
  graphqlBase(name: PlacedName): string
  /** The name as metadata has it. */
  key(name: PlacedName): JsonObject
}

const rules = (style: NameStyle, defaultSchema: string | null): NameRules => ({
  style,
  defaultSchema,
  shown: ({ schema, name }) => (schema === defaultSchema ? name : `${schema}.${name}`),
  graphqlBase: ({ schema, name }) => (schema === defaultSchema ? name : `${schema}_${name}`),
  key: ({ schema, name }) => (style === 'dataset' ? { dataset: schema, name } : { name, schema }),
})

export const nameRules: Readonly<Record<NameStyle, NameRules>> = {
  public: rules('public', 'public'),
  dbo: rules('dbo', 'dbo'),
  dataset: rules('dataset', null),
  agent: rules('agent', null),
}

/** The schemas that texts leave out, of all kinds: a name in a document does not say which kind its source is of. */
const defaultSchemas: ReadonlySet<string | null> = new Set(
  Object.values(nameRules).map(({ defaultSchema }) => defaultSchema),
)

/** A name in metadata as texts show it: `NameRules.shown` for where the kind of its source is not known. */
export function tableText(table: Json | PlacedName): string {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return String(table)
  const { schema, dataset, name } = table as JsonObject
  if (dataset !== undefined) return `${String(dataset)}.${String(name)}`
  return schema === undefined || defaultSchemas.has(String(schema)) ? String(name) : `${String(schema)}.${String(name)}`
}
