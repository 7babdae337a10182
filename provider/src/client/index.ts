/**
 * client: speaks to one engine's metadata API over HTTP. Begin at metadata-client.ts. Knows no directory and no
 * command line; every failure is a ClientError whose message is a line for people.
 */
export { actorOf } from './actor.ts'
export { ClientError, type ClientProblem, type EngineErrorBody, isEngineErrorBody } from './client-error.ts'
export {
  type Answer,
  type Connection,
  createMetadataClient,
  type Envelope,
  type MetadataClient,
} from './metadata-client.ts'
