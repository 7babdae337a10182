/**
 * states: what Terraform and Pulumi have written down of an engine, against what it has. Begin at read-tool-state.ts (a file
 * to resources) and drift-from-state.ts (resources to what is gone or differs).
 */
export { driftFromState, managedNames } from './drift-from-state.ts'
export { readToolState } from './read-tool-state.ts'
export type { ToolState } from './tool-state.ts'
