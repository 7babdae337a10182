/** A difference of two versions of a schema: what graphql-js calls breaking or dangerous, and what is neither. */
export interface SchemaChange {
  readonly change: SchemaChangeKind
  readonly severity: Severity
  /** `invoice`, `invoice.total`, `query_root.invoice(limit)`, `invoice_status_enum.paid` */
  readonly at: string
  /** As graphql-js words it. */
  readonly description: string
}

type Severity = 'breaking' | 'dangerous' | 'safe'

/** graphql-js's kinds of breaking and of dangerous changes, and those of later versions that are safe. */
const severities = {
  TYPE_REMOVED: 'breaking',
  TYPE_CHANGED_KIND: 'breaking',
  TYPE_REMOVED_FROM_UNION: 'breaking',
  VALUE_REMOVED_FROM_ENUM: 'breaking',
  REQUIRED_INPUT_FIELD_ADDED: 'breaking',
  IMPLEMENTED_INTERFACE_REMOVED: 'breaking',
  FIELD_REMOVED: 'breaking',
  FIELD_CHANGED_KIND: 'breaking',
  REQUIRED_ARG_ADDED: 'breaking',
  ARG_REMOVED: 'breaking',
  ARG_CHANGED_KIND: 'breaking',
  VALUE_ADDED_TO_ENUM: 'dangerous',
  TYPE_ADDED_TO_UNION: 'dangerous',
  OPTIONAL_INPUT_FIELD_ADDED: 'dangerous',
  OPTIONAL_ARG_ADDED: 'dangerous',
  IMPLEMENTED_INTERFACE_ADDED: 'dangerous',
  ARG_DEFAULT_VALUE_CHANGE: 'dangerous',
  TYPE_ADDED: 'safe',
  FIELD_ADDED: 'safe',
  FIELD_CHANGED_KIND_SAFE: 'safe',
  ARG_CHANGED_KIND_SAFE: 'safe',
} as const satisfies Readonly<Record<string, Severity>>

export type SchemaChangeKind = keyof typeof severities

export const schemaChange = (change: SchemaChangeKind, at: string, description: string): SchemaChange => ({
  change,
  severity: severities[change],
  at,
  description,
})
