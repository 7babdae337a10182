/**
 * config: flags and environment -> ServerConfig. Begin at settings.ts, the table everything comes from.
 * Imports observe (log types and levels).
 */
export { isLocalOrigin, isOriginListed } from './cors.ts'
export type { Environment } from './environment.ts'
export { FatalError } from './fatal-error.ts'
export { shownPrefix } from './header-prefix.ts'
export { configurationDocument, helpText } from './help.ts'
export { parseArguments } from './parse-arguments.ts'
export { readConfig, type ServerConfig } from './read-config.ts'
export { referenceVariables, shownReferenceVariables } from './reference-variables.ts'
export type { ApiGroup } from './settings-serve.ts'
export { shownConfig } from './shown-config.ts'
export { engineVersion, servedVersion } from './version.ts'
