/**
 * metadata: the document and its life. Begin at operation.ts (what an operation is: a pure function of the document)
 * and operation-table.ts (all of them by name); store/ is the catalogue that keeps the document.
 * Imports schema and errors. Knows no model, no GraphQL and no HTTP.
 */
export { checkTransforms, transformFailed } from './check-transforms.ts'
export { DependencyError, isWithin } from './drop-dependents.ts'

export { MissingObject, withoutAbsent } from './find-table.ts'
export { type InitialSettings, initialDocument } from './initial-document.ts'
export * from './operation.ts'
export * from './operation-context.ts'
export * from './operation-table.ts'
export { requireEventTrigger } from './operations/event-trigger.ts'
export * from './store/index.ts'
export { unservable } from './unservable.ts'
