import type { DatabaseType } from '../../../ir/index.ts'

/** Types by all names that the service has for them: GoogleSQL's own, its aliases, and those of the REST API. */
const names: Readonly<Record<string, string>> = {
  STRING: 'STRING',
  BYTES: 'BYTES',
  INT64: 'INT64',
  INTEGER: 'INT64',
  INT: 'INT64',
  SMALLINT: 'INT64',
  BIGINT: 'INT64',
  TINYINT: 'INT64',
  BYTEINT: 'INT64',
  FLOAT64: 'FLOAT64',
  FLOAT: 'FLOAT64',
  NUMERIC: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  DATE: 'DATE',
  TIME: 'TIME',
  DATETIME: 'DATETIME',
  TIMESTAMP: 'TIMESTAMP',
  GEOGRAPHY: 'GEOGRAPHY',
  JSON: 'JSON',
}

/**
 * Returns the type of a name, GoogleSQL's or the REST API's, with or without `(n)`; null where the engine has no scalar for it:
 * STRUCT, RANGE, INTERVAL. A REPEATED column (`array`) has a type of its own, `ARRAY<X>`, which GraphQL shows as the
 * scalar of X although its values are lists (reference/graphql-schema#bigquery).
 */
export function databaseType(name: string, array = false): DatabaseType | null {
  const known =
    names[
      name
        .replace(/\s*\(.*$/s, '')
        .trim()
        .toUpperCase()
    ]
  return known === undefined ? null : baseType(array ? `ARRAY<${known}>` : known)
}

export const baseType = (name: string): DatabaseType => ({ schema: 'bigquery', name, kind: 'base', array: false })

/** Returns the name of an element's type: X of `ARRAY<X>`, and of X itself. */
export const elementName = ({ name }: DatabaseType): string => name.replace(/^ARRAY<(.*)>$/, '$1')

export const isRepeated = ({ name }: DatabaseType): boolean => name.startsWith('ARRAY<')
