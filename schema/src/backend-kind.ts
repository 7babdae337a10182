/** How a source's kind spells names: a default schema, a dataset, or something an agent knows. */
export type NameStyle = 'public' | 'dbo' | 'dataset' | 'agent'

/** `pg` is a spelling of `postgres` (reference/metadata-document#objects); other kinds stay as they are. */
export const canonicalKind = (kind: string): string => (kind === 'pg' ? 'postgres' : kind)

export function nameStyle(kind: string): NameStyle {
  switch (canonicalKind(kind)) {
    case 'postgres':
    case 'citus':
    case 'cockroach':
    case 'alloydb':
      return 'public'
    case 'mssql':
      return 'dbo'
    case 'bigquery':
      return 'dataset'
    default:
      return 'agent'
  }
}

/** Schemas that differ by how names are spelled are made once for each style. */
export function perStyle<T>(make: (style: NameStyle) => T): (style: NameStyle) => T {
  const made = new Map<NameStyle, T>()
  return (style) => {
    const known = made.get(style)
    if (known !== undefined) return known
    const value = make(style)
    made.set(style, value)
    return value
  }
}
