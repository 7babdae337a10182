import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Values } from '../../../provider/src/resources/index.ts'
import { type Metadata, rolesOf, type Source, shownTable, type TableName } from '../engine/metadata.ts'

/** What is known of the engine where an object is declared: what can be chosen, and how names go on. */
export interface FormContext {
  readonly sources: readonly string[]
  readonly roles: readonly string[]
  /** Of the source that the object lies in, tracked or not. */
  readonly tables: readonly TableName[]
  /** The columns of a table of that source; empty where they are not known. */
  columnsOf(table: Values): readonly string[]
  /** Relationships of a table that conditions may go over. */
  relationshipsOf(table: Values): readonly string[]
  readonly headerPrefix: string
}

/** The parts of a name, as attributes have it. */
export function tableValues(name: TableName): Values {
  if (typeof name === 'string') return { schema: null, dataset: null, name }
  const { schema = null, dataset = null, name: own = '' } = name
  return { schema, dataset, name: own }
}

/** The table that values of attributes name. */
export const namedTable = (source: Source | undefined, table: Values) =>
  source?.tables?.find(({ table: name }) => isSame(name, table))

const isSame = (name: TableName, { schema, dataset, name: own }: Values): boolean => {
  const known = tableValues(name)
  const placeOf = (place: unknown) => place ?? 'public'
  return known.name === own && (dataset ?? known.dataset ?? placeOf(known.schema)) === (dataset ?? placeOf(schema))
}

export function formContext(
  metadata: Metadata,
  source: Source | undefined,
  untracked: readonly TableName[],
  fieldsOf: (source: Source, table: NonNullable<ReturnType<typeof namedTable>>) => readonly string[],
  headerPrefix: string,
): FormContext {
  const tracked = source?.tables ?? []
  const names = new Map([...tracked.map(({ table }) => table), ...untracked].map((name) => [shownTable(name), name]))
  return {
    sources: (metadata.sources ?? []).map(({ name }) => name),
    roles: rolesOf(metadata),
    tables: [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name),
    columnsOf(values) {
      const table = namedTable(source, values)
      if (!table || !source) return []
      const config = (table.configuration as { column_config?: Record<string, { custom_name?: string }> } | undefined)
        ?.column_config
      const columns = new Map(Object.entries(config ?? {}).map(([column, { custom_name }]) => [custom_name, column]))
      return fieldsOf(source, table).map((field) => columns.get(field) ?? field)
    },
    relationshipsOf(values) {
      const table = namedTable(source, values)
      return [...(table?.object_relationships ?? []), ...(table?.array_relationships ?? [])].map(({ name }) => name)
    },
    headerPrefix,
  }
}

const operators = ['_eq', '_neq', '_in', '_nin', '_gt', '_gte', '_lt', '_lte', '_is_null', '_like', '_ilike', '_ceq']

/** What may be written next in a condition on rows: a key, or a session variable as a value. */
export const conditionCompletion =
  (columns: readonly string[], relationships: readonly string[], headerPrefix: string) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const before = state.doc.sliceString(0, pos)
    const typed = /"?[\w-]*$/.exec(before)?.[0] ?? ''
    if (typed === '' && !explicit) return null
    const isValue = /:\s*$/.test(before.slice(0, before.length - typed.length))
    const quoted = (type: string) => (name: string) => ({ label: `"${name}"`, type })
    return {
      from: pos - typed.length,
      options: isValue
        ? [`${headerPrefix}User-Id`, `${headerPrefix}Role`].map(quoted('variable'))
        : [
            ...columns.map(quoted('property')),
            ...relationships.map(quoted('type')),
            ...['_and', '_or', '_not', '_exists', ...operators].map(quoted('keyword')),
          ],
      validFor: /^"?[\w-]*"?$/,
    }
  }
