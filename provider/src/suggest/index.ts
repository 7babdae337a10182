/**
 * suggest: the tables, views and functions of a database as metadata that serves them. Begin at suggest-metadata.ts. Imports
 * client and directory; writes nothing.
 */
export { type Choice, choose, isChoice } from './choose.ts'
export { type Database, type DatabaseFunction, type DatabaseTable, nameOf, type ObjectName } from './database.ts'
export { readDatabase } from './read-database.ts'
export { type Suggested, suggestMetadata } from './suggest-metadata.ts'
