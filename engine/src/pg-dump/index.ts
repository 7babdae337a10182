/**
 * pg-dump: the schema or data of a source as SQL, made by PostgreSQL's own program (reference/http#pg_dump). Begin at
 * dump-source.ts. Imports errors, backends (types), sources.
 */
export { cleanDump } from './clean-dump.ts'
export { parseDumpRequest } from './dump-request.ts'
export { dumpSource } from './dump-source.ts'
