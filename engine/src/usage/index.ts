/**
 * usage: which operations are requested how often, on which parts of the schema, and what no client requests. Begin at
 * usage-counter.ts.
 * Imports requests, execute, graphql, model, metadata, observe and schema. Runs nothing.
 */
export { UsageCounter } from './usage-counter.ts'
export { getUsage } from './usage-operations.ts'
