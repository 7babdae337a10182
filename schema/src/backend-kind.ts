import type { JsonObject } from './json.ts'

/** How a source's kind spells names: a default schema, a dataset, or something an agent knows. */
export type NameStyle = 'public' | 'dbo' | 'dataset' | 'agent'

/** The kind of a source that names none, and of the operations without prefix (reference/metadata-document#objects). */
export const defaultKind = 'postgres'

/** `pg` is a spelling of `postgres` (reference/metadata-document#objects); other kinds are unchanged. */
export const canonicalKind = (kind: string): string => (kind === 'pg' ? 'postgres' : kind)

/** The kind of a source by its value in metadata; the default kind where there is no source or it names none. */
export const kindOfSource = (source: JsonObject | undefined): string =>
  typeof source?.kind === 'string' ? canonicalKind(source.kind) : defaultKind

/** What the operations on sources of a kind begin with: `pg` in `pg_track_table` (reference/metadata-requests#body). */
export function operationPrefix(kind: string): string {
  const canonical = canonicalKind(kind)
  return canonical === defaultKind ? 'pg' : canonical
}

/** The kinds whose spelling of names is known; all other kinds are those of agents. */
const styles: ReadonlyMap<string, NameStyle> = new Map([
  [defaultKind, 'public'],
  ['citus', 'public'],
  ['cockroach', 'public'],
  ['alloydb', 'public'],
  ['mssql', 'dbo'],
  ['bigquery', 'dataset'],
])

/** Kinds of source; agents, which metadata declares, are kinds too. */
export const knownKinds: readonly string[] = [...styles.keys()]

export const nameStyle = (kind: string): NameStyle => styles.get(canonicalKind(kind)) ?? 'agent'

/** The kinds of source that spell names in a style, as documents may name them. */
export const kindsOfStyle = (style: NameStyle): readonly string[] =>
  [...styles.keys(), 'pg'].filter((kind) => nameStyle(kind) === style)

export const defaultStyle: NameStyle = nameStyle(defaultKind)

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
