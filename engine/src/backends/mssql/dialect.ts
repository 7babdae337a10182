import type { Dialect } from '../sql.ts'

/** SQL Server's. NUL, which no name has, leaves names and texts. */
export const mssqlDialect: Dialect = {
  identifier: (name) => `[${name.replaceAll(']', ']]').replaceAll('\0', '')}]`,
  literal: (text) => `N'${text.replaceAll("'", "''").replaceAll('\0', '')}'`,
  placeholder: (position) => `@p${position}`,
}
