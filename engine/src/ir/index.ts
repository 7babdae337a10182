/**
 * ir: the query language between GraphQL and SQL. Plain data; knows no backend and no GraphQL.
 * Begin at select.ts.
 */
export * from './boolean-expression.ts'
export * from './connection.ts'
export * from './insert-rows.ts'
export * from './mutation.ts'
export * from './select.ts'
export * from './stream.ts'
export * from './tables-read.ts'
export { type Value, type ValueType, valueKey } from './values.ts'
