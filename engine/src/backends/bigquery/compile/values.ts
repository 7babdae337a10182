import type { DatabaseType, Value } from '../../../ir/index.ts'
import { bind, ident, join, sql } from '../../sql.ts'
import { elementName } from '../types/database-type.ts'
import { parameterType } from '../types/known-types.ts'
import type { Limit, Slot, Sql, StatementContext } from './scope.ts'

/** Returns a value as a parameter; of a list, what is after IN. */
export function compileValue(value: Value, statement: StatementContext): Sql {
  const { type, list } = value.type
  if (value.kind === 'constant' && value.text === null) return sql`CAST(NULL AS ${typeName(type)})`
  if (list) return compileList(value, statement)
  return fromParameter(bind(statement.shared(value)), type)
}

/** A list that is longer is one parameter. */
const MOST_MEMBERS = 100

/**
 * Members that are known are parameters of their own: only with such does the service leave out partitions. IN UNNEST would be the
 * same, but that there an emulator takes NULL for a value that is in no list.
 */
function compileList(value: Value, statement: StatementContext): Sql {
  const { type } = value.type
  const members: readonly (string | null)[] = value.kind === 'constant' ? JSON.parse(value.text ?? '[]') : []
  if (members.length === 0 || members.length > MOST_MEMBERS) {
    const element = sql`\`v\``
    return sql`(SELECT ${inSet(fromText(element, type), type)} FROM UNNEST(${bind<Slot>(statement.shared(value))}) AS ${element})`
  }
  const known = members.map((text) =>
    inSet(compileValue({ kind: 'constant', text, type: { type, list: false } }, statement), type),
  )
  return sql`(${join(known, sql`, `)})`
}

/** JSON itself cannot be compared, its text can. */
const inSet = (value: Sql, type: DatabaseType): Sql =>
  elementName(type) === 'JSON' ? sql`TO_JSON_STRING(${value})` : value

/** Parameters of most types are texts, since not every server reads theirs in the same way. */
const fromParameter = (text: Sql, type: DatabaseType): Sql =>
  parameterType(type) === null ? fromText(text, type) : text

/** Returns a text as a value of a type. */
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

/** Returns what is after LIMIT. */
export const compileLimit = (limit: Omit<Limit, 'kind'>, statement: StatementContext): Sql =>
  bind(statement.shared<Limit>({ kind: 'limit', ...limit }))
