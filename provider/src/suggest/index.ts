/**
 * suggest: the tables, views and functions of a database as metadata that serves them. Begin at suggest-metadata.ts. Imports
 * client and directory; writes nothing.
 */
export { type Choice, choose, isChoice } from './choose.ts'
export { type Database, nameOf } from './database.ts'
export { readDatabase } from './read-database.ts'
export { suggestMetadata } from './suggest-metadata.ts'
