/**
 * row-api: select, count, insert, update and delete of /v1/query and /v2/query (reference/row-api). Begin at
 * run-row-operation.ts. Imports schema, ir, model, graphql (what a role may do) and execute. Knows no HTTP and no bulk.
 */
export { type RowOperation, runRowOperation } from './run-row-operation.ts'
