/**
 * client: speaks to one engine's metadata API over HTTP. Begin at metadata-client.ts; write-queue.ts and plan-fork.ts
 * write and try many objects at once. Knows no directory and no command line; every failure is a
 * ClientError whose message is a line for people.
 */
export { type TokenSource, tokenSourceOf } from './access-token.ts'
export { actorOf } from './actor.ts'
export { trustedCertificates } from './certificates.ts'
export { type ChangeLog, type LoggedChange, readChanges } from './change-log.ts'
export {
  ClientError,
  type EngineErrorBody,
  placeOfFault,
  summaryOf,
} from './client-error.ts'
export { credentialOf } from './credential.ts'
export type { Environment } from './environment.ts'
export {
  exportLive,
  type LiveMetadata,
  liveOf,
  readLive,
  readLiveFor,
} from './live-metadata.ts'
export { addressOfKey, addressOfObject } from './logged-changes.ts'
export {
  type Connection,
  createMetadataClient,
  type Envelope,
  type MetadataClient,
  type ObservedRequest,
} from './metadata-client.ts'
export { MetadataSnapshot } from './metadata-snapshot.ts'
export { type Need, needsOf } from './need.ts'
export { PlanFork, type Verdict, verdictOf } from './plan-fork.ts'
export type { QueueTimes } from './queue-times.ts'
export type { Arrival, Decision, Write, Written } from './write.ts'

export { stepOf } from './write-batch.ts'
export { WriteQueue } from './write-queue.ts'
