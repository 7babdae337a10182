/**
 * store: the catalogue in PostgreSQL. Begin at metadata-store.ts, the interface; catalogue.ts opens it.
 * Imports errors, observe and schema.
 */
export type { AccessTokens } from './access-tokens.ts'
export type { ActionLog, ClaimedAction } from './action-log.ts'
export type { AuditEntry, AuditRecord, AuditRemarks, FailedMember } from './audit-log.ts'
export { type CatalogueOptions, dropCatalogue, openCatalogue, readCatalogue } from './catalogue.ts'
export { CatalogueRefused, isUnanswered } from './catalogue-error.ts'
export { downgradeCatalogue } from './downgrade.ts'
export { draftedValues, type StoredDraft } from './drafts.ts'
export { adoptCatalogue, type EventingIdentityStore } from './eventing-identity.ts'
export type { ChangedObjects } from './history.ts'
export type { Versioned } from './load-document.ts'
export type * from './metadata-store.ts'
export { catalogueVersion } from './migrations.ts'
export type { OidcTrust, OidcTrusts } from './oidc-trusts.ts'
export { redactValue } from './redact-value.ts'
export type {
  OneOffEvent,
  ScheduleBacklog,
  ScheduledEvent,
  ScheduledOutcome,
  ScheduleStore,
} from './schedules.ts'
export type {
  EarlyHold,
  EarlyPart,
  EarlySourceChange,
  PendingSourceChange,
  SourceTransaction,
} from './source-changes.ts'
export type { UsageKey, UsageLog, UsagePart, UsedOperation } from './usage-log.ts'
export { type ObjectValue, withValues } from './with-values.ts'
