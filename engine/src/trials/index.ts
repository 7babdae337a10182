/**
 * trials: requests of roles that leave nothing behind, for permission tests in a sandbox (docs/permission-tests.md). Begin at
 * run-trial.ts. Imports backends, execute's inputs, graphql and model. Knows no HTTP.
 */
export { permissionsUsed } from './permissions-used.ts'
export { readTrial } from './read-trial.ts'
export { runTrial } from './run-trial.ts'
export { withTrials } from './trial-connections.ts'
