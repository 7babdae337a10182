import type { DatabaseType, Value } from '../../../ir/index.ts'
import { bind, ident, sql } from '../../sql.ts'
import { elementName } from '../types/database-type.ts'
import { parameterType } from '../types/known-types.ts'
import type { Limit, Sql, StatementContext } from './scope.ts'

/** A value as a parameter; of a list, an array. */
export function compileValue(value: Value, statement: StatementContext): Sql {
  const { type, list } = value.type
  if (value.kind === 'constant' && value.text === null) return sql`CAST(NULL AS ${typeName(type)})`
  const parameter: Sql = bind(statement.shared(value))
  if (!list) return fromParameter(parameter, type)
  const element = sql`\`v\``
  return elementName(type) === 'STRING'
    ? parameter
    : sql`ARRAY(SELECT ${fromText(element, type)} FROM UNNEST(${parameter}) AS ${element})`
}

/** Parameters of most types are texts, since not every server reads theirs in the same way. */
const fromParameter = (text: Sql, type: DatabaseType): Sql =>
  parameterType(type) === null ? fromText(text, type) : text

/** What a text means as a value of a type. */
export function fromText(text: Sql, type: DatabaseType): Sql {
  switch (elementName(type)) {
    case 'STRING':
      return text
    case 'BYTES':
      return sql`FROM_BASE64(${text})`
    case 'GEOGRAPHY':
      return sql`ST_GEOGFROM(${text})`
    case 'JSON':
      return sql`PARSE_JSON(${text})`
  }
  return sql`CAST(${text} AS ${typeName(type)})`
}

const typeNames = new Map(
  'STRING BYTES INT64 FLOAT64 NUMERIC BIGNUMERIC BOOL DATE TIME DATETIME TIMESTAMP GEOGRAPHY JSON'
    .split(' ')
    .map((name) => [name, { parts: [name] }]),
)

const typeName = (type: DatabaseType) => typeNames.get(elementName(type)) ?? ident(type.name)

/** What stands behind LIMIT. */
export const compileLimit = (limit: Omit<Limit, 'kind'>, statement: StatementContext): Sql =>
  bind(statement.shared<Limit>({ kind: 'limit', ...limit }))
