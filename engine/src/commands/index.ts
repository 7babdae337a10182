/** commands: what svc-engine does from start to end; main.ts chooses one. */
export { adoptCatalogue } from './adopt-catalogue.ts'
export { clean } from './clean.ts'
export { downgrade, readDowngrade } from './downgrade.ts'
export { exportMetadata } from './export-metadata.ts'
export { serve } from './serve.ts'
