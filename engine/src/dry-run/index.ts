/**
 * dry-run: requests tried on forks of what is served; nothing is stored. Begin at dry-runs.ts.
 * Imports requests, changes, metadata, model and errors.
 */
export { DryRuns } from './dry-runs.ts'
